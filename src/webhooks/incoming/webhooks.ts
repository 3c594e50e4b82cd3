import { and, asc, eq, gt } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { toUser, userColumns } from "../../users/users.ts";
import type { Database, Drizzle, Query } from "../../database/connect.ts";
import { incomingWebhooks, memberships, users } from "../../database/schema.ts";
import { decodeIdCursor, toPage } from "../../platform/input/cursor.ts";
import { SMALLEST_ID } from "../../platform/ids.ts";
import { cleanName } from "../../platform/input/names.ts";
import { Refusal } from "../../platform/refusal.ts";
import { sealValue } from "../../platform/secrets/sealed.ts";
import { hashToken, randomToken, type ReadKey } from "../../platform/secrets/secrets.ts";
import { requireMembership, lockMembership, readMembership } from "../../rooms/access.ts";
import type {
  ChangeIncomingWebhook,
  CreateIncomingWebhook,
  IncomingWebhook,
  NewIncomingWebhook,
} from "../../wire/webhooks.ts";
import { MAX_WEBHOOK_NAME_LENGTH } from "../../wire/limits.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";
import { type Caller, checkWebhookCount, makeWebhookNotFoundRefusal } from "../shared.ts";
import { GITHUB_SECRET } from "./github.ts";
import { lockForKey } from "../../database/tables.ts";

export type IncomingWebhookDeps = { database: Database; readKey: ReadKey; baseUrl: string };
const bots = alias(users, "bots");

/** Incoming webhooks with their creators and bots, to be narrowed by `where`. */
function selectWebhooks(tx: Query) {
  return tx
    .select({
      webhook: incomingWebhooks,
      creator: userColumns,
      bot: {
        id: bots.id,
        username: bots.username,
        display_name: bots.displayName,
        avatar_version: bots.avatarVersion,
        is_bot: bots.isBot,
        is_active: bots.isActive,
        profile_version: bots.profileVersion,
      },
    })
    .from(incomingWebhooks)
    .innerJoin(users, eq(users.id, incomingWebhooks.createdBy))
    .leftJoin(bots, eq(bots.id, incomingWebhooks.botId))
    .$dynamic();
}

type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number];

function toIncomingWebhook({ webhook, creator, bot }: WebhookRow): IncomingWebhook {
  return {
    id: webhook.id,
    room_id: webhook.roomId,
    name: webhook.name,
    bot: bot && toUser(bot),
    has_secret: webhook.githubSecret !== null,
    may_pin: webhook.mayPin,
    created_by: toUser(creator),
    created_at: webhook.createdAt.toISOString(),
    last_used_at: webhook.lastUsedAt?.toISOString() ?? null,
  };
}

/** Lists a room's webhooks, the oldest first. @throws Refusal of `requireMembership` */
export async function listIncomingWebhooks(
  { db, sql }: Database,
  { actorId, roomId }: Caller,
  { cursor, limit }: PageQuery,
): Promise<Page<IncomingWebhook>> {
  await requireMembership(sql, actorId, roomId, "admin");
  const after = decodeIdCursor(cursor) ?? SMALLEST_ID;
  const rows = await selectWebhooks(db)
    .where(and(eq(incomingWebhooks.roomId, roomId), gt(incomingWebhooks.id, after)))
    .orderBy(asc(incomingWebhooks.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ webhook }) => webhook.id, toIncomingWebhook);
}

/**
 * Creates a webhook: an address by which anyone who has it can post into the room.
 * @returns the webhook with its address, which is not shown again
 * @throws Refusal of `lockMembership`; `validation`, `unknown_user`, `too_many_webhooks`
 */
export function createIncomingWebhook(
  { database, readKey, baseUrl }: IncomingWebhookDeps,
  { actorId, roomId }: Caller,
  settings: CreateIncomingWebhook,
): Promise<NewIncomingWebhook> {
  const token = randomToken();
  return database.db.transaction(async (tx) => {
    await lockMembership(tx, actorId, roomId, "admin");
    const name = cleanName(settings.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
    checkWebhookCount(await tx.$count(incomingWebhooks, eq(incomingWebhooks.roomId, roomId)));
    if (settings.bot_id) await checkBot(tx, roomId, settings.bot_id);
    await lockForKey(tx, incomingWebhooks);
    const id = Bun.randomUUIDv7();
    await tx.insert(incomingWebhooks).values({
      id,
      roomId,
      name,
      tokenHash: hashToken(token),
      createdBy: actorId,
      botId: settings.bot_id ?? null,
      mayPin: settings.may_pin ?? false,
      githubSecret: settings.secret
        ? sealValue(await readKey(), GITHUB_SECRET, settings.secret)
        : null,
    });
    const [row] = await selectWebhooks(tx).where(eq(incomingWebhooks.id, id));
    return { ...toIncomingWebhook(row as WebhookRow), url: `${baseUrl}/hooks/${token}` };
  });
}

/** @throws Refusal `unknown_user` unless it is an active bot of this room */
async function checkBot(tx: Query, roomId: string, botId: string): Promise<void> {
  const members = await tx
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.roomId, roomId),
        eq(users.id, botId),
        eq(users.isBot, true),
        eq(users.isActive, true),
      ),
    );
  if (members.length > 0) return;
  const message = "This bot is not in the room. Add it first.";
  throw new Refusal("unknown_user", message, { errors: [{ path: "/bot_id", message }] });
}

/** @throws Refusal of `lockMembership`; `webhook_not_found` */
export function changeIncomingWebhook(
  db: Drizzle,
  { actorId, roomId }: Caller,
  webhookId: string,
  { may_pin: mayPin }: ChangeIncomingWebhook,
): Promise<IncomingWebhook> {
  return db.transaction(async (tx) => {
    await lockMembership(tx, actorId, roomId, "admin");
    const isThis = and(eq(incomingWebhooks.id, webhookId), eq(incomingWebhooks.roomId, roomId));
    await tx.update(incomingWebhooks).set({ mayPin }).where(isThis);
    const [row] = await selectWebhooks(tx).where(isThis);
    if (!row) throw makeWebhookNotFoundRefusal();
    return toIncomingWebhook(row);
  });
}

/** @throws Refusal of `readMembership`; `webhook_not_found` */
export async function deleteIncomingWebhook(
  tx: Query,
  { actorId, roomId }: Caller,
  webhookId: string,
): Promise<void> {
  await readMembership(tx, actorId, roomId, "admin");
  const rows = await tx
    .delete(incomingWebhooks)
    .where(and(eq(incomingWebhooks.id, webhookId), eq(incomingWebhooks.roomId, roomId)))
    .returning();
  if (rows.length === 0) throw makeWebhookNotFoundRefusal();
}
