import { eq, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { customThemes, users } from "../database/schema.ts";
import type { AdminUser } from "../wire/admin.ts";
import { type CustomThemeRow, toMe, type UserRow } from "./users.ts";

/** An account with the saved theme that it refers to. */
type AdminUserRow = { user: UserRow; active: CustomThemeRow | null };

/** Selects rows for `toAdminUser`, for lists to filter and order. */
function selectAdminUsers(tx: Query) {
  return tx
    .select({ user: users, active: customThemes })
    .from(users)
    .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
    .$dynamic();
}

/** An account as administrators see it. */
function toAdminUser({ user, active }: AdminUserRow): AdminUser {
  const { sidebar: _, keywords: __, ...account } = toMe(user, active);
  return {
    ...account,
    last_seen_at: user.lastSeenAt?.toISOString() ?? null,
    keeps_password: user.keepsPassword,
    has_second_factor: user.secondFactorAt !== null,
  };
}

/** One existing account as administrators see it. */
export async function readAdminUser(tx: Query, userId: string): Promise<AdminUser> {
  const [row] = await selectAdminUsers(tx).where(eq(users.id, userId));
  if (!row) throw new Error("readAdminUser: no such user");
  return toAdminUser(row);
}

/** Accounts by id, in no order; those that do not exist are left out. */
export async function readAdminUsers(tx: Query, ids: string[]): Promise<AdminUser[]> {
  const rows = await selectAdminUsers(tx).where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`);
  return rows.map(toAdminUser);
}
