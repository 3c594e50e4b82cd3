import type { Message, MyRoom } from "../../../../src/wire/models.ts";
import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";

/** Replies of a thread that are shown as one line in the room's history. */
export type Fold = {
  replies: [Message, ...Message[]];
  /**
   * The last log number before the next line: a reader who has seen this line has read up to there.
   */
  to: number;
};

export type Flow = {
  /** One message for each line; a fold is represented by its first reply. */
  lines: Message[];
  /** The folds by the id of their first reply. */
  folds: ReadonlyMap<string, Fold>;
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
export function foldReplies(messages: Message[], breaks: string | null): Flow {
  const lines: Message[] = [];
  const folds = new Map<string, Fold>();
  /** The folds since the last message that is not a reply, by thread. */
  let open = new Map<string, Fold>();
  const close = () => {
    const all = [...open.values()];
    const end = Math.max(...all.flatMap(({ replies }) => replies.map(({ seq }) => seq)));
    // Each line ends where the next one begins, so that the numbers have no gap.
    for (const [i, fold] of all.entries()) {
      const next = all[i + 1];
      fold.to = next ? next.replies[0].seq - 1 : end;
    }
    open = new Map();
  };
  for (const message of messages) {
    const { thread_id } = message;
    if (!thread_id || message.id === breaks) close();
    const fold = thread_id ? open.get(thread_id) : undefined;
    if (fold) fold.replies.push(message);
    else lines.push(message);
    if (!thread_id || fold) continue;
    const begun: Fold = { replies: [message], to: message.seq };
    open.set(thread_id, begun);
    folds.set(message.id, begun);
  }
  close();
  return { lines: hideNearRoots(lines, folds, breaks), folds };
}

/** Removes the lines of replies near their root, except the one at which unread messages begin. */
function hideNearRoots(lines: Message[], folds: Map<string, Fold>, breaks: string | null) {
  /** The row at which each root ends. */
  const roots = new Map<string, number>();
  let rows = 0;
  return lines.filter((line) => {
    const root = line.thread_id ? roots.get(line.thread_id) : undefined;
    if (root !== undefined && rows - root < SCREEN_ROWS && line.id !== breaks) {
      folds.delete(line.id);
      return false;
    }
    rows += folds.has(line.id) ? 1 : rowsOf(line);
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
type Folded = { id: string; count: number };

const keyOf = (userId: string, roomId: string) => `snug.pin.${userId}.${roomId}`;

/** Whether the line is collapsed on this device, until a newer pin is added. */
export function isPinFolded(storage: KeyValue, userId: string, room: MyRoom): boolean {
  const { id, pin_count: count, newest_pin: newest } = room;
  const json = storage.getItem(keyOf(userId, id));
  if (!json || !newest) return false;
  const folded = JSON.parse(json) as Folded;
  if (folded.id === newest.message_id) return true;
  // If the newest pin was removed, an older one becomes the newest, and stays collapsed.
  const isNewer = count >= folded.count;
  if (!isNewer) foldPin(storage, userId, room);
  return !isNewer;
}

/** Collapses the line of the newest pin in this browser, until a newer one is added. */
export function foldPin(storage: KeyValue, userId: string, room: MyRoom): void {
  const { id, pin_count: count, newest_pin: newest } = room;
  if (!newest) return;
  const folded: Folded = { id: newest.message_id, count };
  storeIfSpace(storage, keyOf(userId, id), JSON.stringify(folded));
}
