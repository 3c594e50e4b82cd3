import { and, asc, eq, ne, sql } from "drizzle-orm";
import { readAdminUser } from "./users.ts";
import { lockUser, updateUser, type UserRow } from "../users/users.ts";
import { setUserActive } from "../accounts/administer.ts";
import { cleanDisplayName, createBotUser } from "../users/create-user.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { apiTokens, memberships, rooms, scheduledMessages, users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { AdminUser, CreateBot, UpdateBot } from "../wire/admin.ts";
import { removeScheduledMessage } from "../scheduled-messages/scheduled-messages.ts";
import { formatTimedKey, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { SMALLEST_ID } from "../platform/ids.ts";
import { refusalFor } from "../rooms/access.ts";
import type { BotScheduled } from "../wire/scheduled-messages.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** @throws Refusal `not_found`, also for a person */
export async function requireBot(tx: Query, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.id, id));
  if (!row?.isBot) throw new Refusal("not_found", "There is no such bot.");
  return row;
}

/** @throws Refusal `validation`, `username_taken` */
export async function createBot(
  tx: Transaction,
  actor: AuditActor,
  params: CreateBot,
): Promise<AdminUser> {
  const { username, display_name: displayName = null } = params;
  const bot = await createBotUser(tx, { username, displayName });
  const details = { display_name: bot.displayName };
  await writeAudit(tx, actor, "bot.create", { id: bot.id, name: bot.username }, details);
  return readAdminUser(tx, bot.id);
}

/** While a bot is deactivated its tokens are not valid. @throws Refusal `not_found`, `validation` */
export async function updateBot(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  params: UpdateBot,
): Promise<AdminUser> {
  await requireBot(tx, id);
  const bot = await lockUser(tx, { id });
  const details: Record<string, unknown> = {};
  const displayName =
    params.display_name === undefined ? bot.displayName : cleanDisplayName(params.display_name);
  if (displayName !== bot.displayName) {
    details.display_name = displayName;
    await updateUser(tx, bot, { displayName });
  }
  if (params.is_active !== undefined && params.is_active !== bot.isActive) {
    details.is_active = params.is_active;
    await setUserActive(tx, bot, params.is_active);
  }
  if (Object.keys(details).length > 0) {
    await writeAudit(tx, actor, "bot.update", { id: bot.id, name: bot.username }, details);
  }
  return readAdminUser(tx, id);
}

/** A cursor before the first entry. */
const FIRST = { at: new Date(0), id: SMALLEST_ID };

/**
 * Lists a bot's scheduled and failed messages by time. The text is shown only to an administrator
 * who may read the room. Any administrator could read it with a new token of the bot, but creating
 * one is in the audit log.
 * @param viewerId null for the command line, which is in no room
 * @throws Refusal `not_found`; `validation` for a cursor of another list
 */
export async function listBotScheduledMessages(
  tx: Query,
  viewerId: string | null,
  botId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<BotScheduled>> {
  const bot = await requireBot(tx, botId);
  const after = parseTimedCursor(cursor) ?? FIRST;
  const { userId, state, sendAt, id } = scheduledMessages;
  const isViewer = sql`${memberships.userId} = ${viewerId}::uuid`;
  const isAfter = sql`(${sendAt}, ${id})
    > (${after.at.toISOString()}::text::timestamptz, ${after.id}::uuid)`;
  const rows = await tx
    .select({
      scheduled: scheduledMessages,
      room: { id: rooms.id, kind: rooms.kind, privacy: rooms.privacy, name: rooms.name },
      role: memberships.role,
      token: { id: apiTokens.id, name: apiTokens.name, last4: apiTokens.last4 },
    })
    .from(scheduledMessages)
    .innerJoin(rooms, eq(rooms.id, scheduledMessages.roomId))
    .leftJoin(memberships, and(eq(memberships.roomId, rooms.id), isViewer))
    .leftJoin(apiTokens, eq(apiTokens.id, scheduledMessages.tokenId))
    .where(and(eq(userId, bot.id), ne(state, "sent"), isAfter))
    .orderBy(asc(sendAt), asc(id))
    .limit(limit + 1);
  return toPage(rows, limit, keyOf, toBotScheduledMessage);
}

type Row = {
  scheduled: typeof scheduledMessages.$inferSelect;
  room: Pick<typeof rooms.$inferSelect, "id" | "kind" | "privacy" | "name">;
  role: (typeof memberships.$inferSelect)["role"] | null;
  token: BotScheduled["token"];
};

const keyOf = ({ scheduled: { sendAt, id } }: Row) => formatTimedKey(sendAt, id);

function toBotScheduledMessage({ scheduled, room, role, token }: Row): BotScheduled {
  const need = room.kind === "direct" ? "member" : "see";
  const isHidden = refusalFor(room, role, need) !== null;
  return {
    id: scheduled.id,
    room: { id: room.id, kind: room.kind, name: room.kind === "direct" ? null : room.name },
    content: isHidden ? null : scheduled.content,
    is_hidden: isHidden,
    has_upload: scheduled.imageId !== null || scheduled.fileId !== null,
    send_at: scheduled.sendAt.toISOString(),
    zone: scheduled.zone,
    state: scheduled.state === "failed" ? "failed" : "waiting",
    reason: scheduled.reason,
    token,
    ended_at: scheduled.endedAt?.toISOString() ?? null,
    created_at: scheduled.createdAt.toISOString(),
  };
}

/** Also notifies the bot. @throws Refusal `not_found`, `scheduled_not_found`, `already_sent` */
export async function deleteBotScheduledMessage(
  tx: Transaction,
  actor: AuditActor,
  botId: string,
  id: string,
): Promise<void> {
  const bot = await requireBot(tx, botId);
  const { roomId, sendAt, state } = await removeScheduledMessage(tx, bot.id, id);
  const details = { room_id: roomId, send_at: sendAt.toISOString(), state };
  await writeAudit(tx, actor, "scheduled.delete", { id, name: bot.username }, details);
}
