import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Drizzle, Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { sessions, siteSettings, users } from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";
import { GRACE_DAYS } from "../wire/limits.ts";

/** Who must have a second factor, and from when a session without one is restricted. */

/** SQL: the policy requires a second factor of a row of `users`. */
const isAsked = sql`(not ${users.isBot} and ${siteSettings.secondFactor} <> 'optional'
  and (${siteSettings.secondFactor} = 'everyone' or ${users.isSiteAdmin}))`;

/** SQL: when the days of grace end. They begin with the policy or the account, whichever is later. */
const graceEnd = sql`greatest(${siteSettings.secondFactorSince}, ${users.createdAt})
  + ${sql.raw(String(GRACE_DAYS))} * interval '1 day'`;

/** From when the policy asks a second factor of a row of `users`; null: it does not. Of a query with `siteSettings`. */
export const requiredFrom = sql`case when ${isAsked} then ${graceEnd} end`.mapWith(
  users.createdAt,
) as SQL<Date | null>;

const findRequirement = prepareQuery(
  "second_factor_required",
  (db, params: Params<{ id: string }>) =>
    db
      .select({ from: requiredFrom })
      .from(users)
      .innerJoin(siteSettings, sql`true`)
      .where(eq(users.id, params.id)),
);

/** Whether the policy asks a second factor of someone, and from when. Null: it does not. */
export async function readRequirement(tx: Query, userId: string): Promise<Date | null> {
  const [row] = await findRequirement(tx, { id: userId });
  return row?.from ?? null;
}

/** SQL: whether a new session without a second factor is restricted from the start. */
export function isRestrictedFor(userId: string): SQL<boolean> {
  return sql<boolean>`exists (select from ${siteSettings} join ${users} on ${users.id} = ${userId}
    where ${isAsked} and ${graceEnd} <= clock_timestamp())`;
}

/**
 * How many active people the policy asks for a second factor that they do not have. For a query with
 * `siteSettings` and without `users`.
 */
export const countWithoutFactor = sql<number>`(select count(*)::int from ${users}
  where ${isAsked} and ${users.isActive} and ${users.secondFactorAt} is null)`;

/**
 * Restricts the sessions of users without a second factor whose days of grace are over, and closes
 * their sockets. Called every minute.
 */
export async function restrictOverdueSessions(db: Drizzle): Promise<void> {
  await db.transaction(async (tx) => {
    // Rows that another transaction has locked (the session ends, say) are handled in the next
    // minute.
    const found = await tx
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .innerJoin(siteSettings, sql`true`)
      .where(
        and(
          eq(sessions.isRestricted, false),
          eq(sessions.hasSecondFactor, false),
          isAsked,
          sql`${graceEnd} <= clock_timestamp()`,
        ),
      )
      .orderBy(asc(sessions.id))
      .for("no key update", { of: sessions, skipLocked: true });
    if (found.length === 0) return;
    const ids = found.map(({ id }) => id);
    await tx
      .update(sessions)
      .set({ isRestricted: true })
      .where(sql`${sessions.id} = any(${sql.param(ids)}::uuid[])`);
    const signals: Signal[] = [];
    for (const [user_id, rows] of Map.groupBy(found, (row) => row.userId)) {
      for (let i = 0; i < rows.length; i += IDS_PER_SIGNAL) {
        const session_ids = rows.slice(i, i + IDS_PER_SIGNAL).map(({ id }) => id);
        signals.push({ kind: "sessions_ended", user_id, session_ids });
      }
    }
    await notifyInstances(tx, ...signals);
  });
}

/** Lifts all restrictions, for example when the policy has changed and new days of grace begin. */
export async function liftRestrictions(tx: Query): Promise<void> {
  await tx.update(sessions).set({ isRestricted: false }).where(eq(sessions.isRestricted, true));
}
