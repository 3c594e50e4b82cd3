import type { MyRoom } from "../../../src/wire/models.ts";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { notifyOfReplies } from "../session/membership-actions.ts";
import { muteItems, setNotifications } from "../session/muting.ts";
import { describeMute } from "../session/row-signs.tsx";
import { isMuted } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

const LEVELS = ["all", "mentions"] as const;

type NotifyMenuListProps = { room: MyRoom; anchor: Anchor | null; onClose(): void };

export function NotifyMenuList({ room, anchor, onClose }: NotifyMenuListProps) {
  const { notify = "all", muted_until, thread_push } = room.membership ?? {};
  const isSilent = isMuted(room.membership);
  const hasReplies = thread_push === "all";
  const items = [
    ...LEVELS.map((level) => ({
      label: t(`notify.${level}`),
      checked: level === notify && !isSilent,
      onSelect: () => setNotifications(room, { notify: level }),
    })),
    {
      label: muted_until ? describeMute(muted_until) : t("notify.none"),
      checked: isSilent,
      items: muteItems(room),
    },
  ];
  const replies = {
    label: t("notify.replies"),
    checked: hasReplies,
    isSwitch: true,
    onSelect: () => notifyOfReplies(room, !hasReplies),
  };
  return (
    <MenuList
      label={t("notify.title")}
      hasHeading
      items={isSilent ? items : [...items, replies]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}
