import { eq } from "drizzle-orm";
import { readAdminUser } from "../accounts/admin-view.ts";
import { updateUser, setUserActive } from "../accounts/administer.ts";
import { lockUser } from "../accounts/lock-user.ts";
import { cleanDisplayName, createBotUser } from "../accounts/create-user.ts";
import type { UserRow } from "../accounts/users.ts";
import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Query, Transaction } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { users } from "../database/schema.ts";
import { Refusal } from "../platform/refusal.ts";
import type { AdminUser, CreateBot, UpdateBot } from "../wire/admin.ts";

const findUser = prepareQuery("find_user", (db, params: Params<{ id: string }>) =>
  db.select().from(users).where(eq(users.id, params.id)),
);

/** @throws Refusal `not_found`, also for a person */
export async function requireBot(tx: Query, id: string): Promise<UserRow> {
  const [row] = await findUser(tx, { id });
  if (!row?.isBot) throw new Refusal("not_found", "There is no such bot.");
  return row;
}

/**
 * Creates a bot, without tokens.
 * @throws Refusal `validation`, `username_taken`
 */
export async function createBot(
  tx: Transaction,
  actor: AuditActor,
  params: CreateBot,
): Promise<AdminUser> {
  const { username, display_name: displayName = null } = params;
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
 * Changes the fields that are present. While a bot is deactivated its tokens are not valid.
 * @throws Refusal `not_found`, `validation`
 */
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
