import { DEFAULT_PAGE } from "../../../../src/wire/limits.ts";
import type { History, Message } from "../../../../src/wire/models.ts";
import { ApiError } from "../../connection/api.ts";
import type { RoomView, ThreadPart } from "../model/model.ts";

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
export type FetchPage = (
  key: string,
  query: Record<string, string | number>,
  signal: AbortSignal,
) => Promise<ViewPage>;

/** Loads pages of rooms' histories and of threads. Every method throws ApiError. */
export class HistoryPages {
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

/** Whether a view has the first message at or after a time, or shows that there is none. */
export function coversTime(
  { messages, hasBefore, hasAfter, loaded }: RoomView,
  at: string,
): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!loaded || !first || !last) return loaded;
  return (!hasBefore || first.created_at < at) && (!hasAfter || last.created_at >= at);
}
