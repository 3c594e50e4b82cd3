import { CornerDownRight } from "lucide";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { background } from "../session/navigation.ts";
import { nameOfThread } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { countUnreadReplies, type Follow, isUnread, withExcerpt } from "../state/model/follows.ts";
import { threadPath } from "../state/route.ts";
import type { SidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { t } from "../words/translate.ts";
import { SidebarRow } from "./sidebar-row.tsx";

/** How many threads a room shows. */
const MAX_ROWS = 3;

type ThreadRow = Pick<Parameters<typeof SidebarRow>[0], "href" | "name" | "isOpen" | "news"> & {
  id: string;
};

/**
 * The unread threads that the reader follows, below their rooms. One that is read stays while it is open, or while the
 * pointer is in the list, so that nothing moves under it.
 * @returns the rows of a room, those with the newest reply first; none for a muted one
 */
export function useThreadRows(isHovered: boolean): (item: SidebarItem) => ThreadRow[] {
  const here = background.value.route;
  const openId = here.name === "room" ? here.threadId : null;
  const shown = useRef(new Set<string>());
  const stays = (id: string) => shown.current.has(id) && (isHovered || id === openId);
  const follows = Object.entries(store.state.value.threads ?? {})
    .filter(([id, follow]) => isUnread(follow) || stays(id))
    .toSorted(([, a], [, b]) => b.last_reply_seq - a.last_reply_seq);
  shown.current = new Set(follows.map(([id]) => id));
  const byRoom = Map.groupBy(follows, ([, { room_id }]) => room_id);
  return ({ id, label, isMuted }) => {
    const all = isMuted ? [] : (byRoom.get(id) ?? []);
    const rows = all.slice(0, MAX_ROWS).map((entry) => toRow(label, openId, entry));
    const count = all.length - rows.length;
    if (count === 0) return rows;
    const name = t("sidebar.more-threads", { count });
    return [...rows, { id: `more ${id}`, href: "/threads", name }];
  };
}

function toRow(room: string, openId: string | null, [id, follow]: [string, Follow]): ThreadRow {
  const count = countUnreadReplies(follow) ?? 0;
  return {
    id,
    href: threadPath(room, id),
    name: nameOfThread(withExcerpt(follow.root)),
    isOpen: id === openId,
    news: {
      isUnread: isUnread(follow),
      mentions: isUnread(follow) ? count : 0,
      label: t("threads.new-replies", { count }),
    },
  };
}

type RowsProps = { rows: ThreadRow[]; tabStop: string | undefined };

export function ThreadRows({ rows, tabStop }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <ul class="thread-rows" aria-label={t("shell.threads")}>
      {rows.map((row) => (
        <SidebarRow
          key={row.id}
          {...row}
          title={row.name}
          icon={<Icon of={CornerDownRight} />}
          isTabStop={row.id === tabStop}
        />
      ))}
    </ul>
  );
}
