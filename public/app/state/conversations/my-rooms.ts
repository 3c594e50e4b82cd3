import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { MyRoom } from "../../../../src/wire/models.ts";
import { type Api, ApiError } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { countMentions } from "../activity/count-activity.ts";
import { isUnsure } from "../model/ledger.ts";
import { Load } from "../load.ts";
import { type State, withoutRoom } from "../model/model.ts";
import { type PlaceKind, takeAll } from "./place-kinds.ts";
import { isForMembers, type MemberEvent } from "../../../../src/wire/event-kinds.ts";

type MyRoomsDeps = {
  api: Api;
  clock: Clock;
  state: Signal<State>;
  kind: PlaceKind;
  /** An answer, not an event, said that I am not in a room any more. */
  onGone(roomId: string): void;
  /** An answer, not an event, said that a room has more or fewer unread mentions. */
  onMentionsChanged(): void;
};

/** An answer about a room: null if I am not in it. */
type Answer = { id: string; room: MyRoom | null };

/**
 * The rooms that I am in, and their ledgers. An answer about a room is newer or older by its
 * number. Whether I am in a room has no number: if that changes while an answer is under way, the
 * room is loaded by itself after it.
 */
export class MyRooms {
  readonly #list: Load<MyRoom[]>;
  readonly #one: Load<Answer>;
  /** Rooms that I joined or left since the list was requested. */
  #changed = new Set<string>();
  /** Rooms to load one after the other; at most as many as I am in. */
  readonly #wanted = new Set<string>();
  #asking: string | null = null;
  /** Rooms that I was removed from, with the number of the removal, until I am in them again. */
  readonly #left = new Map<string, number | null>();

  constructor(private readonly deps: MyRoomsDeps) {
    const { api, clock } = deps;
    this.#list = new Load({
      clock,
      fetch: (signal) => {
        this.#changed = new Set();
        return deps.kind.fetchAll(api, signal);
      },
      land: (rooms) => this.#landAll(rooms),
    });
    this.#one = new Load({
      clock,
      fetch: (signal) => this.#fetchOne(signal),
      land: (answer) => this.#landOne(answer),
    });
  }

  /** Loads the list again: events may have been missed. */
  load(): void {
    // The first answer is shown, and followed by a newer one.
    if (this.#known) this.#list.restart();
    else this.#list.ask();
  }

  stop(): void {
    this.#list.cancel();
    this.#one.cancel();
    this.#wanted.clear();
    this.#left.clear();
  }

  /** Merges a call's response about a room, unless I was removed from the room meanwhile. */
  merge(room: MyRoom): void {
    const left = this.#left.get(room.id);
    if (room.membership && left !== undefined && !(left !== null && room.seq > left)) {
      this.#want(room.id);
      return;
    }
    this.#left.delete(room.id);
    this.#change(room.id);
    this.#set(this.deps.kind.take(this.#state, room));
  }

  /** Loads a room that is not in the list. */
  want(roomId: string): void {
    if (!this.#left.has(roomId)) this.#want(roomId);
  }

  /** Whether an answer about this room is under way, which may be older than events meanwhile. */
  isLoading(roomId: string): boolean {
    return this.#list.isUnderWay || (this.#one.isUnderWay && this.#asking === roomId);
  }

  /** Looks at an event after it was applied. */
  onEvent(event: ServerEvent): void {
    const added = this.deps.kind.added(event);
    if (added !== null) {
      this.#left.delete(added);
      this.#change(added);
    } else if (event.type === "room_removed") {
      if (!this.#state.ledgers[event.room_id]) this.#note(event.room_id, event.room_seq);
      this.#change(event.room_id);
    } else if (isForMembers(event) && this.#isUnsure(event)) this.#want(event.room_id);
  }

  /** A request in flight may have an older answer. */
  #change(roomId: string): void {
    this.#changed.add(roomId);
    if (roomId === this.#asking) this.#wanted.add(roomId);
  }

  #note(roomId: string, seq: number | null): void {
    this.#left.set(roomId, seq);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MAX_LEFT && oldest) this.#left.delete(oldest);
  }

  /** Whether a room of mine, or its unread messages, are not known. */
  #isUnsure(event: MemberEvent): boolean {
    const { room_id } = event;
    const ledger = this.#state.ledgers[room_id];
    const meId = this.#state.me?.id;
    if (ledger) return this.#known?.[room_id] !== undefined && isUnsure(ledger, meId);
    return this.#known !== null && !this.#left.has(room_id) && this.deps.kind.mayBe(event);
  }

  #want(roomId: string): void {
    this.#wanted.add(roomId);
    this.#one.ask();
  }

  #landAll(rooms: MyRoom[]): void {
    const known = this.#known ?? {};
    const listed = new Set(rooms.map(({ id }) => id));
    let state = this.#known ? this.#state : this.deps.kind.begin(this.#state);
    // A room that moves in the list between two of its pages is in neither of them.
    for (const id of Object.keys(known)) if (!listed.has(id)) this.#changed.add(id);
    // The room that is being loaded may get an older answer than this one.
    if (this.#asking && listed.has(this.#asking)) this.#wanted.add(this.#asking);
    const unchanged = rooms.filter(({ id }) => !this.#changed.has(id));
    state = takeAll(this.deps.kind, state, unchanged);
    const before = this.#state;
    this.#set(state);
    const isOther = (id: string) => countMentions(before, id) !== countMentions(state, id);
    if (Object.keys(known).some(isOther)) this.deps.onMentionsChanged();
    for (const id of this.#changed) this.#want(id);
  }

  async #fetchOne(signal: AbortSignal): Promise<Answer> {
    const [id = ""] = this.#wanted;
    this.#wanted.delete(id);
    this.#asking = id;
    try {
      return { id, room: await this.deps.kind.fetchOne(this.deps.api, id, signal) };
    } catch (error) {
      if (error instanceof ApiError && error.code === "room_not_found") return { id, room: null };
      // The room is requested again.
      this.#wanted.add(id);
      throw error;
    }
  }

  #landOne({ id, room }: Answer): void {
    this.#asking = null;
    // The room is needed again if I joined or left it during the request.
    if (!this.#wanted.has(id)) {
      if (room) this.#left.delete(id);
      const isOther = this.#state.ledgers[id] !== undefined && !this.#known?.[id];
      const before = countMentions(this.#state, id);
      if (room) this.#set(this.deps.kind.take(this.#state, room));
      // A conversation that has become a room is not gone.
      else if (!isOther) {
        this.#set(withoutRoom(this.#state, id));
        this.deps.onGone(id);
      }
      if (countMentions(this.#state, id) !== before) this.deps.onMentionsChanged();
      const ledger = this.#state.ledgers[id];
      if (room && ledger && isUnsure(ledger, this.#state.me?.id)) this.#wanted.add(id);
    }
    if (this.#wanted.size > 0) this.#one.ask();
  }

  get #known(): Record<string, MyRoom> | null {
    return this.deps.kind.known(this.#state);
  }

  get #state(): State {
    return this.deps.state.value;
  }

  #set(state: State): void {
    this.deps.state.value = state;
  }
}

/** How many left rooms are remembered. For older ones, a request in flight is trusted. */
const MAX_LEFT = 500;
