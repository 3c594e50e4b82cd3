import type { Database } from "../database/connect.ts";
import { likeSubstring } from "../database/like.ts";
import { VersionedTexts } from "../database/versioned-texts.ts";
import { decodeCursor, renderTextPage, toPage } from "../platform/cursor.ts";
import { MAX_ROOMS_AT_ONCE } from "../wire/limits.ts";
import type { AdminRoomQuery, BrowseQuery, PageQuery, RoomsQuery } from "../wire/queries.ts";
import type { Need } from "./access.ts";
import { readRooms } from "./read.ts";
import { readOpenHeads } from "./browse-statements.ts";
import { type RoomHead, readAllHeads, readMemberHeads } from "./read-statements.ts";
import type { RoomTexts } from "./room-texts.ts";

/** The first page: every name sorts after the empty string. */
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
 * Open rooms that are not archived, whose name contains the query.
 * @returns the JSON of a page of `MyRoom`
 */
export async function browseRooms(
  texts: RoomTexts,
  viewerId: string,
  { query = "", cursor, limit, sort = "name" }: BrowseQuery,
): Promise<string> {
  const range = { ...rangeOf({ cursor, limit }), pattern: likeSubstring(query.trim()), sort };
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

/** A room's JSON is about 500 characters. */
const MAX_CACHED_ROOMS = 5_000;

/** JSON of rooms as administrators see them. */
export const createAdminRoomTexts = () => new VersionedTexts(MAX_CACHED_ROOMS);

/**
 * All rooms whose name contains the query, by name, private ones included: for administrators.
 * @returns the JSON of a page of `Room`
 */
export async function listAdminRooms(
  { db, sql }: Database,
  texts: VersionedTexts,
  { query, status, cursor, limit }: AdminRoomQuery,
): Promise<string> {
  const text = query?.trim();
  const heads = await readAllHeads(sql, {
    ...rangeOf({ cursor, limit }),
    isArchived: status === undefined ? null : status === "archived",
    pattern: text ? likeSubstring(text) : null,
  });
  return texts.renderPage(
    heads.map(({ id, name, versions }) => ({ id, name, version: versions })),
    limit,
    ({ name }) => name,
    async (ids) => [...(await readRooms(db, ids)).values()],
  );
}
