import type { Message } from "../../../../src/wire/models.ts";

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
