import type { MyRoom } from "../../../../src/wire/models.ts";
import type { State } from "./model.ts";
import { readNews } from "./news.ts";

/** The number of unread messages in all conversations that are not muted. */
export function countUnreadDirects(state: State): number {
  return Object.values(state.directs ?? {}).reduce(
    (sum, { membership }) => sum + readNews(membership).mentions,
    0,
  );
}

/** A room or conversation of mine by its id. */
export function placeById(state: State, id: string): MyRoom | undefined {
  return state.rooms?.[id] ?? state.directs?.[id];
}
