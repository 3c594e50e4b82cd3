/** Hand-written for `width_bucket` and window functions, which drizzle does not support. */
import type { SqlClient } from "../database/connect.ts";
import { userFields, type UserFields } from "../users/users.ts";

/** The range of a room's log that a page of history covers; its messages divide it. */
type JoinsRange = {
  roomId: string;
  /** The number before the range, or the message that has it. */
  after: number | { id: string };
  /** The number after the range, or the message that has it. */
  before: number | { id: string };
  /** The numbers of the messages, ascending. */
  seqs: number[];
};

type JoinRow = UserFields & {
  id: string;
  first_seq: number;
  last_seq: number;
  count: number;
};

/** How many people of a run are listed: clients name all of them, or two and a count. */
const MAX_NAMED = 3;
/** Only the newest joins of a range are read, so that a page of any room is read in milliseconds. */
const MAX_JOINS = 1_000;
/** The first entry of a log is the membership of the room's creator. */
const CREATED_SEQ = 1;

/** Reads who joined, a row for each named person of each run, in the order of the log. */
export function readJoinRows(sql: SqlClient, { roomId, after, before, seqs }: JoinsRange) {
  const seqOf = (end: number | { id: string }) =>
    typeof end === "number"
      ? sql`${end}::bigint`
      : sql`(select seq from messages where id = ${end.id} and room_id = ${roomId})`;
  return sql<JoinRow[]>`
    with joined as (
      select seq, user_id, width_bucket(seq, ${seqs}::bigint[]) as gap from room_log
      where room_id = ${roomId} and type = 'member_added'
        and seq > greatest(${seqOf(after)}, ${CREATED_SEQ}::bigint) and seq < ${seqOf(before)}
      order by seq desc limit ${MAX_JOINS}
    ), run as (
      select seq, user_id, row_number() over (partition by gap order by seq) as place,
        min(seq) over (partition by gap) as first_seq, max(seq) over (partition by gap) as last_seq,
        (count(*) over (partition by gap))::int as count
      from joined
    )
    select u.id, ${sql.unsafe(userFields("u"))}, run.first_seq, run.last_seq, run.count
    from run join users u on u.id = run.user_id
    where run.place <= ${MAX_NAMED}
    order by run.seq`;
}
