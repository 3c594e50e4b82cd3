import { inArray } from "drizzle-orm";
import { toUser, userColumns } from "../../accounts/users.ts";
import type { Database, Query } from "../../database/connect.ts";
import { rooms, users } from "../../database/schema.ts";
import { readEvents } from "../../messages/events.ts";
import { type RoomEvent, type RoomEventType, webhookEventOf } from "../../wire/events.ts";
import type { User } from "../../wire/models.ts";
import type { WebhookEvent, WebhookPayload } from "../../wire/outgoing-webhooks.ts";

/** An entry of a room's log: what it is, and when it happened. */
export type Entry = { seq: number; type: RoomEventType; created_at: Date };
/** What is to be sent of an entry. */
export type Body = { seq: number; event: WebhookEvent; body: string };

/**
 * The bodies that a webhook is to get of entries of a room's log, in their order. They say what is
 * true now, in the form that all in the room may see.
 * @param entries one after the other, without a gap
 * @param wanted the events that the webhook asks for
 */
export async function makeBodies(
  database: Database,
  roomId: string,
  entries: Entry[],
  wanted: WebhookEvent[],
): Promise<Body[]> {
  const isWanted = (type: RoomEventType) => wanted.some((event) => event === webhookEventOf(type));
  const first = entries[0];
  if (!first || !entries.some(({ type }) => isWanted(type))) return [];
  const span = { roomId, after: first.seq - 1 };
  const events = await readEvents(database, [span], entries.length);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const room = await readName(database.db, roomId);
  const people = await readPeople(database.db, events);
  return entries.flatMap(({ seq, type, created_at }) => {
    const event = bySeq.get(seq);
    const name = webhookEventOf(type);
    // What a deleted message once was is left out: its deletion has an entry of its own.
    if (!room || !name || event?.type !== type || !isWanted(type)) return [];
    const data = dataOf(event, room, people);
    if (!data) return [];
    return { seq, event: name, body: bodyOf({ type: name, data }, created_at) };
  });
}

/** A body as it is signed and sent. */
export function bodyOf({ type, data }: Pick<WebhookPayload, "type" | "data">, at: Date): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

type Name = { id: string; name: string };

/** The event itself, with the room's name, and the user in place of an id; null if the user is gone. */
function dataOf(event: RoomEvent, room: Name, people: Map<string, User>): object | null {
  const { type: _, room_id: __, seq: ___, ...rest } = event;
  if (!("user_id" in rest)) return { room, ...rest };
  const { user_id, ...more } = rest;
  const user = people.get(user_id);
  return user ? { room, user, ...more } : null;
}

/** A room as a body names it; null where it is gone. */
export async function readName(tx: Query, roomId: string): Promise<Name | null> {
  const [room] = await tx
    .select({ id: rooms.id, name: rooms.name })
    .from(rooms)
    .where(inArray(rooms.id, [roomId]));
  return room ?? null;
}

/** Those whom events say to have come or gone. */
async function readPeople(tx: Query, events: RoomEvent[]): Promise<Map<string, User>> {
  const ids = events.flatMap((event) => ("user_id" in event ? event.user_id : []));
  if (ids.length === 0) return new Map();
  const found = await tx.select(userColumns).from(users).where(inArray(users.id, ids));
  return new Map(found.map((row) => [row.id, toUser(row)]));
}
