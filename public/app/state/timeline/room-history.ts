import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Message } from "../../../../src/wire/models.ts";
import { ApiError } from "../../connection/api.ts";
import { eventsOfView } from "../events/apply-event.ts";
import type { Loaded, ViewPage } from "../events/receive.ts";
import type { Journal } from "../load.ts";
import { trimView } from "../model/message-list.ts";
import { emptyView, type RoomView, type State, withView } from "../model/model.ts";
import { scrollPositions } from "./span.ts";
import { DEFAULT_PAGE } from "../../../../src/wire/limits.ts";

type RoomHistoryDeps = {
  state: Signal<State>;
  journal: Journal;
  fetchPage: FetchPage;
  receive(source: Loaded): void;
  /** Called when a page is in its view, or failed to load. */
  onLoaded?(key: string): void;
  /** Called if the message of a link does not exist, or was deleted. */
  onMissing(): void;
  /** Called if a page includes events that the view had not received yet. */
  onAhead(roomId: string): void;
};

/** Refusals of a link whose message does not exist, or whose id is invalid. */
const NO_MESSAGE = new Set<string>(["message_not_found", "validation"]);

/** Above this number of events during a request, the page is requested again. */
const MAX_EVENTS = 1_000;

/** A request for a page of a room's history, in flight. */
type PageRequest = {
  key: string;
  /** Events since the request. */
  events: readonly ServerEvent[];
  abort: AbortController;
  done: Promise<void>;
};

/**
 * Loads pages of rooms and threads into their views, one at a time for each. A page states which
 * events it includes; later events that arrived during the request are applied to it.
 */
export class RoomHistory {
  readonly #requests = new Map<string, PageRequest>();
  readonly #pages: HistoryPages;

  constructor(private readonly deps: RoomHistoryDeps) {
    this.#pages = new HistoryPages(deps.fetchPage);
  }

  /** Loads a page that replaces the view's messages. An error is stored in the view. */
  load(roomId: string, position: Around = {}): Promise<void> {
    return this.#start(roomId, (request) => this.#load(roomId, position, request));
  }

  /**
   * Loads the messages around a time, unless they are loaded.
   * @returns the first message at or after that time, or else the newest; null in an empty room
   * @throws ApiError; the view stays as it was
   */
  async loadAt(roomId: string, at: string): Promise<Message | null> {
    if (!coversTime(this.#view(roomId), at)) {
      await this.#start(roomId, (request) => this.#read(roomId, { at }, request));
    }
    const { messages } = this.#view(roomId);
    return messages.find((message) => message.created_at >= at) ?? messages.at(-1) ?? null;
  }

  /** Counts what is unread in a room, if not all of it is loaded. After an error the count is unknown. */
  async countUnread(roomId: string): Promise<void> {
    await this.deps.journal.collect(async (events) => {
      const page = await this.#pages.count(roomId);
      if (page) this.deps.receive({ key: roomId, page, use: "count", events });
    });
  }

  /** Loads messages before the first loaded one, or after the last. */
  loadMore(roomId: string, direction: "before" | "after"): Promise<void> {
    const request = this.#requests.get(roomId);
    return request?.done ?? this.#start(roomId, (next) => this.#loadMore(roomId, direction, next));
  }

  /** Requests a page again if too many events have arrived during its request. */
  onEvent(): void {
    for (const request of this.#requests.values()) {
      if (request.events.length <= MAX_EVENTS) continue;
      const { key, events } = request;
      if (eventsOfView(key, this.#view(key), events).length > MAX_EVENTS) void this.load(key);
    }
  }

  isLoading(key: string): boolean {
    return this.#requests.has(key);
  }

  cancel(roomId: string): void {
    this.#requests.get(roomId)?.abort.abort();
    this.#requests.delete(roomId);
  }

  /** Removes messages of a view that was left, except those around where it was left. */
  trim(roomId: string): void {
    const view = this.#view(roomId);
    const trimmed = view.loaded && trimView(view, scrollPositions.get(roomId)?.id ?? null);
    if (!trimmed) return;
    // A page in flight would be adjacent to messages that are removed here.
    this.cancel(roomId);
    this.#change(roomId, trimmed);
  }

  stop(): void {
    for (const roomId of this.#requests.keys()) this.cancel(roomId);
  }

  /** Starts to load a page, and cancels the room's previous request. */
  #start(roomId: string, work: (request: PageRequest) => Promise<void>): Promise<void> {
    this.cancel(roomId);
    const request: PageRequest = {
      key: roomId,
      events: [],
      abort: new AbortController(),
      done: Promise.resolve(),
    };
    this.#requests.set(roomId, request);
    request.done = this.deps.journal.collect(async (events) => {
      request.events = events;
      await work(request).finally(() => {
        if (this.#requests.get(roomId) !== request) return;
        this.#requests.delete(roomId);
        this.deps.onLoaded?.(roomId);
      });
    });
    return request.done;
  }

  async #load(roomId: string, position: Around, request: PageRequest): Promise<void> {
    try {
      await this.#read(roomId, position, request);
    } catch (error) {
      if (request.abort.signal.aborted) return;
      if ("around" in position && error instanceof ApiError && NO_MESSAGE.has(error.code)) {
        this.deps.onMissing();
        return this.#load(roomId, {}, request);
      }
      this.#change(roomId, { problem: toProblem(error) });
    }
  }

  async #read(roomId: string, position: Around, request: PageRequest): Promise<void> {
    const page = await this.#pages.load(roomId, position, request.abort.signal);
    if (request.abort.signal.aborted) return;
    const { seq } = this.#view(roomId);
    this.deps.receive({ key: roomId, page, use: "replace", events: request.events });
    if (seq !== null && seq < page.seq) this.deps.onAhead(roomId);
  }

  async #loadMore(
    roomId: string,
    direction: "before" | "after",
    request: PageRequest,
  ): Promise<void> {
    if (this.#view(roomId).stuck) this.#change(roomId, { stuck: null });
    try {
      const { messages: loaded } = this.#view(roomId);
      const { signal } = request.abort;
      const page = await this.#pages.loadBeyond(roomId, loaded, direction, signal);
      if (request.abort.signal.aborted) return;
      this.deps.receive({ key: roomId, page, use: direction, events: request.events });
    } catch (error) {
      if (request.abort.signal.aborted) return;
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

function toProblem(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError("not_answering");
}

/**
 * Which page of history to load: around a message or a time (RFC 3339), or the newest; with
 * `since`, around that time if the newest messages do not reach back to it. `around_read_mark` is
 * the same for a thread, the time of whose mark only the service knows.
 */
export type Around =
  | { around: string }
  | { at: string }
  | { since: string }
  | { around_read_mark: "true" }
  | Record<string, never>;

/** How many messages at an end are tried as anchors before the newest page is loaded instead. */
const MAX_EDGES = 10;

/** Loads a page of a room, or of a thread. */
type FetchPage = (
  key: string,
  query: Record<string, string | number>,
  signal: AbortSignal,
) => Promise<ViewPage>;

/** Loads pages of rooms' histories and of threads. Every method throws ApiError. */
class HistoryPages {
  constructor(private readonly fetchPage: FetchPage) {}

  async load(roomId: string, position: Around, signal: AbortSignal): Promise<ViewPage> {
    if (!("since" in position) || !position.since) return this.#page(roomId, position, signal);
    const newest = await this.#page(roomId, {}, signal);
    const first = newest.items[0];
    const isWhole = !newest.has_more_before || !first || first.created_at < position.since;
    return isWhole ? newest : this.#page(roomId, { at: position.since }, signal);
  }

  /**
   * The messages beyond the first or last loaded one, or beyond its neighbour if that was deleted.
   */
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
    // All loaded messages were deleted.
    return this.#page(roomId, {}, signal);
  }

  /** A page with the count of what is unread; null after an error. */
  count(roomId: string): Promise<ViewPage | null> {
    const query = { limit: 1, unread: "true" };
    return this.fetchPage(roomId, query, new AbortController().signal).catch(() => null);
  }

  #page(roomId: string, position: Record<string, string>, signal: AbortSignal): Promise<ViewPage> {
    // The service caches the newest page of this size.
    return this.fetchPage(roomId, { limit: DEFAULT_PAGE, ...position }, signal);
  }
}

/** Whether a view contains the first message at or after a time, or shows that no such message exists. */
export function coversTime(
  { messages, hasBefore, hasAfter, loaded }: RoomView,
  at: string,
): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!loaded || !first || !last) return loaded;
  return (!hasBefore || first.created_at < at) && (!hasAfter || last.created_at >= at);
}
