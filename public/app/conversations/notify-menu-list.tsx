import type { MyRoom } from "../../../src/wire/models.ts";
import { MenuList } from "../parts/menu-list.tsx";
import type { Anchor } from "../parts/use-popover.ts";
import { notifyOfReplies } from "../session/membership-actions.ts";
import { muteForItem, setNotifications } from "../session/muting.ts";
import { describeMute } from "../session/row-signs.tsx";
import { isMuted } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

const LEVELS = ["all", "mentions", "none"] as const;

type NotifyMenuListProps = { room: MyRoom; anchor: Anchor | null; onClose(): void };

export function NotifyMenuList({ room, anchor, onClose }: NotifyMenuListProps) {
  const { notify = "all", muted_until, thread_push } = room.membership ?? {};
  const isSilent = isMuted(room.membership);
  const hasReplies = thread_push === "all";
  const items = [
    ...LEVELS.map((level) => ({
      label: t(`notify.${level}`),
      checked: level === notify && !muted_until,
      onSelect: () => setNotifications(room, { notify: level }),
    })),
    {
      ...muteForItem(room),
      ...(muted_until && { label: describeMute(muted_until) }),
      checked: Boolean(muted_until),
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
