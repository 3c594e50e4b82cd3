import { and, asc, eq, gt } from "drizzle-orm";
import { readAdminUser, selectAdminUsers, toAdminUser } from "../accounts/admin-view.ts";
import { updateUser, setUserActive } from "../accounts/administer.ts";
import { lockUser } from "../accounts/lock-user.ts";
import { cleanDisplayName, createBotUser } from "../accounts/create-user.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, page } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import type { AdminUser, CreateBot, UpdateBot } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** All bots, by username. */
export async function listBots(tx: Query, query: PageQuery): Promise<Page<AdminUser>> {
  const after = decodeCursor(query.cursor);
  const rows = await selectAdminUsers(tx)
    .where(and(eq(users.isBot, true), after === null ? undefined : gt(users.username, after)))
    .orderBy(asc(users.username))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.user.username);
  return { items: items.map(toAdminUser), next };
}

/** @throws Refusal `not_found`, for a person too */
export async function getBot(tx: Query, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.id, id));
  if (!row?.isBot) throw new Refusal("not_found", "There is no such bot.");
  return row;
}

/**
 * Makes a bot, without a token yet.
 * @throws Refusal `validation`, `username_taken`
 */
export async function createBot(
  tx: Transaction,
  actor: AuditActor,
  given: CreateBot,
): Promise<AdminUser> {
  const { username, display_name: displayName = null } = given;
  const bot = await createBotUser(tx, { username, displayName });
  await writeAudit(
    tx,
    actor,
    "bot.create",
    { id: bot.id, name: bot.username },
    { display_name: bot.displayName },
  );
  return readAdminUser(tx, bot.id);
}

/**
 * Changes what is given and leaves the rest. A bot that is not active has no sockets, and its tokens
 * are worth nothing until it is active again.
 * @throws Refusal `not_found`, `validation`
 */
export async function updateBot(
  tx: Transaction,
  actor: AuditActor,
  id: string,
  given: UpdateBot,
): Promise<AdminUser> {
  await getBot(tx, id);
  const bot = await lockUser(tx, { id });
  const details: Record<string, unknown> = {};
  const displayName =
    given.display_name === undefined ? bot.displayName : cleanDisplayName(given.display_name);
  if (displayName !== bot.displayName) {
    details.display_name = displayName;
    await updateUser(tx, bot, { displayName });
  }
  if (given.is_active !== undefined && given.is_active !== bot.isActive) {
    details.is_active = given.is_active;
    await setUserActive(tx, bot, given.is_active);
  }
  if (Object.keys(details).length > 0)
    await writeAudit(tx, actor, "bot.update", { id: bot.id, name: bot.username }, details);
  return readAdminUser(tx, id);
}
