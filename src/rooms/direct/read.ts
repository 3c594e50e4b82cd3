import { avatarUrl } from "../../accounts/users.ts";
import { coalesceReads } from "../../database/coalesce-reads.ts";
import type { SqlClient } from "../../database/connect.ts";
import { toPage } from "../../platform/cursor.ts";
import { formatTimedKey, parseTimedCursor } from "../../platform/timed-cursor.ts";
import { toStatus } from "../../presence/read.ts";
import type { Direct, Page } from "../../wire/models.ts";
import type { DirectQuery } from "../../wire/queries.ts";
import { refusalFor } from "../access.ts";
import { toExcerpt, toPins } from "../newest-pin.ts";
import { makeDirectKey } from "./key.ts";
import { type DirectRow, readDirectByKey, readDirectPage, readSeatDirects } from "./statements.ts";

/** Lists the viewer's conversations, the last active first. */
export async function listDirects(
  sql: SqlClient,
  viewerId: string,
  { cursor, limit, all, last_message, user_ids }: DirectQuery,
): Promise<Page<Direct>> {
  if (user_ids !== undefined) {
    const found = await findDirect(
      sql,
      viewerId,
      makeDirectKey([viewerId, ...user_ids.split(",")]),
    );
    return { items: found ? [found] : [], next: null };
  }
  const after = parseTimedCursor(cursor);
  const hasHidden = all === "true";
  const hasLast = last_message === "true";
  const rows = await readDirectPage(sql, viewerId, { after, limit: limit + 1, hasHidden, hasLast });
  return toPage(rows, limit, placeOf, toDirect);
}

function placeOf({ id, last_message_at, created_at }: DirectRow): string {
  return formatTimedKey(last_message_at ?? created_at, id);
}

const readSeatDirect = coalesceReads(readSeatDirects);

/** @throws Refusal `room_not_found`, also for a room and for a conversation of others */
export async function requireDirect(sql: SqlClient, viewerId: string, id: string): Promise<Direct> {
  const row = await readSeatDirect(sql, { userId: viewerId, roomId: id });
  if (!row) throw refusalFor(null, null, "direct_member");
  return toDirect(row);
}

/** The conversation of a set of people, one of whom is the viewer; null if there is none yet. */
export async function findDirect(
  sql: SqlClient,
  viewerId: string,
  key: Uint8Array,
): Promise<Direct | null> {
  const [row] = await readDirectByKey(sql, viewerId, key);
  return row ? toDirect(row) : null;
}

function toDirect(row: DirectRow): Direct {
  return {
    id: row.id,
    kind: row.kind,
    members: row.members.map(({ avatar_version, online, ...user }) => ({
      user: { ...user, avatar_url: avatarUrl(user.id, avatar_version) },
      status: toStatus(online),
    })),
    created_at: row.created_at.toISOString(),
    last_message_at: row.last_message_at?.toISOString() ?? null,
    is_closed: row.is_closed,
    seq: row.last_seq,
    ...toPins(row),
    membership: {
      last_read_at: row.last_read_at.toISOString(),
      last_read_seq: row.last_read_seq,
      notify: row.notify,
      unread: row.unread,
      unread_count: row.unread_count,
      hidden_at: row.hidden_at?.toISOString() ?? null,
      pinned_at: row.pinned_at?.toISOString() ?? null,
      version: row.version,
    },
    ...(row.last_message !== undefined && { last_message: toLast(row.last_message) }),
  };
}

function toLast(last: NonNullable<DirectRow["last_message"]> | null): Direct["last_message"] {
  return last && { author_id: last.author_id, excerpt: toExcerpt(last.content ?? "") };
}
