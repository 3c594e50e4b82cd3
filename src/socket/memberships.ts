import type { HandSql } from "../database/connect.ts";
import type { Feed } from "../feed/feed.ts";
import type { Hub, Person } from "./hub.ts";

/**
 * Brings what the hub holds of a person's rooms to what the database says. Whoever subscribes a
 * socket does it in the same turn as this resolves: from then on the rooms' own logs, which are
 * followed, say who leaves.
 */
export async function syncRooms(sql: HandSql, feed: Feed, hub: Hub, person: Person): Promise<void> {
  const held = new Set<string>();
  for (;;) {
    const { evictions } = person;
    const rows = await sql<{ room_id: string }[]>`
      select room_id from memberships where user_id = ${person.id}`;
    const roomIds = rows.map((row) => row.room_id);
    const fresh = roomIds.filter((id) => !person.rooms.has(id) && !held.has(id));
    if (fresh.length > 0) {
      for (const id of fresh) held.add(id);
      // Followed first, then read again: a removal after that reading will be delivered.
      await feed.follow(fresh);
    } else if (person.evictions === evictions) {
      adopt(feed, hub, person, roomIds, held);
      return;
    }
  }
}

function adopt(feed: Feed, hub: Hub, person: Person, roomIds: string[], held: Set<string>): void {
  const gone = person.sockets.size === 0;
  for (const id of roomIds) {
    if (gone || person.rooms.has(id) || !held.delete(id)) continue;
    hub.grant(person, id);
  }
  feed.unfollow(held);
  const current = new Set(roomIds);
  for (const id of person.rooms) {
    if (!current.has(id)) hub.evict(person.id, id);
  }
}
