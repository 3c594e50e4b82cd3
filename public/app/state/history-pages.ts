import { DEFAULT_PAGE } from "../../../src/wire/limits.ts";
import type { History, Message } from "../../../src/wire/models.ts";
import { type Api, ApiError } from "../connection/api.ts";

/**
 * What a page of history is around: a message, or a time as RFC 3339 has it; else it is the newest, or
 * with `since` what is around that time where the newest do not reach back to it.
 */
export type Around =
  { around: string } | { at: string } | { since: string } | Record<string, never>;

/** This many known messages at an end are tried before the newest are loaded instead. */
const MAX_EDGES = 10;

/** Loads pages of rooms' histories. Every method throws ApiError. */
export class HistoryPages {
  constructor(private readonly api: Api) {}

  async load(roomId: string, where: Around, signal: AbortSignal): Promise<History> {
    if (!("since" in where) || !where.since) return this.#page(roomId, where, signal);
    const newest = await this.#page(roomId, {}, signal);
    const first = newest.items[0];
    const isWhole = !newest.has_more_before || !first || first.created_at < where.since;
    return isWhole ? newest : this.#page(roomId, { at: where.since }, signal);
  }

  /** The messages beyond the first or last known one, or beyond its neighbour if that is deleted. */
  async loadBeyond(
    roomId: string,
    known: Message[],
    direction: "before" | "after",
    signal: AbortSignal,
  ): Promise<History> {
    const ordered = direction === "before" ? known : known.toReversed();
    for (const { id } of ordered.slice(0, MAX_EDGES)) {
      try {
        return await this.#page(roomId, { [direction]: id }, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "message_not_found") throw error;
      }
    }
    // All that was known is deleted.
    return this.#page(roomId, {}, signal);
  }

  #page(roomId: string, where: Record<string, string>, signal: AbortSignal): Promise<History> {
    // The service caches the newest page of this size.
    const query = { limit: DEFAULT_PAGE, ...where };
    return this.api.call(
      "GET /api/rooms/:id/messages",
      { params: { id: roomId }, query },
      { signal },
    );
  }
}
