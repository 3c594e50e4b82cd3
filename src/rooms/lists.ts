import { likeSubstring } from "../database/like.ts";
import { decodeCursor, renderTextPage, toPage } from "../platform/cursor.ts";
import { MAX_ROOMS_AT_ONCE } from "../wire/limits.ts";
import type { PageQuery, RoomsQuery, SearchQuery } from "../wire/queries.ts";
import type { Need } from "./access.ts";
import { type RoomHead, readMemberHeads, readOpenHeads } from "./read-statements.ts";
import type { RoomTexts } from "./room-texts.ts";

/** From the start, every name follows the empty one. */
function rangeOf({ cursor, limit }: PageQuery) {
  return { after: decodeCursor(cursor) ?? "", limit: limit + 1 };
}

/**
 * The rooms that the viewer is in, by name.
 * @returns the JSON of a page of `MyRoom`
 */
export async function listRooms(
  texts: RoomTexts,
  viewerId: string,
  { all, cursor, limit: asked }: RoomsQuery,
): Promise<string> {
  const limit = all ? MAX_ROOMS_AT_ONCE : asked;
  const heads = await readMemberHeads(texts.sql, viewerId, rangeOf({ cursor, limit }));
  return renderRoomPage(texts, viewerId, "member", heads, limit);
}

/**
 * Open rooms that are not archived, whose name starts with or contains the query.
 * @returns the JSON of a page of `MyRoom`
 */
export async function browseRooms(
  texts: RoomTexts,
  viewerId: string,
  { query = "", cursor, limit }: SearchQuery,
): Promise<string> {
  const range = { ...rangeOf({ cursor, limit }), pattern: likeSubstring(query.trim()) };
  const heads = await readOpenHeads(texts.sql, viewerId, range);
  return renderRoomPage(texts, viewerId, "see", heads, limit);
}

async function renderRoomPage(
  texts: RoomTexts,
  viewerId: string,
  need: Need,
  heads: RoomHead[],
  limit: number,
): Promise<string> {
  const page = toPage(
    heads,
    limit,
    (head) => head.name,
    (head) => head,
  );
  const items = await texts.read(viewerId, need, page.items);
  return renderTextPage(items, page.next);
}
