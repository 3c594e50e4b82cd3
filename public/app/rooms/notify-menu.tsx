import { Bell, BellOff, BellDot } from "lucide";
import type { MyRoom, Notify, ThreadPush } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Menu } from "../parts/menu.tsx";
import { reportOutcome } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

const CHOICES = ["all", "mentions", "none"] as const satisfies Notify[];
const ICONS = { all: Bell, mentions: BellDot, none: BellOff };

/** Which messages of this room notify the user. */
export function NotifyMenu({ room }: { room: MyRoom }) {
  const now = room.membership?.notify ?? "all";
  const hasReplies = room.membership?.thread_push === "all";
  const choose = (body: { notify: Notify } | { thread_push: ThreadPush }) =>
    store.call("PATCH /api/rooms/:id/membership", { params: { id: room.id }, body });
  const toggleReplies = () =>
    reportOutcome(choose({ thread_push: hasReplies ? "followed" : "all" }), () =>
      t(hasReplies ? "notify.replies-off" : "notify.replies-on", { room: room.name }),
    );
  const replies = { label: t("notify.replies"), checked: hasReplies, isSwitch: true };
  return (
    <Menu
      icon={ICONS[now]}
      label={t("notify.title")}
      items={[
        ...CHOICES.map((notify) => ({
          label: t(`notify.${notify}`),
          checked: notify === now,
          onSelect: () =>
            reportOutcome(choose({ notify }), () =>
              t(`notify.${notify}-done`, { room: room.name }),
            ),
        })),
        ...(now === "none" ? [] : [{ ...replies, onSelect: toggleReplies }]),
      ]}
    />
  );
}
