import { and, eq, exists, or, sql } from "drizzle-orm";
import type { Transaction } from "../database/connect.ts";
import {
  memberships,
  messageBroadcasts,
  messageMentions,
  messagePins,
  messageReactions,
  messageRoomReferences,
  messages,
  rooms,
  threads,
  users,
} from "../database/schema.ts";

import { refuseBroadcast } from "../rooms/write-refusals.ts";
import type { Broadcast } from "../wire/models.ts";
import { connectedMembersOf } from "./broadcasts.ts";

type MessageKey = Pick<
  typeof messages.$inferSelect,
  "id" | "roomId" | "seq" | "authorId" | "createdAt"
>;

/**
 * Replaces whom and what a message mentions after its text has changed, under the room's lock:
 * members of the room, and rooms that its author is in.
 */
export async function replaceReferences(
  tx: Transaction,
  { id, roomId, seq, authorId, createdAt }: MessageKey,
  usernames: string[],
  roomNames: string[],
): Promise<void> {
  await tx.delete(messageMentions).where(eq(messageMentions.messageId, id));
  await tx.delete(messageRoomReferences).where(eq(messageRoomReferences.messageId, id));
  if (usernames.length > 0) {
    const isMember = and(eq(memberships.userId, users.id), eq(memberships.roomId, roomId));
    await tx.insert(messageMentions).select(
      tx
        .select({
          messageId: sql`${id}::uuid`.as("message_id"),
          userId: users.id,
          roomId: memberships.roomId,
          seq: sql`${seq}::bigint`.as("seq"),
          createdAt: sql`${sql.param(createdAt, messages.createdAt)}::timestamptz`.as("created_at"),
        })
        .from(users)
        .innerJoin(memberships, isMember)
        .where(sql`${users.username} = any(${sql.param(usernames)})`),
    );
  }
  if (roomNames.length > 0) {
    const isMember = and(eq(memberships.roomId, rooms.id), eq(memberships.userId, authorId));
    await tx.insert(messageRoomReferences).select(
      tx
        .select({ messageId: sql`${id}::uuid`.as("message_id"), roomId: rooms.id })
        .from(rooms)
        .innerJoin(memberships, isMember)
        .where(sql`${rooms.name} = any(${sql.param(roomNames)})`),
    );
  }
}

/**
 * Replaces a message's `@room` or `@here` after its text has changed, under the room's lock. If it
 * has not changed, the same people stay mentioned: those who were online when it was sent.
 * @throws Refusal `broadcast_restricted` if it was added or changed by someone who may not use it
 */
export async function replaceBroadcast(
  tx: Transaction,
  seat: Parameters<typeof refuseBroadcast>[0],
  { id, roomId, seq, createdAt }: MessageKey,
  kind: Broadcast | null,
): Promise<void> {
  const ofMessage = eq(messageBroadcasts.messageId, id);
  const [known] = await tx
    .select({ kind: messageBroadcasts.kind })
    .from(messageBroadcasts)
    .where(ofMessage);
  if ((known?.kind ?? null) === kind) return;
  if (kind) refuseBroadcast(seat);
  await tx.delete(messageBroadcasts).where(ofMessage);
  if (kind === null) return;
  await tx.insert(messageBroadcasts).select(
    tx
      .select({
        messageId: sql`${id}::uuid`.as("message_id"),
        roomId: rooms.id,
        seq: sql`${seq}::bigint`.as("seq"),
        createdAt: sql`${sql.param(createdAt, messages.createdAt)}::timestamptz`.as("created_at"),
        kind: sql`${kind}::text`.as("kind"),
        userIds: sql
          .raw(kind === "here" ? connectedMembersOf("rooms.id") : "null::uuid[]")
          .as("user_ids"),
      })
      .from(rooms)
      .where(eq(rooms.id, roomId)),
  );
}

/** Updates whether a message embeds anything at all, after something was added or removed. */
export async function updateHasEmbeds(tx: Transaction, messageId: string): Promise<void> {
  const hasAny = (
    table:
      | typeof messageReactions
      | typeof messageMentions
      | typeof messageBroadcasts
      | typeof messagePins
      | typeof messageRoomReferences
      | typeof threads,
  ) => exists(tx.select().from(table).where(eq(table.messageId, messageId)));
  const hasEmbeds = or(
    sql`num_nonnulls(${messages.imageId}, ${messages.fileId}, ${messages.previewUrl}, ${messages.groupId},
      ${messages.threadId}, ${messages.quoteId}, ${messages.deletedAt}) > 0`,
    hasAny(messageReactions),
    hasAny(messageMentions),
    hasAny(messageBroadcasts),
    hasAny(messagePins),
    hasAny(messageRoomReferences),
    hasAny(threads),
  );
  await tx
    .update(messages)
    .set({ hasEmbeds: sql`${hasEmbeds}` })
    .where(eq(messages.id, messageId));
}
