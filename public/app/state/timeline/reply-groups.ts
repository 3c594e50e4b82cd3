import type { Message, MyRoom } from "../../../../src/wire/models.ts";
import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";

/** Replies of a thread that are shown as one line in the room's history. */
export type ReplyGroup = {
  replies: [Message, ...Message[]];
  /**
   * The last log number before the next line: a reader who has seen this line has read up to there.
   */
  to: number;
};

export type GroupedReplies = {
  /** One message for each line; a group is represented by its first reply. */
  lines: Message[];
  /** The groups by the id of their first reply. */
  replyGroups: ReadonlyMap<string, ReplyGroup>;
};

/** A reply counts as near its root if fewer rows of text than this are between them. */
const SCREEN_ROWS = 10;
const ROW_CHARACTERS = 90;
const PICTURE_ROWS = 6;

/**
 * Groups a room's messages into lines. Between two messages that are not replies, all replies of a
 * thread become one line, at the position of the first, so that the line does not move when more
 * arrive. Replies near their root have no line, because the root shows them. Nearness depends on
 * the messages alone, so no line appears or disappears while someone reads.
 * @param breaks the id of a message at which a new line begins: the first unread one
 */
export function groupReplies(messages: Message[], breaks: string | null): GroupedReplies {
  const lines: Message[] = [];
  const replyGroups = new Map<string, ReplyGroup>();
  /** The groups since the last message that is not a reply, by thread. */
  let open = new Map<string, ReplyGroup>();
  const close = () => {
    const all = [...open.values()];
    const end = Math.max(...all.flatMap(({ replies }) => replies.map(({ seq }) => seq)));
    // Each line ends where the next one begins, so that the numbers have no gap.
    for (const [i, group] of all.entries()) {
      const next = all[i + 1];
      group.to = next ? next.replies[0].seq - 1 : end;
    }
    open = new Map();
  };
  for (const message of messages) {
    const { thread_id } = message;
    if (!thread_id || message.id === breaks) close();
    const group = thread_id ? open.get(thread_id) : undefined;
    if (group) group.replies.push(message);
    else lines.push(message);
    if (!thread_id || group) continue;
    const newGroup: ReplyGroup = { replies: [message], to: message.seq };
    open.set(thread_id, newGroup);
    replyGroups.set(message.id, newGroup);
  }
  close();
  return { lines: hideNearRoots(lines, replyGroups, breaks), replyGroups };
}

/** Removes the lines of replies near their root, except the one at which unread messages begin. */
function hideNearRoots(
  lines: Message[],
  replyGroups: Map<string, ReplyGroup>,
  breaks: string | null,
) {
  /** The row at which each root ends. */
  const roots = new Map<string, number>();
  let rows = 0;
  return lines.filter((line) => {
    const root = line.thread_id ? roots.get(line.thread_id) : undefined;
    if (root !== undefined && rows - root < SCREEN_ROWS && line.id !== breaks) {
      replyGroups.delete(line.id);
      return false;
    }
    rows += replyGroups.has(line.id) ? 1 : rowsOf(line);
    if (line.thread) roots.set(line.id, rows);
    return true;
  });
}

function rowsOf({ content, image }: Message): number {
  const text = Math.ceil((content?.length ?? 0) / ROW_CHARACTERS);
  return 1 + text + (image ? PICTURE_ROWS : 0);
}

/**
 * The newest pin when the line below a room's header was collapsed, and how many pins there were.
 */
type CollapsedPin = { id: string; count: number };

const keyOf = (userId: string, roomId: string) => `snug.pin.${userId}.${roomId}`;

/** Whether the line is collapsed on this device, until a newer pin is added. */
export function isPinCollapsed(storage: KeyValue, userId: string, room: MyRoom): boolean {
  const { id, pin_count: count, newest_pin: newest } = room;
  const json = storage.getItem(keyOf(userId, id));
  if (!json || !newest) return false;
  const collapsed = JSON.parse(json) as CollapsedPin;
  if (collapsed.id === newest.message_id) return true;
  // If the newest pin was removed, an older one becomes the newest, and stays collapsed.
  const isNewer = count >= collapsed.count;
  if (!isNewer) collapsePin(storage, userId, room);
  return !isNewer;
}

/** Collapses the line of the newest pin in this browser, until a newer one is added. */
export function collapsePin(storage: KeyValue, userId: string, room: MyRoom): void {
  const { id, pin_count: count, newest_pin: newest } = room;
  if (!newest) return;
  const collapsed: CollapsedPin = { id: newest.message_id, count };
  storeIfSpace(storage, keyOf(userId, id), JSON.stringify(collapsed));
}
