import { countUnreadActivity } from "../activity/activity.ts";
import { readDraftCopy } from "../drafts/drafts.ts";
import { readMe } from "../users/users.ts";
import type { MemberUpdates } from "../feed/member-updates.ts";
import type { Signal } from "../feed/signals.ts";
import { Refusal } from "../platform/refusal.ts";
import { requireDirect, requireRoom } from "../rooms/viewers-rooms.ts";
import { findSavedMessage } from "../saved-messages/saved-messages.ts";
import { readScheduledByIds } from "../scheduled-messages/scheduled-messages.ts";
import type { UserEvent } from "../wire/events.ts";
import type { SocketDeps } from "./deps.ts";
import { syncRooms } from "./memberships.ts";
import type { Person } from "./socket.ts";
import { readTeam } from "../team/read.ts";

type SharedKind =
  | "typing"
  | "member_updated"
  | "room_deleted"
  | "keywords_changed"
  | "team_updated"
  | "threads_followed"
  | "direct_added"
  | "direct_updated";
/** A signal for the sockets of one person. */
type OwnSignal = Exclude<Signal, { kind: SharedKind }>;

/**
 * What is read and sent without a number: the last event counts, so it must be of the last change.
 */
const UNNUMBERED = new Set<Signal["kind"]>([
  "saved_changed",
  "scheduled_changed",
  "activity_updated",
]);

export async function handleSignal(
  deps: SocketDeps,
  updates: Pick<MemberUpdates, "add" | "publishCount">,
  signal: Signal,
): Promise<void> {
  const { database, connections, broadcaster } = deps;
  switch (signal.kind) {
    case "typing": {
      const { room_id, user_id } = signal;
      return broadcaster.broadcastToRoom({ type: "typing", room_id, user_id });
    }
    case "member_updated":
      return updates.add(signal.user_id, signal.room_id, signal.is_status);
    case "room_deleted":
      return connections.removeRoom(signal.room_id);
    case "keywords_changed":
      return deps.keywords.forget();
    case "team_updated":
      return broadcaster.sendToAll({ type: "team_updated", team: await readTeam(database.db) });
    case "threads_followed":
      for (const [userId, thread_id, read_seq, replied_seq] of signal.follows) {
        const follow = { thread_id, is_following: true, read_seq, replied_seq };
        broadcaster.sendToUser(userId, { type: "thread_follow", ...follow });
      }
      return;
    case "direct_added":
    case "direct_updated":
      return announceDirect(deps, updates, signal);
    default: {
      const person = connections.people.get(signal.user_id);
      if (!person) return;
      const handle = () => handleOwnSignal(deps, person, signal);
      if (!UNNUMBERED.has(signal.kind)) return handle();
      const completion = person.tail.then(handle);
      person.tail = completion.catch(() => {});
      return completion;
    }
  }
}

async function handleOwnSignal(deps: SocketDeps, person: Person, signal: OwnSignal): Promise<void> {
  const { database, connections, broadcaster } = deps;
  const { sql } = database;
  const { id } = person;
  const send = (event: UserEvent) => broadcaster.sendToUser(id, event);
  switch (signal.kind) {
    case "sessions_ended":
      return broadcaster.closeSockets(id, signal.session_ids ?? otherCredentialsOf(person, signal));
    case "token_revoked":
      return broadcaster.closeSockets(id, [signal.token_id]);
    case "read":
      return send({ type: "read", room_id: signal.room_id, ...signal.mark });
    case "sections_updated":
    case "thread_read":
    case "thread_follow":
    case "scheduled_failed": {
      const { kind: type, user_id: _, ...fields } = signal;
      return send({ type, ...fields } as UserEvent);
    }
    case "saved_changed": {
      const { message_id } = signal;
      return send({
        type: "saved",
        message_id,
        saved: await findSavedMessage(sql, id, message_id),
      });
    }
    case "scheduled_changed": {
      const byId = await readScheduledByIds(sql, id, signal.ids);
      for (const scheduledId of signal.ids) {
        const message = byId.get(scheduledId) ?? null;
        send({ type: "scheduled", id: scheduledId, scheduled: message });
      }
      return;
    }
    case "draft_changed": {
      const location = { userId: id, roomId: signal.room_id, threadId: signal.thread_id };
      return send({ type: "draft", ...(await readDraftCopy(sql, location)) });
    }
    case "me_updated":
      return send({ type: "me_updated", user: await readMe(database.db, id) });
    case "activity_updated":
      return send({ type: "activity_updated", unread: await countUnreadActivity(sql, id) });
    case "direct_left": {
      const { room_id, room_seq } = signal;
      // The log of a followed conversation delivers the removal.
      if (person.rooms.has(room_id) || connections.wasRemoved(person, room_id, room_seq)) return;
      return send({ type: "room_removed", room_id, room_seq });
    }
    case "membership_updated":
      return announceRooms(deps, person, [signal.room_id], "membership_updated");
    case "room_added":
      return announceNewRoom(deps, person, signal.room_id);
  }
}

/** @returns the credentials of the person's sockets other than `except`; undefined, which means all, without it */
function otherCredentialsOf({ sockets }: Person, { except }: { except?: string }) {
  if (except === undefined) return undefined;
  return [...sockets].map(({ data }) => data.credentialId).filter((id) => id !== except);
}

async function announceNewRoom(deps: SocketDeps, person: Person, roomId: string): Promise<void> {
  const grantedRoomIds = await syncRooms(deps, person);
  if (!person.rooms.has(roomId)) {
    // The person was removed before the room was followed, but the client may have loaded it meanwhile.
    const removal = { type: "room_removed", room_id: roomId, room_seq: null } as const;
    deps.broadcaster.sendToUser(person.id, removal);
  }
  await announceRooms(deps, person, [...new Set([roomId, ...grantedRoomIds])]);
}

type DirectSignal = Extract<Signal, { kind: "direct_added" | "direct_updated" }>;

/** Sends the current state of a conversation to the sockets of its members among these people. */
async function announceDirect(
  { database, connections, broadcaster }: SocketDeps,
  updates: Pick<MemberUpdates, "publishCount">,
  { kind: type, room_id, user_ids }: DirectSignal,
): Promise<void> {
  const connectedIds = user_ids.filter((userId) => connections.people.has(userId));
  const announce = async (userId: string): Promise<void> => {
    const { publishCount } = updates;
    const direct = await requireDirect(database.sql, userId, room_id);
    // Who is online has no number, and an update that was sent meanwhile may be newer.
    if (updates.publishCount !== publishCount) return announce(userId);
    broadcaster.sendToUser(userId, { type, direct });
  };
  // Concurrent reads share one statement.
  await Promise.all(connectedIds.map((userId) => announce(userId).catch(ignoreRefusal)));
}

/** Sends the current state of rooms to the sockets of a person who is still in them. */
export async function announceRooms(
  { database, broadcaster }: SocketDeps,
  person: Person,
  roomIds: string[],
  type: "room_added" | "membership_updated" = "room_added",
): Promise<void> {
  for (const roomId of roomIds) {
    const room = await requireRoom(database.sql, person.id, roomId).catch(ignoreRefusal);
    if (room?.membership && person.rooms.has(roomId))
      broadcaster.sendToUser(person.id, { type, room });
  }
}

/** Before it could be announced, the person left, the room was deleted, or a conversation was made a room. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
