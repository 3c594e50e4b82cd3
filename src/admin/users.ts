import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type AccountChange, hashUserPassword, setUserPassword } from "../accounts/administer.ts";
import type { Drizzle, Query } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { customThemes, users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/input/cursor.ts";
import { generatePassword } from "../sign-in/passwords.ts";
import { meColumns, toMe } from "../users/users.ts";
import type { AdminUser, PasswordWasReset } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AdminUserQuery } from "../wire/queries.ts";
import { type AdminCall, changeAsAdmin } from "./change.ts";

/** Lists all accounts by username, including bots unless `kind` filters them. */
export async function listUsers(
  tx: Query,
  { query, status, kind, cursor, limit }: AdminUserQuery,
): Promise<Page<AdminUser>> {
  const rows = await selectAdminUsers(tx)
    .where(
      and(
        gt(users.username, decodeCursor(cursor) ?? ""),
        status && eq(users.isActive, status === "active"),
        kind &&
          (kind === "bot" ? users.isBot : sql`case when ${users.isBot} then false else true end`),
        query?.trim() ? matchesText(query.trim()) : undefined,
      ),
    )
    .orderBy(asc(users.username))
    .limit(limit + 1);
  return toPage(rows, limit, ({ username }) => username, toAdminUser);
}

/** The `case` keeps PostgreSQL from expecting one row, and sorting all users instead of reading them in order. */
function matchesText(text: string) {
  const pattern = likeSubstring(text);
  return sql`case when ${users.username} ilike ${pattern} or ${users.displayName} ilike ${pattern}
    or ${users.email} ilike ${pattern} then true else false end`;
}

type AccountCall = AdminCall & { params: { id: string } };

/** @throws Refusal of `changeAsAdmin` */
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
  return changeAsAdmin(db, call, run, id);
}

/**
 * Sets an account's password.
 * @param chosenPassword if absent, one is generated, which is only in this response
 * @throws Refusal of `changeAsAdmin`; `validation`, `bot_account`
 */
export async function resetUserPassword(
  db: Drizzle,
  call: AccountCall,
  chosenPassword: string | undefined,
): Promise<PasswordWasReset> {
  const password = chosenPassword ?? generatePassword();
  const passwordHash = await hashUserPassword(db, { id: call.params.id }, password);
  const user = await changeAccount(db, call, (tx, actor, row) =>
    setUserPassword(tx, actor, row, passwordHash),
  );
  return { ...user, password: chosenPassword === undefined ? password : null };
}

function selectAdminUsers(tx: Query) {
  return tx
    .select({
      ...meColumns,
      last_seen_at: users.lastSeenAt,
      keeps_password: users.keepsPassword,
      second_factor_at: users.secondFactorAt,
    })
    .from(users)
    .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
    .$dynamic();
}

function toAdminUser(row: Awaited<ReturnType<typeof selectAdminUsers>>[number]): AdminUser {
  const { sidebar: _, keywords: __, ...account } = toMe(row);
  return {
    ...account,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    keeps_password: row.keeps_password,
    has_second_factor: row.second_factor_at !== null,
  };
}

export async function readAdminUser(tx: Query, userId: string): Promise<AdminUser> {
  const [row] = await selectAdminUsers(tx).where(eq(users.id, userId));
  if (!row) throw new Error("readAdminUser: no such user");
  return toAdminUser(row);
}
