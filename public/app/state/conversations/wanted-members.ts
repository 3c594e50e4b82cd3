import { MAX_MEMBERS_PER_QUERY } from "../../../../src/wire/limits.ts";
import type { Member } from "../../../../src/wire/models.ts";
import { type Api, getAll } from "../../connection/api.ts";
import { conversationById, type State } from "../model/model.ts";

/** The members of a room to load: all, or these. */
export type Wanted = "all" | ReadonlySet<string>;

export const NOBODY: Wanted = new Set();

/**
 * Those of the wanted people whom a room shows without its list: authors of the newest messages,
 * and the owner.
 */
export function shownOf(state: State, roomId: string, wanted: Wanted): ReadonlySet<string> {
  const messages = state.views[roomId]?.messages ?? [];
  const shown = new Set(messages.toReversed().map(({ author }) => author.id));
  const owner = conversationById(state, roomId)?.owner;
  const ids = [...(owner ? [owner.id] : []), ...shown].slice(0, MAX_MEMBERS_PER_QUERY);
  return new Set(wanted === "all" ? ids : ids.filter((id) => wanted.has(id)));
}

/** The union of both; all if one request cannot name them. */
export function joinWanted(a: Wanted, b: Wanted): Wanted {
  if (a === "all" || b === "all") return "all";
  const ids = a.union(b);
  return ids.size > MAX_MEMBERS_PER_QUERY ? "all" : ids;
}

/** Loads the members of a room among these people. @throws ApiError */
export async function loadNamedMembers(
  api: Api,
  roomId: string,
  userIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { user_ids: [...userIds].join() } };
  return (await api.call("GET /api/rooms/:id/members", input, { signal })).items;
}

/** Loads all members of a room. @throws ApiError */
export function loadAllMembers(api: Api, roomId: string, signal: AbortSignal): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { all: "true" } } as const;
  return getAll(api, "GET /api/rooms/:id/members", input, signal);
}
