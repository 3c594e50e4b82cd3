import { coalesceReads } from "../database/coalesce-reads.ts";
import type { SqlClient } from "../database/connect.ts";
import { checkSeat, type SeatState, toSeatState } from "../rooms/access.ts";
import type { Message } from "../wire/models.ts";
import type { HistoryQuery } from "../wire/queries.ts";
import type { HistoryPages } from "./history-pages.ts";
import { NOWHERE } from "./lock.ts";
import { checkAnchors } from "./page-rows.ts";
import { toViewersMessage } from "./read.ts";
import { hideRefusedRoom, makeMessageNotFound } from "./refusals.ts";
import { readMessages, readPlaces } from "./statements.ts";

/**
 * Reads a page of a room's history, oldest first. Ordered by the number in the room's log, which no two
 * messages share.
 * @returns the JSON of a `History`
 * @throws Refusal of `checkSeat`, `checkAnchors` and `readPageRows`
 */
export async function readHistory(
  sql: SqlClient,
  pages: HistoryPages,
  viewerId: string,
  roomId: string,
  query: HistoryQuery,
): Promise<string> {
  const seat = await checkSeat(sql, viewerId, roomId, "member");
  checkAnchors(query);
  return pages.read(viewerId, roomId, seat, query);
}

/**
 * Reads a message for a member of its room.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function requireMessage(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<Message> {
  await checkPlace(sql, viewerId, messageId);
  const [row] = await readMessages(sql, [messageId], viewerId);
  if (!row) throw makeMessageNotFound();
  return toViewersMessage(row, viewerId);
}

type PlaceKey = { userId: string; messageId: string };
const readPlace = coalesceReads((sql, keys: PlaceKey[]) => readPlaces(sql, keys, NOWHERE.roomId));

/**
 * Checks the seat of a viewer in the room of a message.
 * @throws Refusal `message_not_found`, also if the room is hidden from the viewer; `not_a_member`
 */
export async function checkPlace(
  sql: SqlClient,
  viewerId: string,
  messageId: string,
): Promise<SeatState> {
  const row = await readPlace(sql, { userId: viewerId, messageId });
  try {
    return toSeatState(row, "member");
  } catch (error) {
    return hideRefusedRoom(error);
  }
}
