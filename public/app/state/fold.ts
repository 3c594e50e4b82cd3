import type { Message } from "../../../src/wire/models.ts";

/** Replies of one thread that are one line of the room's history. */
export type Fold = {
  replies: [Message, ...Message[]];
  /** The last number of the room's log before the next line: seeing this line reads up to there. */
  to: number;
};

export type Flow = {
  /** One message for each line: of a fold, its first reply. */
  lines: Message[];
  /** The folds by the id of their first reply. */
  folds: ReadonlyMap<string, Fold>;
};

/**
 * A room's messages as lines: between two messages that are no replies, those of one thread are one
 * line, at the place of the first of them, so that it does not move when more come.
 * @param breaks the id of a message with which a new line begins: the first unread one
 */
export function foldReplies(messages: Message[], breaks: string | null): Flow {
  const lines: Message[] = [];
  const folds = new Map<string, Fold>();
  /** The folds since the last message that is no reply, by their thread. */
  let open = new Map<string, Fold>();
  const close = () => {
    const all = [...open.values()];
    const end = Math.max(...all.flatMap(({ replies }) => replies.map(({ seq }) => seq)));
    // Each line ends where the next one begins, so that what was seen is counted without holes.
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
