import { and, asc, desc, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import { coalesceReads } from "../database/coalesce-reads.ts";
import type { Drizzle, Query, SqlClient, Transaction } from "../database/connect.ts";
import {
  identityProviders,
  loginChallenges,
  sessions,
  siteSettings,
  users,
} from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances, type Signal } from "../feed/signals.ts";
import { formatTimedKey, NEWEST, parseTimedCursor, toPage } from "../platform/input/cursor.ts";
import { coarseNetwork } from "../platform/networks.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_SESSIONS } from "../wire/limits.ts";
import type { Page, Session } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { blockScheduledMessages } from "./block-scheduled.ts";
import { isOverdue, isRestrictedFor } from "./second-factor-policy.ts";

export const SESSION_DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A session is extended at most once an hour, so that not every request writes. */
const EXTEND_AFTER_MS = 3_600_000;
const MAX_USER_AGENT_LENGTH = 300;

/** @throws Refusal `not_for_bots` */
export function sessionIdOf(actor: Actor): string {
  if (actor.sessionId === null) throw new Refusal("not_for_bots", "A bot has no session.");
  return actor.sessionId;
}

export type Caller = { address: string; userAgent: string | null };

export type SessionStart = {
  method: "password" | "passkey" | "provider";
  /** True also if the provider's sign-in counts as a second factor. */
  hasSecondFactor?: boolean;
  /** `sid` is the session at the provider; after `hours` the user must sign in there again. */
  provider?: { id: string; sid: string | null; hours: number };
};

/**
 * Creates a session at sign-in. Beyond `MAX_SESSIONS` the least recently seen ones end.
 * @returns the cookie's value, of which only the hash is stored
 */
export async function createSession(
  tx: Transaction,
  userId: string,
  caller: Caller,
  { method, hasSecondFactor = false, provider }: SessionStart = { method: "password" },
): Promise<string> {
  // This update locks the user, so that concurrent sign-ins do not exceed the limit.
  await tx
    .update(users)
    .set({
      lastSeenAt: sql`case when ${users.appearOffline} then ${users.lastSeenAt}
        else clock_timestamp() end`,
    })
    .where(eq(users.id, userId));
  await endOldestSessions(tx, userId);
  const token = randomToken();
  const expiresAt = new Date(Date.now() + SESSION_DAYS * DAY_MS);
  const endsAt = provider ? new Date(Date.now() + provider.hours * HOUR_MS) : null;
  await tx.insert(sessions).values({
    id: Bun.randomUUIDv7(),
    userId,
    tokenHash: hashToken(token),
    userAgent: caller.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    address: coarseNetwork(caller.address),
    method,
    hasSecondFactor,
    isRestricted: hasSecondFactor ? false : isRestrictedFor(userId),
    reauthenticatedAt: sql`clock_timestamp()`,
    providerId: provider?.id,
    idpSid: provider?.sid,
    endsAt,
    expiresAt: endsAt && endsAt < expiresAt ? endsAt : expiresAt,
  });
  return token;
}

async function endOldestSessions(tx: Transaction, userId: string): Promise<void> {
  const oldest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .offset(MAX_SESSIONS - 1);
  const endedSessions = await tx
    .delete(sessions)
    .where(inArray(sessions.id, oldest))
    .returning({ id: sessions.id, userId: sessions.userId });
  await notifySessionsEnded(tx, endedSessions);
}

/** `id` is null if no live session of an active user has the hash. */
type SessionRow = {
  id: string | null;
  username: string;
  is_site_admin: boolean;
  session_id: string;
  last_seen_at: Date;
  is_restricted: boolean;
};

/**
 * Reads the sessions of many callers with one statement, since every request needs one.
 * @param hashes of the cookies' tokens, in hex
 * @returns a row for each hash, in their order
 */
async function readSessions(sql: SqlClient, hashes: string[]): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select session.* from unnest(${hashes}::text[]) with ordinality as token(hash, n)
    left join lateral (
      select u.id, u.username, u.is_site_admin, s.id as session_id, s.last_seen_at,
        s.is_restricted
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = decode(token.hash, 'hex')
        and s.expires_at > clock_timestamp() and u.is_active
      limit 1
    ) session on true
    order by token.n`;
}

const readSession = coalesceReads(readSessions);

/**
 * @param address of the caller, whose network is stored when the session is extended
 * @returns null if the session has ended or its user is deactivated
 */
export async function authenticateSession(
  sql: SqlClient,
  token: string,
  address: string,
): Promise<Actor | null> {
  if (token.length !== 43) return null;
  const row = await readSession(sql, hashToken(token).toString("hex"));
  if (!row?.id) return null;
  const mustExtend = Date.now() - row.last_seen_at.getTime() > EXTEND_AFTER_MS;
  if (mustExtend) await extendSession(sql, row.session_id, coarseNetwork(address));
  return {
    id: row.id,
    username: row.username,
    isSiteAdmin: row.is_site_admin,
    sessionId: row.session_id,
    isRestricted: row.is_restricted,
    token: null,
    wasRenewed: mustExtend,
  };
}

/**
 * Extends a session, at most to the limit that its provider sets, and updates when its user was last
 * seen unless they appear offline.
 * @param network of the caller
 */
async function extendSession(sql: SqlClient, id: string, network: string | null): Promise<void> {
  await sql`
    with extended as (
      update sessions set last_seen_at = clock_timestamp(),
        expires_at = least(ends_at, clock_timestamp() + ${SESSION_DAYS} * interval '1 day'),
        address = coalesce(${network}, address)
      where id = ${id} returning user_id
    )
    update users set last_seen_at = clock_timestamp()
    where id = (select user_id from extended) and not appear_offline`;
}

/**
 * Locks the caller's session, so that it cannot end before the change commits.
 * @throws Refusal `unauthenticated` if it has ended since the request began
 */
export async function lockSession(tx: Transaction, actor: Actor): Promise<void> {
  const [row] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionIdOf(actor)), eq(sessions.userId, actor.id)))
    .for("share");
  if (!row) throw makeEndedSessionRefusal();
}

export function makeEndedSessionRefusal(): Refusal {
  return new Refusal("unauthenticated", "Your session has ended. Sign in and try again.");
}

/**
 * Ends sessions, closes their sockets on all instances, and blocks the messages that were scheduled
 * with them. Unless `only` names one session, sign-ins that wait for a second factor end too.
 * @param isSignOut the user signs out of this device: messages scheduled with its session are still sent
 * @returns the number of sessions that ended
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  { only, except, isSignOut }: { only?: string; except?: string; isSignOut?: boolean } = {},
): Promise<number> {
  const endedSessions = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        only ? eq(sessions.id, only) : undefined,
        except ? ne(sessions.id, except) : undefined,
      ),
    )
    .returning({ id: sessions.id, userId: sessions.userId });
  if (!isSignOut) {
    const filter = only
      ? { sessionIds: endedSessions.map(({ id }) => id) }
      : { exceptSessionId: except };
    await blockScheduledMessages(tx, [userId], "session_ended", filter);
  }
  if (only) await notifySessionsEnded(tx, endedSessions);
  else {
    await tx.delete(loginChallenges).where(eq(loginChallenges.userId, userId));
    await notifyInstances(tx, { kind: "sessions_ended", user_id: userId, except });
  }
  return endedSessions.length;
}

/** Closes the sockets of sessions. Sends several signals if a user's ids do not fit into one. */
async function notifySessionsEnded(
  tx: Transaction,
  endedSessions: { id: string; userId: string }[],
): Promise<void> {
  const signals: Signal[] = [];
  for (const [user_id, rows] of Map.groupBy(endedSessions, (row) => row.userId)) {
    for (let i = 0; i < rows.length; i += IDS_PER_SIGNAL) {
      const session_ids = rows.slice(i, i + IDS_PER_SIGNAL).map(({ id }) => id);
      signals.push({ kind: "sessions_ended", user_id, session_ids });
    }
  }
  if (signals.length > 0) await notifyInstances(tx, ...signals);
}

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
      .where(and(eq(sessions.isRestricted, false), eq(sessions.hasSecondFactor, false), isOverdue))
      .orderBy(asc(sessions.id))
      .for("no key update", { of: sessions, skipLocked: true });
    if (overdue.length === 0) return;
    const ids = overdue.map(({ id }) => id);
    await tx
      .update(sessions)
      .set({ isRestricted: true })
      .where(sql`${sessions.id} = any(${sql.param(ids)}::uuid[])`);
    await notifySessionsEnded(tx, overdue);
  });
}

/** Keeps the caller's session although its provider is disconnected. */
export async function detachSession(tx: Transaction, actor: Actor): Promise<void> {
  await tx
    .update(sessions)
    .set({ providerId: null, idpSid: null })
    .where(eq(sessions.id, sessionIdOf(actor)));
}

/**
 * Ends sessions that began at a provider, closes their sockets, and blocks the messages that were
 * scheduled with them. Sign-ins at the provider that wait for a second factor end too.
 * @param sid restricts it to one session at the provider, `userIds` to these users
 * @returns the number of sessions that ended
 */
export async function endProviderSessions(
  tx: Transaction,
  providerId: string,
  { sid, userIds }: { sid?: string; userIds?: string[] } = {},
): Promise<number> {
  const matches = (table: typeof sessions | typeof loginChallenges) =>
    and(
      eq(table.providerId, providerId),
      sid === undefined ? undefined : eq(table.idpSid, sid),
      userIds === undefined ? undefined : inArray(table.userId, userIds),
    );
  const endedSessions = await tx
    .delete(sessions)
    .where(matches(sessions))
    .returning({ id: sessions.id, userId: sessions.userId });
  await tx.delete(loginChallenges).where(matches(loginChallenges));
  if (endedSessions.length > 0) {
    const owners = [...new Set(endedSessions.map((row) => row.userId))];
    const sessionIds = endedSessions.map(({ id }) => id);
    await blockScheduledMessages(tx, owners, "session_ended", { sessionIds });
  }
  await notifySessionsEnded(tx, endedSessions);
  return endedSessions.length;
}

export async function deleteExpiredSessions(db: Drizzle): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`clock_timestamp()`));
}

/** Lists the most recently seen first. @throws Refusal `validation` for a cursor of another list */
export async function listSessions(
  tx: Query,
  actor: Actor,
  query: PageQuery,
): Promise<Page<Session>> {
  // A position rather than an id, so that paging continues after the session there has ended.
  const before = parseTimedCursor(query.cursor) ?? NEWEST;
  const rows = await tx
    .select({ session: sessions, provider: identityProviders.name })
    .from(sessions)
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
    .where(
      and(
        eq(sessions.userId, actor.id),
        gt(sessions.expiresAt, sql`clock_timestamp()`),
        sql`(${sessions.lastSeenAt}, ${sessions.id})
          < (${before.at.toISOString()}::text::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    ({ session }) => formatTimedKey(session.lastSeenAt, session.id),
    ({ session, provider }) => toSession(session, provider, actor),
  );
}

function toSession(
  row: typeof sessions.$inferSelect,
  provider: string | null,
  actor: Actor,
): Session {
  return {
    id: row.id,
    is_current: row.id === actor.sessionId,
    user_agent: row.userAgent,
    method: row.method,
    provider,
    address: row.address,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
  };
}
