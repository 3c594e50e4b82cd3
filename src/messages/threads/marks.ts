import type { threadFollows, threads } from "../../database/schema.ts";

/**
 * Up to where someone has read a thread `t`, by their row `f`. A reply moves its author's mark, but
 * most replies do not write the author's row: the thread has their numbers, and the later of both counts.
 * A mark that was moved since then has seen the reply, which its `replied_seq` says.
 */

const OWN_SEQ = "(t.replied_seqs -> f.user_id::text)::bigint";

/** SQL, of a thread `t` and its reader's row `f`. */
export const READ_SEQ = `(case when ${OWN_SEQ} > f.replied_seq then greatest(f.read_seq, ${OWN_SEQ})
  else f.read_seq end)`;

/** The last own reply that the mark has seen. */
export const REPLIED_SEQ = `greatest(f.replied_seq, ${OWN_SEQ})`;

/** The numbers that a thread holds take at most this many bytes, which is about ten people. */
export const MAX_REPLIED_SEQS_BYTES = 600;

type ThreadRow = Pick<typeof threads.$inferSelect, "repliedSeqs">;
type FollowedRow = Pick<typeof threadFollows.$inferSelect, "readSeq" | "repliedSeq">;

/** The same of rows that were read. */
export function markOf(userId: string, { repliedSeqs }: ThreadRow, row: FollowedRow | undefined) {
  const { readSeq, repliedSeq } = row ?? { readSeq: 0, repliedSeq: 0 };
  const own = repliedSeqs[userId] ?? 0;
  if (own <= repliedSeq) return { read_seq: readSeq, replied_seq: repliedSeq };
  return { read_seq: Math.max(readSeq, own), replied_seq: own };
}
