import type { Signal } from "@preact/signals";
import type { RoomEvent } from "../../../../src/wire/events.ts";
import type { History, Message } from "../../../../src/wire/models.ts";
import { ApiError } from "../../connection/api.ts";
import { changeView } from "../events/apply-event.ts";
import { insertMessage, trimView } from "../model/message-list.ts";
import { emptyView, type RoomView, type State, type ThreadPart, withView } from "../model/model.ts";
import { places } from "./span.ts";
import { DEFAULT_PAGE } from "../../../../src/wire/limits.ts";

type RoomHistoryDeps = {
  state: Signal<State>;
  fetchPage: FetchPage;
  /** Whether an event is about a view. */
  isAbout(key: string, event: RoomEvent): boolean;
  /** A page is in its view, or could not be loaded. */
  onLanded?(key: string): void;
  /** The message of a link does not exist, or was deleted. */
  onMissing(): void;
  /** A page included events that the view had not received yet. */
  onAhead(roomId: string): void;
};

/** Refusals of a link whose message does not exist, or whose id is invalid. */
const NO_MESSAGE = new Set<string>(["message_not_found", "validation"]);

/** A request for a page of a room's history. */
type Flight = {
  abort: AbortController;
  done: Promise<void>;
  /** Events of the room since the request. */
  heard: RoomEvent[];
};

/** Above this number of events during a request, the page is requested again. */
const MAX_HEARD = 1_000;

/**
 * Loads pages of rooms and threads into their views, one at a time for each. A page says which
 * events it includes; later ones that arrived during the request are applied to it.
 */
export class RoomHistory {
  readonly #flights = new Map<string, Flight>();
  readonly #pages: HistoryPages;

  constructor(private readonly deps: RoomHistoryDeps) {
    this.#pages = new HistoryPages(deps.fetchPage);
  }

  /** Loads a page that replaces what is loaded. An error is stored in the view. */
  load(roomId: string, where: Around = {}): Promise<void> {
    return this.#fly(roomId, (flight) => this.#load(roomId, where, flight));
  }

  /**
   * Loads the messages around a time, unless they are loaded.
   * @returns the first message at or after it, else the newest; null in an empty room
   * @throws ApiError; the view stays as it was
   */
  async loadAt(roomId: string, at: string): Promise<Message | null> {
    if (!coversTime(this.#view(roomId), at)) {
      await this.#fly(roomId, (flight) => this.#read(roomId, { at }, flight));
    }
    const { messages } = this.#view(roomId);
    return messages.find((message) => message.created_at >= at) ?? messages.at(-1) ?? null;
  }

  /** Loads messages before the first loaded one, or after the last. */
  loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    const flight = this.#flights.get(roomId);
    return flight?.done ?? this.#fly(roomId, (next) => this.#loadMore(roomId, direction, next));
  }

  /** Remembers an event for the page of that room that is being loaded. */
  onEvent(event: RoomEvent): void {
    for (const [key, flight] of this.#flights) {
      if (!this.deps.isAbout(key, event)) continue;
      flight.heard.push(event);
      if (flight.heard.length > MAX_HEARD) void this.load(key);
    }
  }

  isLoading(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Cancels a room's request. */
  cancel(roomId: string): void {
    this.#flights.get(roomId)?.abort.abort();
    this.#flights.delete(roomId);
  }

  /** Removes messages of a view that was left, except those around the place where it was left. */
  trim(roomId: string): void {
    const view = this.#view(roomId);
    const trimmed = view.loaded && trimView(view, places.get(roomId)?.id ?? null);
    if (!trimmed) return;
    // A page that is under way continues what is removed here.
    this.cancel(roomId);
    this.#change(roomId, trimmed);
  }

  /** Cancels all requests. */
  stop(): void {
    for (const roomId of this.#flights.keys()) this.cancel(roomId);
  }

  /** Starts to load a page; the room's request before it is cancelled. */
  #fly(roomId: string, work: (flight: Flight) => Promise<void>): Promise<void> {
    this.cancel(roomId);
    const flight: Flight = { abort: new AbortController(), done: Promise.resolve(), heard: [] };
    this.#flights.set(roomId, flight);
    flight.done = work(flight).finally(() => {
      if (this.#flights.get(roomId) !== flight) return;
      this.#flights.delete(roomId);
      this.deps.onLanded?.(roomId);
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
    const history = await this.#pages.load(roomId, where, flight.abort.signal);
    if (flight.abort.signal.aborted) return;
    const { seq } = this.#view(roomId);
    this.#change(roomId, {
      ...caughtUp(
        {
          ...this.#view(roomId),
          messages: history.items,
          hasBefore: history.has_more_before,
          hasAfter: history.has_more_after,
          ...(history.thread && { thread: history.thread }),
        },
        history,
        flight,
      ),
      seq: Math.max(seq ?? 0, lastHeard(history, flight)),
      loaded: true,
      problem: null,
      stuck: null,
    });
    if (seq !== null && seq < history.seq) this.deps.onAhead(roomId);
  }

  async #loadMore(roomId: string, direction: "before" | "after", flight: Flight): Promise<void> {
    if (this.#view(roomId).stuck) this.#change(roomId, { stuck: null });
    try {
      const { messages: loaded } = this.#view(roomId);
      const { signal } = flight.abort;
      const history = await this.#pages.loadBeyond(roomId, loaded, direction, signal);
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

  #view(roomId: string): RoomView {
    return this.deps.state.value.views[roomId] ?? emptyView;
  }

  #change(roomId: string, change: Partial<RoomView>): void {
    this.deps.state.value = withView(this.deps.state.value, roomId, change);
  }
}

/** The view with a page, and with the later events that arrived during the request. */
function caughtUp(view: RoomView, piece: History, { heard }: Flight): RoomView {
  let now = view;
  for (const event of heard.toSorted((a, b) => a.seq - b.seq)) {
    if (event.seq > piece.seq) now = { ...now, ...changeView(now, event) };
  }
  return now;
}

/** The number up to which a page, with the events that follow it without a gap, is complete. */
function lastHeard({ seq }: History, { heard }: Flight): number {
  const numbers = heard.map((event) => event.seq).toSorted((a, b) => a - b);
  return numbers.reduce((last, number) => (number === last + 1 ? number : last), seq);
}

function toProblem(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError("not_answering");
}

/**
 * The place of a page of history: around a message or a time (RFC 3339), or the newest; with
 * `since`, around that time if the newest messages do not reach back to it.
 */
export type Around =
  { around: string } | { at: string } | { since: string } | Record<string, never>;

/** This many known messages at an end are tried before the newest are loaded instead. */
const MAX_EDGES = 10;

/** A page of a thread has more fields. */
type ViewPage = History & { thread?: ThreadPart };

/** Loads a page of a room, or of a thread. */
type FetchPage = (
  key: string,
  query: Record<string, string | number>,
  signal: AbortSignal,
) => Promise<ViewPage>;

/** Loads pages of rooms' histories and of threads. Every method throws ApiError. */
class HistoryPages {
  constructor(private readonly fetchPage: FetchPage) {}

  async load(roomId: string, where: Around, signal: AbortSignal): Promise<ViewPage> {
    if (!("since" in where) || !where.since) return this.#page(roomId, where, signal);
    const newest = await this.#page(roomId, {}, signal);
    const first = newest.items[0];
    const isWhole = !newest.has_more_before || !first || first.created_at < where.since;
    return isWhole ? newest : this.#page(roomId, { at: where.since }, signal);
  }

  /** The messages beyond the first or last known one, or beyond its neighbour if that is deleted. */
  async loadBeyond(
    roomId: string,
    messages: Message[],
    direction: "before" | "after",
    signal: AbortSignal,
  ): Promise<ViewPage> {
    const ordered = direction === "before" ? messages : messages.toReversed();
    for (const { id } of ordered.slice(0, MAX_EDGES)) {
      try {
        return await this.#page(roomId, { [direction]: id }, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "message_not_found") throw error;
      }
    }
    // All known messages were deleted.
    return this.#page(roomId, {}, signal);
  }

  #page(roomId: string, where: Record<string, string>, signal: AbortSignal): Promise<ViewPage> {
    // The service caches the newest page of this size.
    return this.fetchPage(roomId, { limit: DEFAULT_PAGE, ...where }, signal);
  }
}

/** Whether a view contains the first message at or after a time, or shows that no message is that new. */
export function coversTime(
  { messages, hasBefore, hasAfter, loaded }: RoomView,
  at: string,
): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!loaded || !first || !last) return loaded;
  return (!hasBefore || first.created_at < at) && (!hasAfter || last.created_at >= at);
}
