import { type Api, getAll } from "../../connection/api.ts";
import { withAnswer, withDirect } from "../events/answers.ts";
import { toDirectRoom } from "../model/direct-room.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { MyRoom } from "../../../../src/wire/models.ts";
import type { State } from "../model/model.ts";
import { forgetRead } from "../model/unread.ts";

/** Rooms or conversations: the two kinds of places that I am in. */
export type PlaceKind = {
  /** The places that are known; null until they are loaded. */
  known(state: State): Record<string, MyRoom> | null;
  /** The state with an empty list, which counts as loaded. */
  begin(state: State): State;
  /** The state with an answer about a place. */
  take(state: State, room: MyRoom): State;
  fetchAll(api: Api, signal: AbortSignal): Promise<MyRoom[]>;
  /** @returns null where I am not in it */
  fetchOne(api: Api, id: string, signal: AbortSignal): Promise<MyRoom | null>;
  /** Whether an event of an unknown place is about this kind. */
  mayBe(event: ServerEvent): boolean;
  /** The place that an event adds, or changes as a whole. */
  added(event: ServerEvent): string | null;
};

/**
 * The state with a list of places. What was read here may not have reached the service: what is still on the
 * screen is read again.
 */
export function takeAll(kind: PlaceKind, state: State, places: MyRoom[]): State {
  return places.reduce((now, place) => kind.take(forgetRead(now, place.id), place), state);
}

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
