import { readValidCredentials } from "../accounts/credentials.ts";
import { noteUse } from "../accounts/tokens.ts";
import { readMe } from "../accounts/users.ts";
import type { MemberUpdates } from "../feed/member-updates.ts";
import type { Signal } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { getRoom } from "../rooms/read.ts";
import type { SocketDeps } from "./handle.ts";
import type { Hub } from "./hub.ts";
import { roomsOf, syncRooms } from "./memberships.ts";

/** Does what a signal means for the sockets here. */
export async function onSignal(
  deps: SocketDeps,
  updates: MemberUpdates,
  signal: Signal,
): Promise<void> {
  const { database, hub } = deps;
  switch (signal.kind) {
    case "typing":
      hub.toRoom({ type: "typing", room_id: signal.room_id, user_id: signal.user_id });
      return;
    case "member_updated":
      updates.add(signal.user_id, signal.room_id);
      return;
    case "sessions_ended":
      hub.signOut(signal.user_id, signal.session_ids ?? othersOf(hub, signal));
      return;
    case "token_revoked":
      hub.signOut(signal.user_id, [signal.token_id]);
      return;
    case "room_deleted":
      hub.roomGone(signal.room_id);
      return;
    case "read": {
      const { room_id, last_read_at } = signal;
      hub.toUser(signal.user_id, { type: "read", room_id, last_read_at });
      return;
    }
    case "me_updated":
      if (!hub.people.has(signal.user_id)) return;
      hub.toUser(signal.user_id, {
        type: "me_updated",
        user: await readMe(database.db, signal.user_id),
      });
      return;
    case "room_added":
      await onRoomAdded(deps, signal.user_id, signal.room_id);
  }
}

/** What the user's sockets here belong to, but for the session that goes on; undefined: all of it. */
function othersOf(hub: Hub, { user_id, except }: { user_id: string; except?: string }) {
  if (except === undefined) return undefined;
  const sockets = [...(hub.people.get(user_id)?.sockets ?? [])];
  return sockets.map(({ data }) => data.credentialId).filter((id) => id !== except);
}

async function onRoomAdded(deps: SocketDeps, userId: string, roomId: string): Promise<void> {
  const { database, feed, hub } = deps;
  const person = hub.people.get(userId);
  if (!person) return;
  await syncRooms(feed, hub, person, roomsOf(database.sql, person.id));
  try {
    const room = await getRoom(database.db, userId, roomId);
    if (person.rooms.has(roomId)) hub.toUser(userId, { type: "room_added", room });
  } catch (error) {
    // Removed again, or the room deleted, before it could be told.
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * Compares what the hub holds with the database: signals can be lost while LISTEN is down.
 * One query for all that sockets stand on and one for all memberships, whatever their number.
 */
export async function reconcile(deps: SocketDeps): Promise<void> {
  const { database, feed, hub } = deps;
  const people = [...hub.people.values()];
  if (people.length === 0) return;
  const sockets = people.flatMap((person) => [...person.sockets]);
  const credentialIds = [...new Set(sockets.map((socket) => socket.data.credentialId))];
  const valid = await readValidCredentials(database.sql, credentialIds);
  const inUse = new Set<string>();
  for (const { data } of sockets) {
    if (!valid.has(data.credentialId)) hub.signOut(data.userId, [data.credentialId]);
    else if (data.bot) inUse.add(data.credentialId);
  }
  // A bot that only listens uses its token all the same.
  noteUse(database.sql, [...inUse]);
  const rows = await database.sql<{ user_id: string; rooms: string[] }[]>`
    select user_id, array_agg(room_id) as rooms from memberships
    where user_id = any(${people.map((person) => person.id)}::uuid[]) group by user_id`;
  const rooms = new Map(rows.map((row) => [row.user_id, new Set(row.rooms)]));
  for (const person of people) {
    const current = rooms.get(person.id) ?? new Set();
    if (current.symmetricDifference(person.rooms).size > 0) {
      await syncRooms(feed, hub, person, roomsOf(database.sql, person.id));
    }
  }
}
