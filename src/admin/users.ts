import { and, asc, eq, gt, ilike, or } from "drizzle-orm";
import {
  type AdminUserRow,
  readAdminUser,
  selectAdminUsers,
  toAdminUser,
} from "../accounts/admin-view.ts";
import { setPassword } from "../accounts/administer.ts";
import { lockUser } from "../accounts/lock-user.ts";
import { escapeLike } from "../accounts/directory.ts";
import { makePassword } from "../accounts/passwords.ts";
import type { UserRow } from "../accounts/users.ts";
import type { AuditActor } from "../audit/write.ts";
import type { Drizzle, Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, page } from "../platform/cursor.ts";
import type { AdminUser, PasswordWasReset } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AdminUserQuery } from "../wire/queries.ts";

/** All accounts, by username, bots included unless only one kind is asked for. */
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
        text ? contains(text) : undefined,
      ),
    )
    .orderBy(asc(users.username))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.user.username);
  return { items: items.map(toAdminUser), next };
}

function contains(text: string) {
  const pattern = `%${escapeLike(text)}%`;
  return or(
    ilike(users.username, pattern),
    ilike(users.displayName, pattern),
    ilike(users.email, pattern),
  );
}

/** What changes one account, as `accounts/administer.ts` has it. */
export type Change = (tx: Transaction, actor: AuditActor, user: UserRow) => Promise<unknown>;

/**
 * Changes an account, and answers with what it is then.
 * @throws Refusal `not_found`, and of the change
 */
export function changeAccount(
  db: Drizzle,
  actor: AuditActor,
  id: string,
  change: Change,
): Promise<AdminUser> {
  return db.transaction(async (tx) => {
    await change(tx, actor, await lockUser(tx, { id }));
    return readAdminUser(tx, id);
  });
}

/**
 * Sets a password, or makes one, which is answered once.
 * @throws Refusal `not_found`, `validation`, `bot_account`
 */
export async function resetUserPassword(
  db: Drizzle,
  actor: AuditActor,
  id: string,
  given: string | undefined,
): Promise<PasswordWasReset> {
  const password = given ?? makePassword();
  const user = await changeAccount(db, actor, id, (tx, _, row) =>
    setPassword(tx, actor, row, password),
  );
  return { ...user, password: given === undefined ? password : null };
}
