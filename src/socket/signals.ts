import { countUnreadActivity } from "../activity/activity.ts";
import { readMe } from "../accounts/users.ts";
import type { MemberUpdates } from "../feed/member-updates.ts";
import type { Signal } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireDirect } from "../rooms/direct/read.ts";
import { requireRoom } from "../rooms/read.ts";
import { readTeam } from "../team/read.ts";
import type { Hub, SocketDeps } from "./hub.ts";
import type { Person } from "./socket.ts";
import { handleOwnSignal } from "./own-signals.ts";
import { readPositions, syncRooms } from "./memberships.ts";

/** Applies a signal to the sockets of this instance. */
export async function handleSignal(
  deps: SocketDeps,
  updates: MemberUpdates,
  signal: Signal,
): Promise<void> {
  const { database, hub, sender } = deps;
  switch (signal.kind) {
    case "typing":
      sender.broadcastToRoom({ type: "typing", room_id: signal.room_id, user_id: signal.user_id });
      return;
    case "member_updated":
      updates.add(signal.user_id, signal.room_id);
      return;
    case "sessions_ended":
      sender.closeSockets(signal.user_id, signal.session_ids ?? otherCredentialsOf(hub, signal));
      return;
    case "token_revoked":
      sender.closeSockets(signal.user_id, [signal.token_id]);
      return;
    case "room_deleted":
      hub.removeRoom(signal.room_id);
      return;
    case "keywords_changed":
      deps.keywords.forget();
      return;
    case "saved_changed":
    case "scheduled_changed":
    case "scheduled_failed":
    case "draft_changed":
      return handleOwnSignal(deps, signal);
    case "read": {
      const { room_id, mark } = signal;
      sender.sendToUser(signal.user_id, { type: "read", room_id, ...mark });
      return;
    }
    case "thread_read": {
      const { kind: _, user_id, ...mark } = signal;
      sender.sendToUser(user_id, { type: "thread_read", ...mark });
      return;
    }
    case "thread_follow": {
      const { kind: _, user_id, ...follow } = signal;
      sender.sendToUser(user_id, { type: "thread_follow", ...follow });
      return;
    }
    case "threads_followed":
      for (const [userId, thread_id, read_seq, replied_seq] of signal.follows) {
        sender.sendToUser(userId, {
          type: "thread_follow",
          thread_id,
          is_following: true,
          read_seq,
          replied_seq,
        });
      }
      return;
    case "team_updated":
      sender.sendToAll({ type: "team_updated", team: await readTeam(database.db) });
      return;
    case "me_updated":
      if (!hub.people.has(signal.user_id)) return;
      sender.sendToUser(signal.user_id, {
        type: "me_updated",
        user: await readMe(database.db, signal.user_id),
      });
      return;
    case "direct_added":
    case "direct_updated":
      deps.directs.forgetMembers(signal.room_id);
      return announceDirect(deps, signal.kind, signal.room_id, signal.user_ids);
    case "direct_left": {
      const { user_id, room_id, room_seq } = signal;
      deps.directs.forgetMembers(room_id);
      const person = hub.people.get(user_id);
      // If the room is open, its log brings this event too.
      if (person?.directs?.has(room_id)) return;
      if (person && hub.knowsLeft(person, room_id, room_seq)) return;
      sender.sendToUser(user_id, { type: "room_removed", room_id, room_seq });
      return;
    }
    case "activity_updated":
      if (!hub.people.has(signal.user_id)) return;
      sender.sendToUser(signal.user_id, {
        type: "activity_updated",
        unread: await countUnreadActivity(database.sql, signal.user_id),
      });
      return;
    case "membership_updated":
      return onMembershipUpdated(deps, signal.user_id, signal.room_id);
    case "room_added":
      await onRoomAdded(deps, signal.user_id, signal.room_id);
  }
}

/** The credentials of the user's sockets except one session; undefined without an exception: all. */
function otherCredentialsOf(hub: Hub, { user_id, except }: { user_id: string; except?: string }) {
  if (except === undefined) return undefined;
  const sockets = [...(hub.people.get(user_id)?.sockets ?? [])];
  return sockets.map(({ data }) => data.credentialId).filter((id) => id !== except);
}

async function onMembershipUpdated(
  deps: SocketDeps,
  userId: string,
  roomId: string,
): Promise<void> {
  const person = deps.hub.people.get(userId);
  if (person) await announceRooms(deps, person, [roomId], "membership_updated");
}

async function onRoomAdded(deps: SocketDeps, userId: string, roomId: string): Promise<void> {
  const { database, feed, hub } = deps;
  const person = hub.people.get(userId);
  if (!person) return;
  const granted = await syncRooms(feed, hub, person, () => readPositions(database.sql, person.id));
  await announceRooms(deps, person, [...new Set([roomId, ...granted])]);
}

/** Sends a conversation, as it is now, to the sockets of those of these people who are in it. */
async function announceDirect(
  { database, hub, sender }: SocketDeps,
  type: "direct_added" | "direct_updated",
  roomId: string,
  userIds: string[],
): Promise<void> {
  const here = userIds.filter((userId) => hub.people.has(userId));
  const announce = async (userId: string) => {
    try {
      sender.sendToUser(userId, {
        type,
        direct: await requireDirect(database.sql, userId, roomId),
      });
    } catch (error) {
      // The person has left it, or it was made a room, before it could be announced.
      if (!(error instanceof Refusal)) throw error;
    }
  };
  // Read with one statement.
  await Promise.all(here.map(announce));
}

/** Sends rooms, as they are now, to the sockets of a person who is still in them. */
export async function announceRooms(
  { database, sender }: SocketDeps,
  person: Person,
  roomIds: string[],
  type: "room_added" | "membership_updated" = "room_added",
): Promise<void> {
  for (const roomId of roomIds) {
    try {
      const room = await requireRoom(database.sql, person.id, roomId);
      if (room.membership && person.rooms.has(roomId)) sender.sendToUser(person.id, { type, room });
    } catch (error) {
      // The person was removed again, or the room deleted, before it could be announced.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
