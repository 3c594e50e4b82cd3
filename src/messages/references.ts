/**
 * The people, rooms and broadcasts that a message mentions: the rules in SQL, which `insert.ts`
 * shares, and their changes by an edit.
 */
import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import { messageBroadcasts, messageMentions, messageRoomReferences } from "../database/schema.ts";
import { IS_LIVE } from "../presence/read.ts";
import { makeBroadcastRefusal } from "../rooms/refusals.ts";
import { MAX_BROADCAST_MEMBERS, MAX_HERE } from "../wire/limits.ts";
import type { Broadcast, RoomKind } from "../wire/models.ts";

/** SQL for the members `m` of a room who are mentioned in a message `p`. */
export const MENTIONED_MEMBERS = `
  cross join lateral unnest(string_to_array(p.usernames, ' ')) as t(username)
  cross join lateral (select id from users where username = t.username limit 1) u
  cross join lateral (
    select user_id from memberships where room_id = p.room_id and user_id = u.id limit 1
  ) m`;

/** SQL for the rooms `r` referenced in a message `p`, limited to those that its author is in. */
export const REFERENCED_ROOMS = `
  cross join lateral unnest(string_to_array(p.room_names, ' ')) as t(name)
  cross join lateral (select id from rooms where name = t.name limit 1 for key share) r
  cross join lateral (
    select from memberships where room_id = r.id and user_id = p.author_id limit 1
  ) m`;

/** SQL condition that everyone may use `@room` and `@here` in a room with this `member_count`. */
export const ALL_MAY_BROADCAST = `member_count <= ${MAX_BROADCAST_MEMBERS}`;

/**
 * SQL condition that an author with the `role` may use `@room` and `@here` in a room with this `kind`
 * and `member_count`: in a large room only its owner and admins, in a conversation nobody.
 */
export const MAY_BROADCAST = `kind = 'room' and (${ALL_MAY_BROADCAST} or role <> 'member')`;

/**
 * SQL for the members mentioned by `@here` in the room of a message `p`: those who are currently
 * connected, including people who appear offline, because publishing to the room's sockets reaches the
 * same people. Null means all members, if there are more than `MAX_HERE`.
 */
export const CONNECTED_MEMBERS = `(
  select case when count(*) <= ${MAX_HERE} then coalesce(array_agg(ms.user_id), '{}') end
  from memberships ms
  where ms.room_id = p.room_id and exists (
    select from presence join instances i on i.id = presence.instance_id
    where presence.user_id = ms.user_id and ${IS_LIVE}))`;

/** Replaces a message's mentions and room references after an edit, under the room's lock. */
export async function replaceReferences(
  tx: Transaction,
  id: string,
  usernames: string[],
  roomNames: string[],
): Promise<void> {
  await tx.delete(messageMentions).where(eq(messageMentions.messageId, id));
  await tx.delete(messageRoomReferences).where(eq(messageRoomReferences.messageId, id));
  if (usernames.length > 0) {
    await tx.execute(sql`
      insert into message_mentions (message_id, user_id, room_id, seq, created_at)
      select p.id, m.user_id, p.room_id, p.seq, p.created_at
      from (select *, ${usernames.join(" ")}::text as usernames from messages where id = ${id}) p
      ${sql.raw(MENTIONED_MEMBERS)}`);
  }
  if (roomNames.length > 0) {
    await tx.execute(sql`
      insert into message_room_references (message_id, room_id)
      select p.id, r.id
      from (select *, ${roomNames.join(" ")}::text as room_names from messages where id = ${id}) p
      ${sql.raw(REFERENCED_ROOMS)}`);
  }
}

/**
 * Replaces a message's `@room` or `@here` after an edit, under the room's lock. If it is unchanged, it
 * keeps mentioning the people who were online when the message was sent.
 * @throws Refusal `broadcast_restricted` if it was added or changed by someone who may not use it
 */
export async function replaceBroadcast(
  tx: Transaction,
  author: { userId: string; roomId: string },
  id: string,
  kind: Broadcast | null,
): Promise<void> {
  const isOfMessage = eq(messageBroadcasts.messageId, id);
  const [previousBroadcast] = await tx.select().from(messageBroadcasts).where(isOfMessage);
  if ((previousBroadcast?.kind ?? null) === kind) return;
  if (kind) await refuseBroadcast(tx, author);
  await tx.delete(messageBroadcasts).where(isOfMessage);
  if (kind === null) return;
  await tx.execute(sql`
    insert into message_broadcasts (message_id, room_id, seq, created_at, kind, user_ids)
    select p.id, p.room_id, p.seq, p.created_at, ${kind},
      ${sql.raw(kind === "here" ? CONNECTED_MEMBERS : "null::uuid[]")}
    from messages p where p.id = ${id}`);
}

/**
 * Refuses `@room` and `@here` to a member who may not use them.
 * @throws Refusal `broadcast_restricted`
 */
export async function refuseBroadcast(
  tx: Pick<Transaction, "execute">,
  { userId, roomId }: { userId: string; roomId: string },
): Promise<void> {
  const [row] = await tx.execute<{ kind: RoomKind; may: boolean }>(sql`
    select kind, ${sql.raw(MAY_BROADCAST)} as may
    from rooms join memberships on room_id = rooms.id and user_id = ${userId}
    where rooms.id = ${roomId}`);
  if (!row?.may) throw makeBroadcastRefusal(row?.kind ?? null);
}
