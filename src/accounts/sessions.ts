import { and, desc, eq, gt, inArray, ne, sql as statement } from "drizzle-orm";
import type { SqlClient, Query, Transaction } from "../database/connect.ts";
import { gather } from "../database/gather.ts";
import { sessions, users } from "../database/schema.ts";
import { IDS_PER_SIGNAL, notifyInstances } from "../feed/signals.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashToken, randomToken } from "../platform/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import { MAX_SESSIONS } from "../wire/limits.ts";
import type { Page, Session } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

const DAY_MS = 86_400_000;
export const SESSION_DAYS = 30;
/** A session slides at most this often: a write an hour, not one a request. */
const SLIDE_MS = 3_600_000;

/**
 * The session that the caller stands on.
 * @throws Refusal `not_for_bots`
 */
export function sessionOf(actor: Actor): string {
  if (actor.sessionId === null) throw new Refusal("not_for_bots", "A bot has no session.");
  return actor.sessionId;
}

/**
 * Opens a session of an account that signs in. Past `MAX_SESSIONS` the ones seen longest ago end.
 * @returns the cookie's value, which is stored nowhere
 */
export async function createSession(
  tx: Transaction,
  userId: string,
  userAgent: string | null,
): Promise<string> {
  // Locks the account too, so that sign-ins at the same time count each other's sessions.
  await tx
    .update(users)
    // Who appears offline was last seen before that; the row is locked all the same.
    .set({
      lastSeenAt: statement`case when ${users.appearOffline} then ${users.lastSeenAt}
        else clock_timestamp() end`,
    })
    .where(eq(users.id, userId));
  await endOldest(tx, userId);
  const token = randomToken();
  await tx.insert(sessions).values({
    id: Bun.randomUUIDv7(),
    userId,
    tokenHash: hashToken(token),
    userAgent: userAgent?.slice(0, 300) ?? null,
    expiresAt: new Date(Date.now() + SESSION_DAYS * DAY_MS),
  });
  return token;
}

/** Makes room for one more session. */
async function endOldest(tx: Transaction, userId: string): Promise<void> {
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
  await signalEnded(
    tx,
    userId,
    ended.map((row) => row.id),
  );
}

type SessionRow = {
  /** Null where there is no such session. */
  id: string | null;
  username: string;
  is_site_admin: boolean;
  session_id: string;
  last_seen_at: Date;
};

const readSession = gather<string, SessionRow>(
  (sql, hashes) => sql<SessionRow[]>`
    select found.* from unnest(${hashes}::text[]) with ordinality as asked(hash, n)
    left join lateral (
      select u.id, u.username, u.is_site_admin, s.id as session_id, s.last_seen_at
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = decode(asked.hash, 'hex')
        and s.expires_at > clock_timestamp() and u.is_active
      limit 1
    ) found on true
    order by asked.n`,
);

/** @returns the user of a live session who is active, or null */
export async function findSession(sql: SqlClient, token: string): Promise<Actor | null> {
  if (token.length !== 43) return null;
  const row = await readSession(sql, hashToken(token).toString("hex"));
  if (!row?.id) return null;
  const renewed = Date.now() - row.last_seen_at.getTime() > SLIDE_MS;
  if (renewed) await slide(sql, row.session_id);
  return {
    id: row.id,
    username: row.username,
    isSiteAdmin: row.is_site_admin,
    sessionId: row.session_id,
    token: null,
    renewed,
  };
}

async function slide(sql: SqlClient, sessionId: string): Promise<void> {
  await sql`
    with slid as (
      update sessions set last_seen_at = clock_timestamp(),
        expires_at = clock_timestamp() + ${SESSION_DAYS} * interval '1 day'
      where id = ${sessionId} returning user_id
    )
    update users set last_seen_at = clock_timestamp()
    where id = (select user_id from slid) and not appear_offline`;
}

/** Ends sessions and closes their sockets, on every instance. @returns how many ended */
export async function endSessions(
  tx: Transaction,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  const { only, except } = which;
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
  if (only) {
    await signalEnded(
      tx,
      userId,
      ended.map((row) => row.id),
    );
  } else await notifyInstances(tx, { kind: "sessions_ended", user_id: userId, except });
  return ended.length;
}

/** Notifies of single sessions that ended, in payloads of a size that is always accepted. */
async function signalEnded(tx: Transaction, userId: string, ids: string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += IDS_PER_SIGNAL) {
    const session_ids = ids.slice(i, i + IDS_PER_SIGNAL);
    await notifyInstances(tx, { kind: "sessions_ended", user_id: userId, session_ids });
  }
}

/**
 * The user's live sessions, the last seen first.
 * @throws Refusal `validation` for a cursor of another list
 */
export async function listSessions(
  tx: Query,
  actor: Actor,
  query: PageQuery,
): Promise<Page<Session>> {
  const after = decodeIdCursor(query.cursor);
  const rows = await tx
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, actor.id),
        gt(sessions.expiresAt, new Date()),
        after === null ? undefined : isSeenBefore(after),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(query.limit + 1);
  const { items, next } = page(rows, query.limit, (row) => row.id);
  return { items: items.map((row) => toSession(row, actor)), next };
}

/** Compared in the database, whose times are finer than ours. */
function isSeenBefore(sessionId: string) {
  return statement`(${sessions.lastSeenAt}, ${sessions.id}) < (
    select last_seen_at, id from sessions where id = ${sessionId})`;
}

function toSession(row: typeof sessions.$inferSelect, actor: Actor): Session {
  return {
    id: row.id,
    is_current: row.id === actor.sessionId,
    user_agent: row.userAgent,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
  };
}
