import { and, eq, lte, sql } from "drizzle-orm";
import { toUser, userColumns } from "../../users/users.ts";
import type { Database, Query } from "../../database/connect.ts";
import { messages, roomLog, rooms, users } from "../../database/schema.ts";
import { readEvents } from "../../messages/events.ts";
import { type RoomEvent, type RoomEventType, webhookEventOf } from "../../wire/events.ts";
import { MAX_DELIVERY_BYTES, MAX_DELIVERY_REACTORS } from "../../wire/limits.ts";
import type { Message, Reaction, User } from "../../wire/models.ts";
import type { WebhookEvent, WebhookPayload } from "../../wire/webhooks.ts";

type LogEntry = { seq: number; type: RoomEventType; createdAt: Date };
type EventPayload = { seq: number; event: WebhookEvent; body: string };

/**
 * Builds the payloads of log entries, in order. A payload has the current content, as every member
 * of the room may see it.
 * @param entries consecutive, without a gap
 * @param eventTypes the events to which the webhook is subscribed
 */
export async function buildPayloads(
  database: Database,
  roomId: string,
  entries: LogEntry[],
  eventTypes: WebhookEvent[],
): Promise<EventPayload[]> {
  const isWanted = (type: RoomEventType) =>
    eventTypes.some((event) => event === webhookEventOf(type));
  const first = entries[0];
  if (!first || !entries.some(({ type }) => isWanted(type))) return [];
  const span = { roomId, after: first.seq - 1 };
  const allEvents = await readEvents(database, [span], entries.length);
  const events = await hideConversation(database.db, roomId, allEvents);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const room = await readRoomName(database.db, roomId);
  const people = await readPeople(database.db, events);
  return entries.flatMap(({ seq, type, createdAt }) => {
    const event = bySeq.get(seq);
    const name = webhookEventOf(type);
    // Entries of a deleted message are left out; the deletion has its own entry.
    if (!room || !name || event?.type !== type || !isWanted(type)) return [];
    const data = buildData(event, room, people);
    if (!data) return [];
    const payload = { type: name, data } as WebhookPayload;
    return { seq, event: name, body: serializePayload(payload, createdAt) };
  });
}

/**
 * Serializes a payload for signing and sending. Above `MAX_DELIVERY_BYTES` each reaction lists only
 * its first users; nothing else grows with the size of a room.
 */
export function serializePayload(
  { type, data }: Pick<WebhookPayload, "type" | "data">,
  at: Date,
): string {
  const timestamp = at.toISOString();
  const body = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(body) <= MAX_DELIVERY_BYTES) return body;
  return JSON.stringify({ type, timestamp, data }, (key, value) =>
    key === "reactions" ? value.map(shortenReaction) : value,
  );
}

function shortenReaction(reaction: Reaction): Reaction {
  return { ...reaction, user_ids: reaction.user_ids.slice(0, MAX_DELIVERY_REACTORS) };
}

type RoomName = { id: string; name: string };

/** Adds the room's name, and a user instead of an id; null if the user does not exist. */
function buildData(event: RoomEvent, room: RoomName, people: Map<string, User>): object | null {
  const { type: _, room_id: __, seq: ___, ...rest } = event;
  if (!("user_id" in rest)) return { room, ...rest };
  const { user_id, ...details } = rest;
  const user = people.get(user_id);
  return user ? { room, user, ...details } : null;
}

/** Reads a room's name for payloads; null for a conversation, or if the room does not exist. */
export async function readRoomName(tx: Query, roomId: string): Promise<RoomName | null> {
  const [room] = await tx
    .select({ id: rooms.id, name: sql<string>`${rooms.name}` })
    .from(rooms)
    .where(and(eq(rooms.id, roomId), eq(rooms.kind, "room")));
  return room ?? null;
}

/** Reads the users who joined or left. */
async function readPeople(tx: Query, events: RoomEvent[]): Promise<Map<string, User>> {
  const ids = events.flatMap((event) => ("user_id" in event ? event.user_id : []));
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select(userColumns)
    .from(users)
    .where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

/** A delivery. `seq` is the number of its event in the room's log, null for a test. */
type StoredDelivery = { roomId: string; seq: number | null; event: string; body: string };

/**
 * Builds a delivery's body with the current content: an attempt may come hours after the event, and
 * the message may have been edited or deleted since.
 * @returns null if the content was deleted
 */
export async function readPresentBody(
  database: Database,
  { roomId, seq, event, body }: StoredDelivery,
): Promise<string | null> {
  // A test contains only the room's name.
  if (seq === null) return body;
  const entries = await database.db
    .select({ seq: roomLog.seq, type: roomLog.type, createdAt: roomLog.createdAt })
    .from(roomLog)
    .where(and(eq(roomLog.roomId, roomId), eq(roomLog.seq, seq)));
  const [payload] = await buildPayloads(database, roomId, entries, [event as WebhookEvent]);
  return payload?.body ?? null;
}

/** Reduces a body to the event, its time and the room. */
export function removeContent(body: string): string {
  const { type, timestamp, data } = JSON.parse(body);
  return JSON.stringify({ type, timestamp, data: { room: data.room } });
}

/** Leaves out messages from before the room's conversion, and excerpts of them. */
async function hideConversation(
  db: Query,
  roomId: string,
  events: RoomEvent[],
): Promise<RoomEvent[]> {
  const [room] = await db
    .select({ untilSeq: rooms.privateUntilSeq })
    .from(rooms)
    .where(eq(rooms.id, roomId));
  const untilSeq = room?.untilSeq ?? null;
  if (untilSeq === null) return events;
  const later = events.filter((event) => !("message" in event) || event.message.seq > untilSeq);
  const ids = later.flatMap((event) =>
    "message" in event
      ? [event.message.quote, event.message.root].flatMap((message) => message?.id ?? [])
      : "message_id" in event
        ? [event.message_id]
        : [],
  );
  const rows = await db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.id} = any(${sql.param(ids)}::uuid[])`, lte(messages.seq, untilSeq)));
  const earlier = new Set(rows.map(({ id }) => id));
  return later.flatMap((event) => {
    if ("message" in event) {
      return { ...event, message: withoutExcerpts(event.message, earlier) };
    }
    return "message_id" in event && earlier.has(event.message_id) ? [] : event;
  });
}

function withoutExcerpts(message: Message, ids: ReadonlySet<string>): Message {
  const hide = <T extends Message["quote"] | Message["root"]>(related: T): T =>
    related && ids.has(related.id) && "excerpt" in related
      ? { ...related, excerpt: null }
      : related;
  return { ...message, quote: hide(message.quote), root: hide(message.root) };
}
