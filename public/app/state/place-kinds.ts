import { getAll } from "../connection/api.ts";
import { withAnswer, withDirect } from "./apply-event.ts";
import { toDirectRoom } from "./direct-room.ts";
import type { PlaceKind } from "./my-rooms.ts";

/** The rooms that I am in. */
export const ROOMS: PlaceKind = {
  known: ({ rooms }) => rooms,
  begin: (state) => ({ ...state, rooms: {} }),
  take: withAnswer,
  fetchAll: (api, signal) => getAll(api, "GET /api/rooms", { query: { all: "true" } }, signal),
  async fetchOne(api, id, signal) {
    const room = await api.call("GET /api/rooms/:id", { params: { id } }, { signal });
    return room.membership ? room : null;
  },
  // Events of a log arrive only for what is open, and a conversation is loaded before it is opened.
  mayBe: (event) => !("kind" in event) || event.kind === "room",
  added: (event) => (event.type === "room_added" ? event.room.id : null),
};

/** The conversations that I am in. */
export const DIRECTS: PlaceKind = {
  known: ({ directs }) => directs,
  begin: (state) => ({ ...state, directs: {} }),
  take: withDirect,
  async fetchAll(api, signal) {
    return (await getAll(api, "GET /api/direct", {}, signal)).map(toDirectRoom);
  },
  async fetchOne(api, id, signal) {
    return toDirectRoom(await api.call("GET /api/direct/:id", { params: { id } }, { signal }));
  },
  mayBe: (event) => "kind" in event && event.kind === "direct",
  added: (event) =>
    event.type === "direct_added" || event.type === "direct_updated" ? event.direct.id : null,
};
