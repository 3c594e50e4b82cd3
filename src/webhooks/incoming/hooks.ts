import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { toUser, userColumns } from "../../accounts/users.ts";
import type { Database, Query } from "../../database/connect.ts";
import { incomingWebhooks, memberships, users } from "../../database/schema.ts";
import { decodeIdCursor, page } from "../../platform/cursor.ts";
import { cleanName } from "../../platform/names.ts";
import { Refusal } from "../../platform/refusal.ts";
import { seal } from "../../platform/sealed.ts";
import { hashToken, randomToken, type ReadKey } from "../../platform/secrets.ts";
import { readSeat, lockSeat } from "../../rooms/access.ts";
import type {
  CreateIncomingWebhook,
  IncomingWebhook,
  NewIncomingWebhook,
} from "../../wire/incoming-webhooks.ts";
import { MAX_OUTGOING_WEBHOOKS, MAX_WEBHOOK_NAME_LENGTH } from "../../wire/limits.ts";
import type { Page } from "../../wire/models.ts";
import type { PageQuery } from "../../wire/queries.ts";

/** What is sealed here, for `seal`, and for the command that rotates the secret key. */
export const GITHUB_SECRET = "GitHub secret of a webhook";

export type HookDeps = { database: Database; readKey: ReadKey; baseUrl: string };
/** Who calls, and in which room: every verb here is for its owner and admins. */
export type Caller = { actorId: string; roomId: string };

const bots = alias(users, "bots");

/** Incoming webhooks with who made them, to be narrowed by `where`. */
export function selectIncoming(tx: Query) {
  return tx
    .select({
      hook: incomingWebhooks,
      maker: userColumns,
      bot: {
        id: bots.id,
        username: bots.username,
        displayName: bots.displayName,
        avatarVersion: bots.avatarVersion,
        isBot: bots.isBot,
        isActive: bots.isActive,
      },
    })
    .from(incomingWebhooks)
    .innerJoin(users, eq(users.id, incomingWebhooks.createdBy))
    .leftJoin(bots, eq(bots.id, incomingWebhooks.botId))
    .$dynamic();
}

type Found = Awaited<ReturnType<typeof selectIncoming>>[number];

function toIncoming({ hook, maker, bot }: Found): IncomingWebhook {
  return {
    id: hook.id,
    room_id: hook.roomId,
    name: hook.name,
    bot: bot && toUser(bot),
    has_secret: hook.githubSecret !== null,
    created_by: toUser(maker),
    created_at: hook.createdAt.toISOString(),
    last_used_at: hook.lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * The room's incoming webhooks, the oldest first.
 * @throws Refusal of `readSeat`
 */
export async function listIncoming(
  tx: Query,
  { actorId, roomId }: Caller,
  query: PageQuery,
): Promise<Page<IncomingWebhook>> {
  await readSeat(tx, actorId, roomId, "admin");
  const after = decodeIdCursor(query.cursor);
  const rows = await selectIncoming(tx)
    .where(
      and(
        eq(incomingWebhooks.roomId, roomId),
        after === null ? undefined : gt(incomingWebhooks.id, after),
      ),
    )
    .orderBy(asc(incomingWebhooks.id))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, ({ hook }) => hook.id);
  return { items: items.map(toIncoming), next };
}

/**
 * Makes an address that whoever has it can post into the room by.
 * @returns it with the address, which is not shown again
 * @throws Refusal of `lockSeat`; `validation`, `unknown_user`, `too_many_webhooks`
 */
export function createIncoming(
  { database, readKey, baseUrl }: HookDeps,
  { actorId, roomId }: Caller,
  given: CreateIncomingWebhook,
): Promise<NewIncomingWebhook> {
  const token = randomToken();
  return database.db.transaction(async (tx) => {
    await lockSeat(tx, actorId, roomId, "admin");
    const name = cleanName(given.name, "/name", MAX_WEBHOOK_NAME_LENGTH);
    const [counted] = await tx
      .select({ hooks: count() })
      .from(incomingWebhooks)
      .where(eq(incomingWebhooks.roomId, roomId));
    if ((counted?.hooks ?? 0) >= MAX_OUTGOING_WEBHOOKS) {
      throw new Refusal(
        "too_many_webhooks",
        `A room can have ${MAX_OUTGOING_WEBHOOKS} webhooks. Delete one that is not needed.`,
      );
    }
    if (given.bot_id) await checkBot(tx, roomId, given.bot_id);
    // Before the key is read: whoever rotates it holds this table until the new one is in its place.
    await tx.execute(sql`lock table ${incomingWebhooks} in row exclusive mode`);
    const id = Bun.randomUUIDv7();
    await tx.insert(incomingWebhooks).values({
      id,
      roomId,
      name,
      tokenHash: hashToken(token),
      createdBy: actorId,
      botId: given.bot_id ?? null,
      githubSecret: given.secret ? seal(await readKey(), GITHUB_SECRET, given.secret) : null,
    });
    const [made] = await selectIncoming(tx).where(eq(incomingWebhooks.id, id));
    return { ...toIncoming(made as Found), url: `${baseUrl}/hooks/${token}` };
  });
}

/** @throws Refusal `unknown_user`: whoever speaks for a webhook is a bot of this room */
async function checkBot(tx: Query, roomId: string, botId: string): Promise<void> {
  const found = await tx
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
  if (found.length > 0) return;
  const message = "This is no bot of the room. Add the bot to the room first.";
  throw new Refusal("unknown_user", message, { errors: [{ path: "/bot_id", message }] });
}

/** @throws Refusal of `readSeat`; `webhook_not_found` */
export async function deleteIncoming(
  tx: Query,
  { actorId, roomId }: Caller,
  hookId: string,
): Promise<void> {
  await readSeat(tx, actorId, roomId, "admin");
  const deleted = await tx
    .delete(incomingWebhooks)
    .where(and(eq(incomingWebhooks.id, hookId), eq(incomingWebhooks.roomId, roomId)))
    .returning();
  if (deleted.length === 0) {
    throw new Refusal("webhook_not_found", "This room has no such webhook.");
  }
}
