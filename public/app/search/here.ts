import { background } from "../session/navigation.ts";

/** The filter of the room that is open; null where none is. */
export function hereFilter(): string | null {
  const here = background.value.route;
  return here.name === "room" ? `in:${here.room}` : null;
}
