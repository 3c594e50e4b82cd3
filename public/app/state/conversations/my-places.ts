import { type Signal, signal } from "@preact/signals";
import type { Direct, MyRoom } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { toDirectRoom } from "../model/direct-room.ts";
import type { State } from "../model/model.ts";
import { MyRooms } from "./my-rooms.ts";
import { DIRECTS, ROOMS } from "./place-kinds.ts";

type MyPlacesDeps = {
  api: Api;
  clock: Clock;
  state: Signal<State>;
  /** An answer, not an event, said that I am not in a room or conversation any more. */
  onGone(roomId: string): void;
  /** An answer, not an event, said that a room or conversation has more or fewer unread mentions. */
  onMentionsChanged(): void;
};

/** The rooms and the conversations that I am in. */
export class MyPlaces {
  readonly rooms: MyRooms;
  readonly directs: MyRooms;
  /** The id of the unknown conversation in the page's address. */
  readonly unknownDirect: Signal<string | null> = signal(null);

  constructor(deps: MyPlacesDeps) {
    this.rooms = new MyRooms({ ...deps, kind: ROOMS });
    this.directs = new MyRooms({
      ...deps,
      kind: DIRECTS,
      onGone: (id) => {
        deps.onGone(id);
        this.unknownDirect.value = id;
      },
    });
  }

  /** Loads both lists again: events may have been missed. */
  load(): void {
    this.rooms.load();
    this.directs.load();
  }

  stop(): void {
    this.rooms.stop();
    this.directs.stop();
  }

  /** Merges a call's response about a room or conversation of mine. */
  merge(place: MyRoom | Direct): void {
    if ("name" in place) this.rooms.merge(place);
    else this.directs.merge(toDirectRoom(place));
  }

  /** Loads a conversation that is not in the list: a hidden one, or one that is not mine. */
  wantDirect(id: string): void {
    this.unknownDirect.value = null;
    this.directs.want(id);
  }
}
