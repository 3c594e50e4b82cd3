import { readAdminUser, readAdminUsers } from "../accounts/admin-view.ts";
import { type AccountChange, hashUserPassword, setUserPassword } from "../accounts/administer.ts";
import { generatePassword } from "../accounts/passwords.ts";
import type { Database, Drizzle } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { VersionedTexts } from "../database/versioned-texts.ts";
import { decodeCursor } from "../platform/cursor.ts";
import type { AdminUser, PasswordWasReset } from "../wire/admin.ts";
import type { AdminUserQuery } from "../wire/queries.ts";
import { type AdminCall, changeAsAdministrator } from "./change.ts";
import { readAccountHeads } from "./statements.ts";

/** An account's JSON is about 600 characters. */
const MAX_CACHED = 5_000;

/** JSON of accounts as administrators see them. */
export const createAccountTexts = () => new VersionedTexts(MAX_CACHED);
export type AccountTexts = VersionedTexts;

/**
 * All accounts by username, including bots unless `kind` filters them.
 * @returns the JSON of a page of `AdminUser`
 */
export async function listUsers(
  { db, sql }: Pick<Database, "db" | "sql">,
  texts: AccountTexts,
  { query, status, kind, cursor, limit }: AdminUserQuery,
): Promise<string> {
  const text = query?.trim();
  const heads = await readAccountHeads(sql, {
    after: decodeCursor(cursor) ?? "",
    limit: limit + 1,
    isActive: status === undefined ? null : status === "active",
    isBot: kind === undefined ? null : kind === "bot",
    pattern: text ? likeSubstring(text) : null,
  });
  return texts.renderPage(
    heads,
    limit,
    ({ username }) => username,
    (ids) => readAdminUsers(db, ids),
  );
}

type AccountCall = AdminCall & { params: { id: string } };

/**
 * Changes an account and returns it.
 * @throws Refusal of `changeAsAdministrator`
 */
export function changeAccount(
  db: Drizzle,
  call: AccountCall,
  change: AccountChange,
): Promise<AdminUser> {
  const { id } = call.params;
  const run = async (...[tx, actor, user]: Parameters<AccountChange>) => {
    await change(tx, actor, user);
    return readAdminUser(tx, id);
  };
  return changeAsAdministrator(db, call, run, id);
}

/**
 * Sets an account's password.
 * @param chosen if absent, one is generated, which only this answer contains
 * @throws Refusal of `changeAsAdministrator`; `validation`, `bot_account`
 */
export async function resetUserPassword(
  db: Drizzle,
  call: AccountCall,
  chosen: string | undefined,
): Promise<PasswordWasReset> {
  const password = chosen ?? generatePassword();
  const passwordHash = await hashUserPassword(db, { id: call.params.id }, password);
  const user = await changeAccount(db, call, (tx, actor, row) =>
    setUserPassword(tx, actor, row, passwordHash),
  );
  return { ...user, password: chosen === undefined ? password : null };
}
