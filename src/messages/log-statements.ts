/**
 * Hand-written SQL: lists of rows, and lateral joins; catching up reads it most often
 * (`bench/restart.ts`).
 */
import type { SqlClient } from "../database/connect.ts";
import type { Span } from "../feed/feed-ends.ts";
import type { RoomEventType } from "../wire/events.ts";
import { embedsFor } from "./embed-statements.ts";
import { type EmbeddingRow, messageColumns } from "./statements.ts";

/** A row of a room's log. */
export type LogRow = {
  log_room_id: string;
  log_seq: number;
  /** A newer version may have written types that are not known here. */
  type: RoomEventType;
  message_id: string | null;
  user_id: string | null;
  actor_id: string | null;
  /** When the event happened; for a new message, its own time. */
  log_created_at: Date;
};

/** A row of a log with its message, whose columns are null where there is none. */
type LogEntryRow = LogRow & (EmbeddingRow | { id: null });

/**
 * Rows of rooms' logs after a number of each, each room's oldest first, up to a limit for each, with
 * messages in the form that everyone in the room shares.
 */
export function readLog(sql: SqlClient, spans: Span[], limit: number) {
  return sql<LogEntryRow[]>`
    select l.room_id as log_room_id, l.seq as log_seq, l.type, l.message_id, l.user_id, l.actor_id,
      l.created_at as log_created_at, ${messageColumns(sql)}, ${embedsFor(sql, null)}
    from unnest(
      ${spans.map((span) => span.roomId)}::uuid[], ${spans.map((span) => span.after)}::bigint[]
    ) as span(room_id, after)
    cross join lateral (
      select room_id, seq, type, message_id, user_id, actor_id, created_at from room_log
      where room_id = span.room_id and seq > span.after order by seq limit ${limit}
    ) l
    left join lateral (select * from messages where id = l.message_id limit 1) m on true
    left join lateral (select * from users where id = m.author_id limit 1) u on true
    order by l.room_id, l.seq`;
}
