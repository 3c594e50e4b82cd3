import type { Message, MyRoom } from "../../../../src/wire/models.ts";
import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

/** Replies of one thread that are shown as one line of the room's history. */
export type Fold = {
  replies: [Message, ...Message[]];
  /**
   * The last number of the room's log before the next line: a reader who has seen this line has
   * read up to there.
   */
  to: number;
};

export type Flow = {
  /** One message for each line: of a fold, its first reply. */
  lines: Message[];
  /** The folds by the id of their first reply. */
  folds: ReadonlyMap<string, Fold>;
};

/**
 * A room's messages as lines. Between two messages that are not replies, all replies of one thread
 * are one line, at the place of the first of them, so that the line does not move when more arrive.
 * @param breaks the id of a message with which a new line begins: the first unread one
 */
export function foldReplies(messages: Message[], breaks: string | null): Flow {
  const lines: Message[] = [];
  const folds = new Map<string, Fold>();
  /** The folds since the last message that is not a reply, by their thread. */
  let open = new Map<string, Fold>();
  const close = () => {
    const all = [...open.values()];
    const end = Math.max(...all.flatMap(({ replies }) => replies.map(({ seq }) => seq)));
    // Each line ends where the next one begins, so that no number is missing between them.
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
  return { lines, folds };
}

/** The newest pin when the line under a room's head was folded, and how many there were. */
type Folded = { id: string; count: number };

const keyOf = (userId: string, roomId: string) => `snug.pin.${userId}.${roomId}`;

/** Whether the line is folded on this device: until a newer pin than the folded one. */
export function isPinFolded(storage: KeyValue, userId: string, room: MyRoom): boolean {
  const { id, pin_count: count, newest_pin: newest } = room;
  const json = storage.getItem(keyOf(userId, id));
  if (!json || !newest) return false;
  const folded = JSON.parse(json) as Folded;
  if (folded.id === newest.message_id) return true;
  // If the newest pin was removed, an older one is the newest again: it stays folded.
  const isNewer = count >= folded.count;
  if (!isNewer) foldPin(storage, userId, room);
  return !isNewer;
}

/** Folds the line of the newest pin away in this browser, until a newer one is pinned. */
export function foldPin(storage: KeyValue, userId: string, room: MyRoom): void {
  const { id, pin_count: count, newest_pin: newest } = room;
  if (!newest) return;
  const folded: Folded = { id: newest.message_id, count };
  keepIfSpace(storage, keyOf(userId, id), JSON.stringify(folded));
}
