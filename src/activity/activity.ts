import { userFromRow } from "../accounts/users.ts";
import type { Database, SqlClient } from "../database/connect.ts";
import { toViewersMessage } from "../messages/read.ts";
import { readMessages } from "../messages/statements.ts";
import { toPage } from "../platform/cursor.ts";
import { formatTimedKey, parseTimedCursor } from "../platform/timed-cursor.ts";
import type { Activity, UnreadActivity } from "../wire/activity.ts";
import type { Message, Page, User } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import { readNewestActivity, readNewestUnread } from "./newest-statements.ts";
import { readActivityByRoom, readUnreadByRoom } from "./room-statements.ts";
import type { ActivityPlace, ActivityRow } from "./shared-statements.ts";
import { readReactors } from "./statements.ts";

/** How many of those who reacted are named. */
const MAX_NAMED = 3;

/**
 * Lists what concerns a person in the rooms that they are in now, the newest first.
 * @throws Refusal `validation` for a cursor of another list
 */
export async function listActivity(
  { sql }: Database,
  userId: string,
  { cursor, limit }: PageQuery,
): Promise<Page<Activity>> {
  const place = placeOf(cursor);
  const rows =
    (await readNewestActivity(sql, userId, place, limit + 1)) ??
    (await readActivityByRoom(sql, userId, place, limit + 1));
  const shown = rows.slice(0, limit);
  const ids = shown.map((row) => row.message_id);
  const reacted = shown.filter((row) => row.type === "reaction").map((row) => row.message_id);
  const [found, reactors] = await Promise.all([
    readMessages(sql, ids, userId),
    reacted.length > 0 ? readReactors(sql, userId, reacted, MAX_NAMED) : [],
  ]);
  const messages = new Map(found.map((row) => [row.id, toViewersMessage(row, userId)]));
  const byMessage = Map.groupBy(reactors, (row) => row.message_id);
  const page = toPage(rows, limit, keyOf, (row) => {
    const message = messages.get(row.message_id);
    const who = byMessage.get(row.message_id) ?? [];
    const named = who.map((one) => userFromRow(one.user_id, one));
    return message ? toActivity(row, message, named, who[0]?.total ?? 0, userId) : null;
  });
  // A message that was deleted between the queries is left out.
  return { ...page, items: page.items.filter((item) => item !== null) };
}

function toActivity(
  { type, at, is_unread, room_name, user_count }: ActivityRow,
  message: Message,
  reactors: User[],
  total: number,
  userId: string,
): Activity {
  const isOfAuthor = type !== "reaction";
  const ofOthers = message.reactions.filter(({ user_ids }) => user_ids.some((id) => id !== userId));
  return {
    ...{ type, at: at.toISOString(), is_unread, message },
    room: { id: message.room_id, name: room_name },
    users: isOfAuthor ? [message.author] : reactors,
    user_count: isOfAuthor ? (user_count ?? 1) : total,
    emojis: isOfAuthor ? [] : ofOthers.map(({ emoji }) => emoji),
  };
}

/** Counts what concerns a person and is newer than their mark. */
export async function countUnreadActivity(sql: SqlClient, userId: string): Promise<UnreadActivity> {
  const { read_at, mentions, reactions } =
    (await readNewestUnread(sql, userId)) ?? (await readUnreadByRoom(sql, userId));
  return { read_at: read_at.toISOString(), mentions: mentions ?? [], reactions };
}

const keyOf = ({ at, message_id }: ActivityRow) => formatTimedKey(at, message_id);
const LATEST: ActivityPlace = {
  at: new Date("9999-01-01T00:00:00Z"),
  messageId: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

function placeOf(cursor: string | undefined): ActivityPlace {
  const place = parseTimedCursor(cursor);
  return place ? { at: place.at, messageId: place.id } : LATEST;
}
