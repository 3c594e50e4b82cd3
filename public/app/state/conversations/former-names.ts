import type { ServerEvent } from "../../../../src/wire/events.ts";
import { roomById, type State } from "../model/model.ts";

/** Earlier names of rooms while this page is open: an address with one still leads to the room. */
export class FormerNames {
  readonly #ids = new Map<string, string>();

  /** @param state as it was before the event */
  note(state: State, event: Extract<ServerEvent, { type: "room_updated" }>): void {
    const known = roomById(state, event.room_id);
    if (known && known.name !== event.room.name) this.#ids.set(known.name, known.id);
  }

  /**
   * @param name a name, or an id as in the link of a notification
   * @returns the id of the room that had this name; otherwise `name` itself
   */
  idOf(name: string): string {
    return this.#ids.get(name) ?? name;
  }
}
