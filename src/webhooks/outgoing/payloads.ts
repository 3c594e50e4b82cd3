import { and, eq, inArray, sql } from "drizzle-orm";
import { toUser, userColumns } from "../../accounts/users.ts";
import type { Database, Query } from "../../database/connect.ts";
import { rooms, users } from "../../database/schema.ts";
import { readEvents } from "../../messages/events.ts";
import { type RoomEvent, type RoomEventType, webhookEventOf } from "../../wire/events.ts";
import { MAX_DELIVERY_BYTES, MAX_DELIVERY_REACTORS } from "../../wire/limits.ts";
import type { Reaction, User } from "../../wire/models.ts";
import type { WebhookEvent, WebhookPayload } from "../../wire/outgoing-webhooks.ts";

/** An entry of a room's log: what it is, and when it happened. */
export type LogEntry = { seq: number; type: RoomEventType; createdAt: Date };
/** The delivery of an entry. */
type EventPayload = { seq: number; event: WebhookEvent; body: string };

/**
 * Builds what a webhook gets of entries of a room's log, in their order. A payload says what is true
 * now, in the form that everyone in the room may see.
 * @param entries consecutive, without a gap
 * @param wanted the events that the webhook asks for
 */
export async function buildPayloads(
  database: Database,
  roomId: string,
  entries: LogEntry[],
  wanted: WebhookEvent[],
): Promise<EventPayload[]> {
  const isWanted = (type: RoomEventType) => wanted.some((event) => event === webhookEventOf(type));
  const first = entries[0];
  if (!first || !entries.some(({ type }) => isWanted(type))) return [];
  const span = { roomId, after: first.seq - 1 };
  const events = await readEvents(database, [span], entries.length);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const room = await readRoomName(database.db, roomId);
  const people = await readPeople(database.db, events);
  return entries.flatMap(({ seq, type, createdAt }) => {
    const event = bySeq.get(seq);
    const name = webhookEventOf(type);
    // Entries of a message that is deleted by now are left out; its deletion has an entry of its own.
    if (!room || !name || event?.type !== type || !isWanted(type)) return [];
    const data = buildData(event, room, people);
    if (!data) return [];
    const payload = { type: name, data } as WebhookPayload;
    return { seq, event: name, body: serializePayload(payload, createdAt) };
  });
}

/**
 * A payload as it is signed and sent. In one that is larger than `MAX_DELIVERY_BYTES` each reaction
 * lists only the first of its people; nothing else in a payload grows with the size of a room.
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

/** The event itself, with the room's name, and the user in place of an id; null if the user is gone. */
function buildData(event: RoomEvent, room: RoomName, people: Map<string, User>): object | null {
  const { type: _, room_id: __, seq: ___, ...rest } = event;
  if (!("user_id" in rest)) return { room, ...rest };
  const { user_id, ...more } = rest;
  const user = people.get(user_id);
  return user ? { room, user, ...more } : null;
}

/** A room as payloads name it; null if it is gone. */
export async function readRoomName(tx: Query, roomId: string): Promise<RoomName | null> {
  const [room] = await tx
    .select({ id: rooms.id, name: sql<string>`${rooms.name}` })
    .from(rooms)
    .where(and(eq(rooms.id, roomId), eq(rooms.kind, "room")));
  return room ?? null;
}

/** The people who joined or left in these events. */
async function readPeople(tx: Query, events: RoomEvent[]): Promise<Map<string, User>> {
  const ids = events.flatMap((event) => ("user_id" in event ? event.user_id : []));
  if (ids.length === 0) return new Map();
  const found = await tx.select(userColumns).from(users).where(inArray(users.id, ids));
  return new Map(found.map((row) => [row.id, toUser(row)]));
}
