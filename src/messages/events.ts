import type { Database, SqlClient } from "../database/connect.ts";
import type { Span } from "../feed/feed.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireMembership } from "../rooms/access.ts";
import type { toPins } from "../rooms/newest-pin.ts";
import { readRooms } from "../rooms/read.ts";
import type { RoomEvent, RoomEventType } from "../wire/events.ts";
import type { Message, Room } from "../wire/models.ts";
import type { ChangesQuery } from "../wire/queries.ts";
import { addExcerpts, type EmbedRow, embedsFor } from "./embeds.ts";
import { readRoomPins } from "./pin.ts";
import { rootThreadOf, toViewersMessage, type EmbeddingRow, messageColumns } from "./read.ts";

/**
 * Reads the events after a number in each room's log, each room's oldest first, as everyone in the room
 * sees them. The log stores no text: events show the current state, and those of a deleted message say
 * that it was deleted.
 * @param limit maximum number of events per room
 */
export async function readEvents(
  { db, sql }: Database,
  spans: Span[],
  limit: number,
): Promise<RoomEvent[]> {
  const rows = await readLog(sql, spans, limit);
  await addExcerpts(rows.map((row) => (row.id === null ? null : row.embeds)));
  const messages = new Map<string, Message>();
  for (const row of rows) {
    if (row.id === null || messages.has(row.id)) continue;
    messages.set(row.id, toViewersMessage(row, null));
  }
  const roomIdsOf = (type: RoomEventType) => [
    ...new Set(rows.filter((row) => row.type === type).map((row) => row.log_room_id)),
  ];
  const rooms = await readRooms(db, roomIdsOf("room_updated"));
  const pins = await readRoomPins(sql, roomIdsOf("pin"));
  return rows.flatMap((row) => {
    const message = messages.get(row.message_id ?? "");
    const { log_room_id: id } = row;
    return toEvent({ row, message, room: rooms.get(id), pins: pins.get(id) }) ?? [];
  });
}

/** A row of the log with the current state of the message, user or room it refers to. */
type Entry = {
  row: LogRow & { embeds?: EmbedRow | null };
  message: Message | undefined;
  room: Room | undefined;
  pins: ReturnType<typeof toPins> | undefined;
};
type Content<T extends RoomEventType> = Omit<
  Extract<RoomEvent, { type: T }>,
  "type" | "room_id" | "seq"
>;

/** Builds each type of event; undefined if its subject no longer exists. */
const READERS = {
  message: ({ row, message }) => message && { message, ...rootThreadOf(row.embeds) },
  message_update: ({ message }) => message && { message },
  message_delete: ({ row }) => ({ message_id: row.message_id ?? "" }),
  reaction: ({ message }) => message && { message_id: message.id, reactions: message.reactions },
  link_preview: ({ message }) => message && { message_id: message.id, preview: message.preview },
  pin: ({ row, message, pins }) =>
    pins && { message_id: row.message_id ?? "", pinned: message?.pinned ?? null, ...pins },
  thread: ({ message }) => message && { message_id: message.id, thread: message.thread },
  room_updated: ({ room }) => room && { room },
  member_added: ({ row }) => ({ user_id: row.user_id ?? "", actor_id: row.actor_id }),
  member_removed: ({ row }) => ({ user_id: row.user_id ?? "", actor_id: row.actor_id }),
} satisfies { [T in RoomEventType]: (entry: Entry) => Content<T> | undefined };

/** @returns null if the event's subject no longer exists */
function toEvent(entry: Entry): RoomEvent | null {
  const { type, log_room_id: room_id, log_seq: seq, message_id } = entry.row;
  const place = { room_id, seq };
  // A type of a newer version that uses the same database: it only advances the number (`NewerEvent`).
  if (!Object.hasOwn(READERS, type)) return { type, ...place } as RoomEvent;
  const content = READERS[type](entry);
  if (content) return { type, ...place, ...content } as RoomEvent;
  if (message_id === null) return null;
  // The room's last message may have been the deleted one.
  const at = type === "message" ? { created_at: entry.row.log_created_at.toISOString() } : {};
  return { type: "message_delete", ...place, message_id, ...at };
}

/**
 * Reads the events of a room after a number.
 * @returns the events, the last number, and whether there are more
 * @throws Refusal of `requireMembership`; `seq_gone` if that part of the log was pruned
 */
export async function readChanges(
  database: Database,
  viewerId: string,
  roomId: string,
  { after, limit }: ChangesQuery,
) {
  const { last_seq: lastSeq } = await requireMembership(database.sql, viewerId, roomId, "member");
  const items = await readEvents(database, [{ roomId, after }], limit);
  if (isGone(items, after, lastSeq)) {
    const detail = "That far back the log is no longer kept. Load the room afresh.";
    throw new Refusal("seq_gone", detail);
  }
  const seq = items.at(-1)?.seq ?? Math.max(after, 0);
  return { items, seq, has_more: seq < lastSeq };
}

/**
 * Whether the log does not continue directly after a number, because it was pruned or never reached the
 * number.
 */
function isGone(events: RoomEvent[], after: number, lastSeq: number): boolean {
  if (after > lastSeq) return true;
  return after < lastSeq && events[0]?.seq !== after + 1;
}

type LogRow = {
  log_room_id: string;
  log_seq: number;
  /** May be a type of a newer version. */
  type: RoomEventType;
  message_id: string | null;
  user_id: string | null;
  actor_id: string | null;
  /** The time of the event; for a new message, the message's time. */
  log_created_at: Date;
};

/** A row of a log with its message; the message's columns are null if the row has no message. */
type LogEntryRow = LogRow & (EmbeddingRow | { id: null });

/**
 * Reads rows of rooms' logs after a number, each room's oldest first, up to a limit per room, with
 * messages in the form that everyone in the room shares.
 */
function readLog(sql: SqlClient, spans: Span[], limit: number) {
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
