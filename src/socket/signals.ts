import { countUnreadActivity } from "../activity/activity.ts";
import { readDraftCopy } from "../drafts/drafts.ts";
import { readMe } from "../users/users.ts";
import type { MemberUpdates } from "../feed/member-updates.ts";
import type { Signal } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireDirect } from "../rooms/direct/read.ts";
import { requireRoom } from "../rooms/read.ts";
import { findSaved } from "../saved-messages/saved-messages.ts";
import { readScheduledByIds } from "../scheduled-messages/scheduled-messages.ts";
import type { ConnectionRegistry } from "./connection-registry.ts";
import type { SocketDeps } from "./deps.ts";
import { readPositions, syncRooms } from "./memberships.ts";
import type { Person } from "./socket.ts";
import { readTeam } from "../team/read.ts";

/** Applies a signal to the sockets of this instance. */
export async function handleSignal(
  deps: SocketDeps,
  updates: MemberUpdates,
  signal: Signal,
): Promise<void> {
  const { database, connections, broadcaster } = deps;
  switch (signal.kind) {
    case "typing":
      broadcaster.broadcastToRoom({
        type: "typing",
        room_id: signal.room_id,
        user_id: signal.user_id,
      });
      return;
    case "member_updated":
      updates.add(signal.user_id, signal.room_id);
      return;
    case "sessions_ended":
      broadcaster.closeSockets(
        signal.user_id,
        signal.session_ids ?? otherCredentialsOf(connections, signal),
      );
      return;
    case "token_revoked":
      broadcaster.closeSockets(signal.user_id, [signal.token_id]);
      return;
    case "room_deleted":
      connections.removeRoom(signal.room_id);
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
      broadcaster.sendToUser(signal.user_id, { type: "read", room_id, ...mark });
      return;
    }
    case "sections_updated": {
      const { user_id, version } = signal;
      broadcaster.sendToUser(user_id, { type: "sections_updated", version });
      return;
    }
    case "thread_read": {
      const { kind: _, user_id, ...mark } = signal;
      broadcaster.sendToUser(user_id, { type: "thread_read", ...mark });
      return;
    }
    case "thread_follow": {
      const { kind: _, user_id, ...follow } = signal;
      broadcaster.sendToUser(user_id, { type: "thread_follow", ...follow });
      return;
    }
    case "threads_followed":
      for (const [userId, thread_id, read_seq, replied_seq] of signal.follows) {
        broadcaster.sendToUser(userId, {
          type: "thread_follow",
          thread_id,
          is_following: true,
          read_seq,
          replied_seq,
        });
      }
      return;
    case "team_updated":
      broadcaster.sendToAll({ type: "team_updated", team: await readTeam(database.db) });
      return;
    case "me_updated":
      if (!connections.people.has(signal.user_id)) return;
      broadcaster.sendToUser(signal.user_id, {
        type: "me_updated",
        user: await readMe(database.db, signal.user_id),
      });
      return;
    case "direct_added":
    case "direct_updated":
      return announceDirect(deps, signal.kind, signal.room_id, signal.user_ids);
    case "direct_left": {
      const { user_id, room_id, room_seq } = signal;
      const person = connections.people.get(user_id);
      // The log of a followed conversation brings the removal.
      if (person?.rooms.has(room_id)) return;
      if (person && connections.wasRemoved(person, room_id, room_seq)) return;
      broadcaster.sendToUser(user_id, { type: "room_removed", room_id, room_seq });
      return;
    }
    case "activity_updated":
      if (!connections.people.has(signal.user_id)) return;
      broadcaster.sendToUser(signal.user_id, {
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

/** @returns the credentials of the user's sockets, except one session; undefined, for all, if there is no exception */
function otherCredentialsOf(
  connections: ConnectionRegistry,
  { user_id, except }: { user_id: string; except?: string },
) {
  if (except === undefined) return undefined;
  const sockets = [...(connections.people.get(user_id)?.sockets ?? [])];
  return sockets.map(({ data }) => data.credentialId).filter((id) => id !== except);
}

async function onMembershipUpdated(
  deps: SocketDeps,
  userId: string,
  roomId: string,
): Promise<void> {
  const person = deps.connections.people.get(userId);
  if (person) await announceRooms(deps, person, [roomId], "membership_updated");
}

async function onRoomAdded(deps: SocketDeps, userId: string, roomId: string): Promise<void> {
  const { database, feed, connections, broadcaster } = deps;
  const person = connections.people.get(userId);
  if (!person) return;
  const grantedRoomIds = await syncRooms(feed, connections, person, () =>
    readPositions(database.sql, person.id),
  );
  if (!person.rooms.has(roomId)) {
    // The person was removed before the room was followed, but the client may have loaded it meanwhile.
    broadcaster.sendToUser(userId, { type: "room_removed", room_id: roomId, room_seq: null });
  }
  await announceRooms(deps, person, [...new Set([roomId, ...grantedRoomIds])]);
}

/** Sends a conversation, as it is now, to the sockets of those of these people who are in it. */
async function announceDirect(
  { database, connections, broadcaster }: SocketDeps,
  type: "direct_added" | "direct_updated",
  roomId: string,
  userIds: string[],
): Promise<void> {
  const connectedIds = userIds.filter((userId) => connections.people.has(userId));
  const announce = async (userId: string) => {
    try {
      broadcaster.sendToUser(userId, {
        type,
        direct: await requireDirect(database.sql, userId, roomId),
      });
    } catch (error) {
      // The person has left it, or it was made a room, before it could be announced.
      if (!(error instanceof Refusal)) throw error;
    }
  };
  // Concurrent reads share one statement.
  await Promise.all(connectedIds.map(announce));
}

/** Sends rooms, as they are now, to the sockets of a person who is still in them. */
export async function announceRooms(
  { database, broadcaster }: SocketDeps,
  person: Person,
  roomIds: string[],
  type: "room_added" | "membership_updated" = "room_added",
): Promise<void> {
  for (const roomId of roomIds) {
    try {
      const room = await requireRoom(database.sql, person.id, roomId);
      if (room.membership && person.rooms.has(roomId))
        broadcaster.sendToUser(person.id, { type, room });
    } catch (error) {
      // The person was removed again, or the room deleted, before it could be announced.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

type OwnKind = "saved_changed" | "scheduled_changed" | "scheduled_failed" | "draft_changed";
/** A change of someone's saved messages, scheduled messages or drafts. */
type OwnSignal = Extract<Signal, { kind: OwnKind }>;

/** Sends the current saved message, scheduled message or draft to its owner's sockets. */
async function handleOwnSignal(
  { database, broadcaster }: Pick<SocketDeps, "database" | "broadcaster">,
  signal: OwnSignal,
): Promise<void> {
  const { user_id } = signal;
  if (!broadcaster.people.has(user_id)) return;
  switch (signal.kind) {
    case "saved_changed": {
      const { message_id } = signal;
      const saved = await findSaved(database.sql, user_id, message_id);
      broadcaster.sendToUser(user_id, { type: "saved", message_id, saved });
      return;
    }
    case "scheduled_changed": {
      const scheduledById = await readScheduledByIds(database.sql, user_id, signal.ids);
      for (const id of signal.ids) {
        broadcaster.sendToUser(user_id, {
          type: "scheduled",
          id,
          scheduled: scheduledById.get(id) ?? null,
        });
      }
      return;
    }
    case "scheduled_failed": {
      const { id, code } = signal;
      broadcaster.sendToUser(user_id, { type: "scheduled_failed", id, code });
      return;
    }
    case "draft_changed": {
      const location = { userId: user_id, roomId: signal.room_id, threadId: signal.thread_id };
      const draft = await readDraftCopy(database.sql, location);
      broadcaster.sendToUser(user_id, { type: "draft", ...draft });
    }
  }
}
