import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { SqlClient, Transaction } from "../database/connect.ts";
import { coalesceReads } from "../database/coalesce-reads.ts";
import { loginChallenges, sessions, users } from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances } from "../feed/signals.ts";
import { networkClass } from "../platform/network-class.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_SESSIONS } from "../wire/limits.ts";
import { blockScheduled } from "./block-scheduled.ts";
import { isRestrictedFor } from "./policy.ts";
import { extendSession, readSessions } from "./statements.ts";

export const SESSION_DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A session is extended at most once an hour, so that not every request writes. */
const EXTEND_AFTER_MS = 3_600_000;
const MAX_USER_AGENT_LENGTH = 300;

/**
 * The id of the caller's session.
 * @throws Refusal `not_for_bots`
 */
export function sessionIdOf(actor: Actor): string {
  if (actor.sessionId === null) throw new Refusal("not_for_bots", "A bot has no session.");
  return actor.sessionId;
}

/** From where someone signs in. */
export type Caller = { address: string; userAgent: string | null };

/** How a session begins. */
export type SessionStart = {
  method: "password" | "passkey" | "provider";
  /** Whether the sign-in included a second factor, or its provider's counts as one. */
  hasSecondFactor?: boolean;
  /** The provider, its session there, and after how many hours to sign in there again. */
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
  // Updates the user's row even if nothing changes: the lock makes concurrent sign-ins count each
  // other's sessions.
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
    address: networkClass(caller.address),
    method,
    hasSecondFactor,
    isRestricted: hasSecondFactor ? false : isRestrictedFor(userId),
    proofAt: sql`clock_timestamp()`,
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
  const ended = await tx
    .delete(sessions)
    .where(inArray(sessions.id, oldest))
    .returning({ id: sessions.id });
  await notifyEnded(tx, userId, ended);
}

const readSession = coalesceReads(readSessions);

/**
 * @param address the caller's, of which the network is noted when the session is extended
 * @returns the active user of a live session, or null
 */
export async function authenticateSession(
  sql: SqlClient,
  token: string,
  address: string,
): Promise<Actor | null> {
  if (token.length !== 43) return null;
  const row = await readSession(sql, hashToken(token).toString("hex"));
  if (!row?.id) return null;
  const renewed = Date.now() - row.last_seen_at.getTime() > EXTEND_AFTER_MS;
  if (renewed) await extendSession(sql, row.session_id, SESSION_DAYS, networkClass(address));
  return {
    id: row.id,
    username: row.username,
    isSiteAdmin: row.is_site_admin,
    sessionId: row.session_id,
    isRestricted: row.is_restricted,
    token: null,
    renewed,
  };
}

/**
 * Ends sessions and closes their sockets on all instances, and blocks what was scheduled with them.
 * Unless it is a single one, sign-ins that wait for a second factor end too.
 * @param isSignOut someone signs out of their own device: what they scheduled there is sent
 * @returns how many ended
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  { only, except, isSignOut }: { only?: string; except?: string; isSignOut?: boolean } = {},
): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        only ? eq(sessions.id, only) : undefined,
        except ? ne(sessions.id, except) : undefined,
      ),
    )
    .returning({ id: sessions.id });
  if (!isSignOut) {
    const blocked = only ? { sessionIds: ended.map(({ id }) => id) } : { exceptSessionId: except };
    await blockScheduled(tx, [userId], "session_ended", blocked);
  }
  if (only) await notifyEnded(tx, userId, ended);
  else {
    await tx.delete(loginChallenges).where(eq(loginChallenges.userId, userId));
    await notifyInstances(tx, { kind: "sessions_ended", user_id: userId, except });
  }
  return ended.length;
}

/** Notifies that single sessions ended, in payloads that fit. */
async function notifyEnded(tx: Transaction, userId: string, ended: { id: string }[]) {
  for (let i = 0; i < ended.length; i += IDS_PER_SIGNAL) {
    const session_ids = ended.slice(i, i + IDS_PER_SIGNAL).map(({ id }) => id);
    await notifyInstances(tx, { kind: "sessions_ended", user_id: userId, session_ids });
  }
}
