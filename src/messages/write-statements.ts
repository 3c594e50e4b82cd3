/**
 * Hand-written SQL, because one statement locks, checks, numbers, inserts, logs and notifies for a
 * whole batch (`bench/accept.ts`); drizzle has no CTEs that write. Its text is in `write-text.ts`.
 */
import type { SqlClient } from "../database/connect.ts";
import type { Privacy, RoomKind } from "../wire/models.ts";
import type { Draft } from "./draft.ts";
import type { MessageRow } from "./statements.ts";
import type { RootRow } from "./threads/embeds.ts";
import { buildStatement, type StatementOptions } from "./write-text.ts";

/** What the database adds to a draft. */
export type WriteRow = Omit<MessageRow, keyof Draft | "seq"> & {
  /** Whether it embeds more than the thread that it is a reply in; undefined where nothing replies. */
  embeds_more?: boolean;
  thread_id?: string | null;
  /** In the first row: the threads of all replies of the batch. */
  threads?: RootRow[] | null;
  /** The same, where all replies go on in a thread that their author follows. */
  thread_texts?: (string | null)[][] | null;
  /** Null if the draft was not written. */
  seq: number | null;
  /** Why not; null if it was written. */
  refused: RefusedDraft | null;
};

export type RefusedDraft = {
  /** The session or token that it was posted with has not ended. */
  is_valid: boolean;
  is_member: boolean;
  /** An archived room, or a closed conversation. */
  is_read_only: boolean | null;
  /** Null if the room does not exist or could not be locked. */
  kind: RoomKind | null;
  privacy: Privacy | null;
  /** Another transaction has locked the room, and the statement did not wait. */
  is_locked: boolean;
  /** An earlier message with the same `client_id`. */
  repeated_id: string | null;
  /** Undefined where no draft of the batch has `@room` or `@here`. */
  may_broadcast?: boolean;
  /**
   * Why the draft is refused as a reply; null if it is not, undefined if no draft of the batch is a
   * reply.
   */
  thread?: "unknown" | "off" | null;
  /** The author does not follow the thread, so nothing of the batch was written. */
  begins?: boolean;
  /** Undefined where no draft of the batch quotes. */
  is_quote_known?: boolean;
};

/** Locks drafts' rooms as the statement that writes them does, but waits for those that are locked. */
export async function lockRooms(sql: SqlClient, drafts: Draft[]): Promise<void> {
  const roomIds = [...new Set(drafts.map((draft) => draft.room_id))];
  await sql`
    select from rooms where id = any(${roomIds}::uuid[]) order by id for no key update`;
}

/**
 * Writes drafts, with the parts of the statement that at least one of them needs.
 * @returns a row for each draft, in their order
 */
export function insertMessages(
  sql: SqlClient,
  instance: string,
  drafts: Draft[],
  options: StatementOptions,
): Promise<WriteRow[]> {
  const { text, columns } = buildStatement(drafts, options);
  const roomIds = [...new Set(drafts.map((draft) => draft.room_id))];
  const lists = columns.map(({ type, read }) => {
    const values = drafts.map(read);
    return type === "uuid" ? toUuidArray(values) : values;
  });
  return sql.unsafe<WriteRow[]>(text, [instance, toUuidArray(roomIds), ...lists], {
    prepare: true,
  });
}

/** PostgreSQL's form of a list. The driver's own way escapes each value, which ids do not need. */
function toUuidArray(ids: (string | null)[]): string {
  return `{${ids.map((id) => id ?? "null").join()}}`;
}
