import { and, asc, eq, gt, ilike, or } from "drizzle-orm";
import {
  type AdminUserRow,
  readAdminUser,
  selectAdminUsers,
  toAdminUser,
} from "../accounts/admin-view.ts";
import { type AccountChange, hashUserPassword, setUserPassword } from "../accounts/administer.ts";
import { lockUserFor } from "../accounts/lock-user.ts";
import { generatePassword } from "../accounts/passwords.ts";
import { auditActorOf } from "../audit/write.ts";
import type { Drizzle, Query } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { users } from "../database/schema.ts";
import { decodeCursor, toPage } from "../platform/cursor.ts";
import type { Actor } from "../routing/actor.ts";
import type { AdminUser, PasswordWasReset } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AdminUserQuery } from "../wire/queries.ts";

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

/** What a change takes of the request for it. */
type AdminCall = { actor: Actor; request: Request; params: { id: string } };

/**
 * Changes an account and returns it.
 * @throws Refusal of `lockUserFor`, and those of the change
 */
export function changeAccount(
  db: Drizzle,
  { actor, request, params }: AdminCall,
  change: AccountChange,
): Promise<AdminUser> {
  return db.transaction(async (tx) => {
    const user = await lockUserFor(tx, actor, params.id);
    await change(tx, auditActorOf({ actor, request }), user);
    return readAdminUser(tx, user.id);
  });
}

/**
 * Sets an account's password.
 * @param chosen if absent, one is generated, which only this answer contains
 * @throws Refusal of `lockUserFor`; `validation`, `bot_account`
 */
export async function resetUserPassword(
  db: Drizzle,
  call: AdminCall,
  chosen: string | undefined,
): Promise<PasswordWasReset> {
  const password = chosen ?? generatePassword();
  const passwordHash = await hashUserPassword(db, { id: call.params.id }, password);
  const user = await changeAccount(db, call, (tx, actor, row) =>
    setUserPassword(tx, actor, row, passwordHash),
  );
  return { ...user, password: chosen === undefined ? password : null };
}
