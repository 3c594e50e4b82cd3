import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { identityProviders, sessions } from "../database/schema.ts";
import { decodeCursor, LARGEST_ID, toPage } from "../platform/cursor.ts";
import { makeInvalid } from "../platform/refusal.ts";
import type { Actor } from "../routing/actor.ts";
import type { Page, Session } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** A session's place in the list: when it was last seen, with PostgreSQL's microseconds, and its id. */
const position = sql<string>`concat_ws(' ', extract(epoch from ${sessions.lastSeenAt}), ${sessions.id})`;
const POSITION = /^(\d{1,10}\.\d{6}) ([0-9a-f-]{36})$/;

/** The place before all sessions. */
const START: Position = { seconds: "Infinity", id: LARGEST_ID };
type Position = { seconds: string; id: string };

const selectPage = prepareQuery(
  "list_sessions",
  (db, params: Params<Position & { userId: string; limit: number }>) =>
    db
      .select({ session: sessions, position, provider: identityProviders.name })
      .from(sessions)
      .leftJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
      .where(
        and(
          eq(sessions.userId, params.userId),
          gt(sessions.expiresAt, sql`clock_timestamp()`),
          sql`(extract(epoch from ${sessions.lastSeenAt}), ${sessions.id})
            < (${params.seconds}::numeric, ${params.id}::uuid)`,
        ),
      )
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
      .limit(params.limit),
);

/**
 * The user's live sessions, the last seen first.
 * @throws Refusal `validation` for a cursor of another list
 */
export async function listSessions(
  tx: Query,
  actor: Actor,
  query: PageQuery,
): Promise<Page<Session>> {
  const before = parsePosition(decodeCursor(query.cursor));
  const rows = await selectPage(tx, { ...before, userId: actor.id, limit: query.limit + 1 });
  return toPage(
    rows,
    query.limit,
    (row) => row.position,
    ({ session, provider }) => toSession(session, provider, actor),
  );
}

/** The cursor holds the position itself, so that the list continues after a session that has ended. */
function parsePosition(cursor: string | null): Position {
  if (cursor === null) return START;
  const [, seconds, id = ""] = POSITION.exec(cursor) ?? [];
  if (!seconds) throw makeInvalid("/cursor", "The cursor is not one of this list.");
  return { seconds, id };
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
