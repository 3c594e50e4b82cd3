import type { Signal } from "@preact/signals";
import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";
import type { RoomEvent } from "../../../src/wire/events.ts";
import type { History, Message } from "../../../src/wire/models.ts";
import { type Api, ApiError } from "../connection/api.ts";
import { changeView, withKnownNames } from "./apply-event.ts";
import { insertMessage } from "./message-list.ts";
import { emptyView, type RoomView, type State, withView } from "./model.ts";

/**
 * What a piece of history is around: a message, or a time as RFC 3339 has it; else it is the newest, or
 * with `since` what is around that time where the newest do not reach back to it.
 */
export type Around =
  { around: string } | { at: string } | { since: string } | Record<string, never>;

export type RoomHistoryDeps = {
  api: Api;
  state: Signal<State>;
  /** The message of an address is not there, or not any more. */
  onMissing(): void;
  /** A piece brought a view further than its events had. */
  onAhead(roomId: string): void;
};

/** What the service keeps ready for the newest. */
const PAGE = DEFAULT_PAGE;
/** Refusals of an address whose message is not there, or could never be. */
const NO_MESSAGE = new Set<string>(["message_not_found", "validation"]);

/** A piece of a room's history that is under way. */
type Flight = {
  abort: AbortController;
  done: Promise<void>;
  /** What happened in the room since it was asked for. */
  heard: RoomEvent[];
};

/** This many known messages at an end are tried before the newest are loaded instead. */
const MAX_EDGES = 10;

/** More events than one piece can wait for: it is asked for again. */
const MAX_HEARD = 1_000;

/**
 * Loads pieces of rooms' histories into their views, one at a time for a room. A piece says which
 * events it includes; those that were heard meanwhile and come after are applied to it.
 */
export class RoomHistory {
  readonly #flights = new Map<string, Flight>();

  constructor(private readonly deps: RoomHistoryDeps) {}

  /** Loads a piece that takes the place of what is known. What goes wrong is kept with the view. */
  load(roomId: string, where: Around = {}): Promise<void> {
    return this.#fly(roomId, (flight) => this.#load(roomId, where, flight));
  }

  /**
   * Loads around a time, unless that is known already.
   * @returns the first message at or after it, else the newest; null where there is none
   * @throws ApiError, with the view as it was
   */
  async loadAt(roomId: string, at: string): Promise<Message | null> {
    if (!covers(this.#view(roomId), at)) {
      await this.#fly(roomId, (flight) => this.#read(roomId, { at }, flight));
    }
    const { messages } = this.#view(roomId);
    return messages.find((message) => message.created_at >= at) ?? messages.at(-1) ?? null;
  }

  /** Loads the messages before the first known one, or after the last. */
  loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    const flight = this.#flights.get(roomId);
    return flight?.done ?? this.#fly(roomId, (next) => this.#loadMore(roomId, direction, next));
  }

  /** Keeps an event of a room's log for the piece of that room that is under way. */
  onEvent(event: RoomEvent): void {
    const flight = this.#flights.get(event.room_id);
    if (!flight) return;
    flight.heard.push(event);
    if (flight.heard.length > MAX_HEARD) void this.load(event.room_id);
  }

  /** Gives up what is under way for a room. */
  cancel(roomId: string): void {
    this.#flights.get(roomId)?.abort.abort();
    this.#flights.delete(roomId);
  }

  /** Gives up all that is under way. */
  stop(): void {
    for (const roomId of this.#flights.keys()) this.cancel(roomId);
  }

  /** Begins to load a piece; one that is under way is given up. */
  #fly(roomId: string, work: (flight: Flight) => Promise<void>): Promise<void> {
    this.cancel(roomId);
    const flight: Flight = { abort: new AbortController(), done: Promise.resolve(), heard: [] };
    this.#flights.set(roomId, flight);
    flight.done = work(flight).finally(() => {
      if (this.#flights.get(roomId) === flight) this.#flights.delete(roomId);
    });
    return flight.done;
  }

  async #load(roomId: string, where: Around, flight: Flight): Promise<void> {
    try {
      await this.#read(roomId, where, flight);
    } catch (error) {
      if (flight.abort.signal.aborted) return;
      if ("around" in where && error instanceof ApiError && NO_MESSAGE.has(error.code)) {
        this.deps.onMissing();
        return this.#load(roomId, {}, flight);
      }
      this.#change(roomId, { problem: toProblem(error) });
    }
  }

  async #read(roomId: string, where: Around, flight: Flight): Promise<void> {
    const history =
      "since" in where && where.since
        ? await this.#pageSince(roomId, where.since, flight)
        : await this.#page(roomId, where, flight);
    if (flight.abort.signal.aborted) return;
    const { seq } = this.#view(roomId);
    this.#change(roomId, {
      ...caughtUp(
        {
          ...this.#view(roomId),
          messages: history.items,
          hasBefore: history.has_more_before,
          hasAfter: history.has_more_after,
        },
        history,
        flight,
      ),
      seq: Math.max(seq ?? 0, history.seq),
      loaded: true,
      problem: null,
      stuck: null,
    });
    if (seq !== null && seq < history.seq) this.deps.onAhead(roomId);
  }

  async #loadMore(roomId: string, direction: "before" | "after", flight: Flight): Promise<void> {
    if (this.#view(roomId).stuck) this.#change(roomId, { stuck: null });
    try {
      const history = await this.#pageBeyond(roomId, direction, flight);
      if (flight.abort.signal.aborted) return;
      const now = this.#view(roomId);
      const messages = history.items.reduce(insertMessage, now.messages);
      const more =
        direction === "before"
          ? { hasBefore: history.has_more_before }
          : { hasAfter: history.has_more_after };
      this.#change(roomId, caughtUp({ ...now, messages, ...more }, history, flight));
    } catch (error) {
      if (flight.abort.signal.aborted) return;
      this.#change(roomId, { stuck: { direction, problem: toProblem(error) } });
    }
  }

  async #pageSince(roomId: string, since: string, flight: Flight): Promise<History> {
    const newest = await this.#page(roomId, {}, flight);
    const first = newest.items[0];
    const isWhole = !newest.has_more_before || !first || first.created_at < since;
    return isWhole ? newest : this.#page(roomId, { at: since }, flight);
  }

  /** The messages beyond the first or last known one, or beyond its neighbour if that is deleted. */
  async #pageBeyond(
    roomId: string,
    direction: "before" | "after",
    flight: Flight,
  ): Promise<History> {
    const { messages } = this.#view(roomId);
    const ordered = direction === "before" ? messages : messages.toReversed();
    for (const { id } of ordered.slice(0, MAX_EDGES)) {
      try {
        return await this.#page(roomId, { [direction]: id }, flight);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "message_not_found") throw error;
      }
    }
    // All that was known is deleted.
    return this.#page(roomId, {}, flight);
  }

  #page(roomId: string, where: Record<string, string>, { abort }: Flight): Promise<History> {
    return this.deps.api.call(
      "GET /api/rooms/:id/messages",
      { params: { id: roomId }, query: { limit: PAGE, ...where } },
      { signal: abort.signal },
    );
  }

  #view(roomId: string): RoomView {
    return this.deps.state.value.views[roomId] ?? emptyView;
  }

  #change(roomId: string, change: Partial<RoomView>): void {
    const state = withView(this.deps.state.value, roomId, change);
    this.deps.state.value = change.messages ? withKnownNames(state, roomId) : state;
  }
}

/** A view with a piece in it, and what was heard while that was under way. */
function caughtUp(view: RoomView, piece: History, { heard }: Flight): RoomView {
  let now = view;
  for (const event of heard.toSorted((a, b) => a.seq - b.seq)) {
    if (event.seq > piece.seq) now = { ...now, ...changeView(now, event) };
  }
  return now;
}

/** Whether the first message at or after a time is known to be among a view's messages, or to be none. */
export function covers({ messages, hasBefore, hasAfter, loaded }: RoomView, at: string): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!loaded || !first || !last) return loaded;
  return (!hasBefore || first.created_at < at) && (!hasAfter || last.created_at >= at);
}

function toProblem(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError("not_answering");
}
