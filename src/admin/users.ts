import { and, asc, eq, gt, ilike, or } from "drizzle-orm";
import {
  type AdminUserRow,
  readAdminUser,
  selectAdminUsers,
  toAdminUser,
} from "../accounts/admin-view.ts";
import { type AccountChange, hashUserPassword, setUserPassword } from "../accounts/administer.ts";
import { generatePassword } from "../accounts/passwords.ts";
import type { Drizzle, Query } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/cursor.ts";
import type { AdminUser, PasswordWasReset } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AdminUserQuery } from "../wire/queries.ts";
import { type AdminCall, changeAsAdministrator } from "./change.ts";

/** All accounts by username, including bots unless `kind` filters them. */
export async function listUsers(tx: Query, query: AdminUserQuery): Promise<Page<AdminUser>> {
  const after = decodeCursor(query.cursor);
  const { status, kind } = query;
  const text = query.query?.trim();
  const rows: AdminUserRow[] = await selectAdminUsers(tx)
    .where(
      and(
        after === null ? undefined : gt(users.username, after),
        status === undefined ? undefined : eq(users.isActive, status === "active"),
        kind === undefined ? undefined : eq(users.isBot, kind === "bot"),
        text ? matchesText(text) : undefined,
      ),
    )
    .orderBy(asc(users.username))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, (row) => row.user.username, toAdminUser);
}

function matchesText(text: string) {
  const pattern = likeSubstring(text);
  return or(
    ilike(users.username, pattern),
    ilike(users.displayName, pattern),
    ilike(users.email, pattern),
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
