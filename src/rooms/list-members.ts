import { renderUsers } from "../accounts/user-texts.ts";
import type { SqlClient } from "../database/connect.ts";
import { decodeCursor, renderTextPage, toPage } from "../platform/cursor.ts";
import { toStatus } from "../presence/read.ts";
import { MAX_MEMBERS_AT_ONCE, MAX_MEMBERS_PER_QUERY } from "../wire/limits.ts";
import type { MembersQuery } from "../wire/queries.ts";
import { checkSeat } from "./access.ts";
import { MIN_LARGE_ROOM, readLargeRoom, renderMemberStart } from "./member-texts.ts";
import {
  type MemberHead,
  readMemberHeadsByName,
  readNamedMemberHeads,
  readSortedMemberHeads,
} from "./member-statements.ts";

/** A page of a room with more members is read along the usernames of all users, not sorted each time. */
const MAX_SORTED_MEMBERS = 1_000;

/**
 * Lists the room's members by username: in pages, all at once, or those that the query names.
 * @returns the JSON of a page of `Member`
 * @throws Refusal of `checkSeat`
 */
export async function listMembers(
  sql: SqlClient,
  viewerId: string,
  roomId: string,
  query: MembersQuery,
): Promise<string> {
  const seat = await checkSeat(sql, viewerId, roomId, "room_member");
  const { memberCount } = seat;
  const named = query.user_ids?.split(",");
  const after = decodeCursor(query.cursor) ?? "";
  const areAll = query.all && !named && after === "" && memberCount <= MAX_MEMBERS_AT_ONCE;
  if (areAll && memberCount >= MIN_LARGE_ROOM) {
    return renderTextPage(await readLargeRoom(sql, roomId, seat), null);
  }
  const pageLimit = query.all ? MAX_MEMBERS_AT_ONCE : query.limit;
  const limit = named ? MAX_MEMBERS_PER_QUERY : pageLimit;
  const isSorted = memberCount <= Math.max(MAX_SORTED_MEMBERS, limit);
  const readPage = isSorted ? readSortedMemberHeads : readMemberHeadsByName;
  const heads = named
    ? await readNamedMemberHeads(sql, roomId, named, after)
    : await readPage(sql, roomId, { after, limit: limit + 1 });
  const { items, next } = toPage(
    heads,
    limit,
    ({ username }) => username,
    (head) => head,
  );
  const people = await renderUsers(sql, items);
  return renderTextPage(
    people.map((user, index) => renderMember(user, items[index] as MemberHead)),
    next,
  );
}

/** @returns the JSON of a `Member` */
function renderMember(user: string, head: MemberHead): string {
  return `${renderMemberStart(user, head)}${toStatus(head.isOnline)}"}`;
}
