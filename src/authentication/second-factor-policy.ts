import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Drizzle, Query } from "../database/connect.ts";
import { sessions, siteSettings, users } from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";
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

/** SQL: whether a new session without a second factor is restricted. */
export function isRestrictedFor(userId: string): SQL<boolean> {
  return sql<boolean>`exists (select from ${siteSettings} join ${users} on ${users.id} = ${userId}
    where ${isRequired} and ${graceEnd} <= clock_timestamp())`;
}

/**
 * SQL: the number of active users who still have to set up a second factor. The query must join
 * `siteSettings`, and not `users`.
 */
export const countWithoutFactor = sql<number>`(select count(*)::int from ${users}
  where ${isRequired} and ${users.isActive} and ${users.secondFactorAt} is null)`;

/**
 * Restricts sessions without a second factor once the grace period of their user is over, and closes their
 * sockets. A job calls it every minute.
 */
export async function restrictOverdueSessions(db: Drizzle): Promise<void> {
  await db.transaction(async (tx) => {
    // Rows that another transaction has locked, because the session ends for example, are handled a
    // minute later.
    const overdue = await tx
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .innerJoin(siteSettings, sql`true`)
      .where(
        and(
          eq(sessions.isRestricted, false),
          eq(sessions.hasSecondFactor, false),
          isRequired,
          sql`${graceEnd} <= clock_timestamp()`,
        ),
      )
      .orderBy(asc(sessions.id))
      .for("no key update", { of: sessions, skipLocked: true });
    if (overdue.length === 0) return;
    const ids = overdue.map(({ id }) => id);
    await tx
      .update(sessions)
      .set({ isRestricted: true })
      .where(sql`${sessions.id} = any(${sql.param(ids)}::uuid[])`);
    const signals: Signal[] = [];
    for (const [user_id, rows] of Map.groupBy(overdue, (row) => row.userId)) {
      for (let i = 0; i < rows.length; i += IDS_PER_SIGNAL) {
        const session_ids = rows.slice(i, i + IDS_PER_SIGNAL).map(({ id }) => id);
        signals.push({ kind: "sessions_ended", user_id, session_ids });
      }
    }
    await notifyInstances(tx, ...signals);
  });
}

/** Lifts all restrictions: after a change of the policy a new grace period begins. */
export async function liftRestrictions(tx: Query): Promise<void> {
  await tx.update(sessions).set({ isRestricted: false }).where(eq(sessions.isRestricted, true));
}
