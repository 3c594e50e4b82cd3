import { eq, sql, type SQL } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { sessions, siteSettings, users } from "../database/schema.ts";
import { GRACE_DAYS } from "../wire/limits.ts";

/** Who must have a second factor, and when sessions without one become restricted. */

/** SQL: whether the policy requires a second factor for a row of `users`. */
const isRequired = sql`(not ${users.isBot} and ${siteSettings.secondFactor} <> 'optional'
  and (${siteSettings.secondFactor} = 'everyone' or ${users.isSiteAdmin}))`;

/** SQL: when the grace period ends. It starts with the policy or the account, whichever is later. */
const graceEnd = sql`greatest(${siteSettings.secondFactorSince}, ${users.createdAt})
  + ${sql.raw(String(GRACE_DAYS))} * interval '1 day'`;

/**
 * SQL: from when the policy requires a second factor for a row of `users`; null if it does not. The query
 * must join `siteSettings`.
 */
export const requiredFrom = sql`case when ${isRequired} then ${graceEnd} end`.mapWith(
  users.createdAt,
) as SQL<Date | null>;

/** @returns when the policy starts to require a second factor; null if it does not */
export async function readRequiredFrom(tx: Query, userId: string): Promise<Date | null> {
  const [row] = await tx
    .select({ from: requiredFrom })
    .from(users)
    .innerJoin(siteSettings, sql`true`)
    .where(eq(users.id, userId));
  return row?.from ?? null;
}

/**
 * SQL: whether the grace period of a row of `users` is over. The query must join `siteSettings`.
 */
export const isOverdue = sql`${isRequired} and ${graceEnd} <= clock_timestamp()`;

/** SQL: whether a new session without a second factor is restricted. */
export function isRestrictedFor(userId: string): SQL<boolean> {
  return sql<boolean>`exists (select from ${siteSettings} join ${users} on ${users.id} = ${userId}
    where ${isOverdue})`;
}

/**
 * SQL: the number of active users who still have to set up a second factor. The query must join
 * `siteSettings`, and not `users`.
 */
export const countWithoutFactor = sql<number>`(select count(*)::int from ${users}
  where ${isRequired} and ${users.isActive} and ${users.secondFactorAt} is null)`;

/** Lifts all restrictions: after a change of the policy a new grace period begins. */
export async function liftRestrictions(tx: Query): Promise<void> {
  await tx.update(sessions).set({ isRestricted: false }).where(eq(sessions.isRestricted, true));
}
