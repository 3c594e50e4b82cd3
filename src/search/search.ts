import type { Database, SqlClient } from "../database/connect.ts";
import { isCanceled } from "../database/errors.ts";
import { readEmbedsById, toViewersMessage } from "../messages/read.ts";
import { encodeCursor } from "../platform/input/cursor.ts";
import { LARGEST_ID, smallestIdAt, SMALLEST_ID, timeOfId } from "../platform/ids.ts";
import type { Slices } from "../platform/concurrency/slices.ts";
import type { SearchResult, SearchResults } from "../wire/models.ts";
import type { SearchMessagesQuery } from "../wire/queries.ts";
import type { Range } from "../wire/search-match.ts";
import { type Candidate, matchTexts, type Plan } from "./compile.ts";
import { prepareSearch, type PreparedSearch } from "./prepare.ts";
import { MAX_RANKED, rankMatch } from "./rank.ts";
import {
  readCandidates,
  readIndexExtent,
  type SearchedRoom,
  type DaySpan,
  divideDays,
  windowQuery,
} from "./query.ts";
import { dayOf, startOfDay } from "./tokens.ts";
import { FairSemaphore } from "../platform/concurrency/semaphore.ts";
import type { Metrics } from "../platform/metrics.ts";
import { Refusal } from "../platform/refusal.ts";

/**
 * Time limit of a search, including checks of message texts. After it, the search returns what it has
 * found.
 */
const BUDGET_MS = 800;
/** Messages whose text is checked at a time. */
const CHECKED_AT_ONCE = 200;
/**
 * If the rooms are at most this many, or at most this share of all messages, the index also selects by
 * room.
 */
const MAX_INDEXED_ROOMS = 16;
const MAX_INDEXED_SHARE = 0.02;
const MAX_INDEXED_ROOMS_OF_SHARE = 200;
/** How much the clocks of two processes, which assign ids and times, may differ. */
const CLOCK_MS = 60_000;

/**
 * Searches the messages of the rooms that the viewer is currently in, the newest first by default. Searches
 * windows of days until a page is complete, everything is searched, or the time is up.
 * @param slices yields to other work between text checks
 * @throws Refusal `empty_query`, `query_too_wide`, `query_too_long`, `too_many_parts`, `validation`,
 * `search_busy`; of `requireMembership` for `room_id`; `message_not_found` for `thread_id`
 */
export async function searchMessages(
  { database, slots }: { database: Database; slots: SearchSlots },
  viewerId: string,
  query: SearchMessagesQuery,
  slices: Slices,
): Promise<SearchResults> {
  const preparedSearch = await prepareSearch(database.sql, viewerId, query);
  const { rooms, plan } = preparedSearch;
  const page = await slots.run((sql) => new Search(sql, viewerId, preparedSearch, slices).run());
  if (query.sort === "relevance") page.rows = rankRows(page.rows, preparedSearch);
  const incomplete = rooms.filter(({ is_whole }) => !is_whole);
  const embeds = await readEmbedsById(database.sql, page.rows, () => viewerId);
  const byId = new Map(rooms.map((room) => [room.id, room]));
  const items = await slices.map(page.rows, (row): SearchResult[] => {
    const room = byId.get(row.room_id);
    if (!room) return [];
    const { matches } = row;
    const message = toViewersMessage({ ...row, embeds: embeds.get(row.id) ?? null }, viewerId);
    return [{ message, room: { id: room.id, kind: room.kind, name: room.name }, matches }];
  });
  return {
    items: items.flat(),
    next: page.position === null || query.sort === "relevance" ? null : encodeCursor(page.position),
    searched_until: searchedUntil(page, incomplete),
    is_complete: incomplete.length === 0,
    unknown: plan.unknown,
  };
}

/** A matching message and the ranges of its text to highlight. */
type Match = Candidate & { matches: Range[] };

type Page = {
  rows: Match[];
  /** The position of the next page; null if everything was searched. */
  position: string | null;
};

/**
 * The time back to which messages were searched. While rooms are being indexed, the time after which
 * all messages are indexed.
 */
function searchedUntil({ rows, position }: Page, incomplete: SearchedRoom[]): string | null {
  if (position !== null) {
    const last = rows.at(-1);
    const time = last?.id === position ? last.created_at : new Date(timeOfId(position));
    return time.toISOString();
  }
  if (incomplete.length === 0) return null;
  const now = Date.now();
  const times = incomplete.map(({ indexed_since }) => indexed_since?.getTime() ?? now);
  return new Date(Math.max(...times)).toISOString();
}

/** The messages that match best, the newest first of those that match equally. */
function rankRows(rows: Match[], { plan, limit }: PreparedSearch): Match[] {
  return rows
    .map((row) => ({ row, rank: rankMatch(row, plan.requiredTerms) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ row }) => row);
}

class Search {
  readonly #until = performance.now() + BUDGET_MS;
  readonly #matches: Match[] = [];
  readonly #plan: Plan;
  /** Messages up to this position have been searched. */
  #position: string;
  /** Whether the position has advanced since the search started. */
  #hasMoved = false;

  constructor(
    private readonly sql: Database["sql"],
    private readonly viewerId: string,
    private readonly preparedSearch: PreparedSearch,
    private readonly slices: Slices,
  ) {
    this.#plan = preparedSearch.plan;
    this.#position = preparedSearch.cursor ?? (this.#isNewest ? LARGEST_ID : SMALLEST_ID);
  }

  get #isNewest(): boolean {
    return this.preparedSearch.sort !== "oldest";
  }

  get #order(): "newest" | "oldest" {
    return this.#isNewest ? "newest" : "oldest";
  }

  /** How many messages to find: those of the page, or those to rank. */
  get #limit(): number {
    const { sort, limit } = this.preparedSearch;
    return sort === "relevance" ? MAX_RANKED : limit;
  }

  async run(): Promise<Page> {
    try {
      if (await this.#searchWindows()) return { rows: this.#matches, position: null };
    } catch (error) {
      if (!isCanceled(error)) throw error;
      if (!this.#hasMoved) throw makeBusyRefusal();
    }
    const rows = this.#matches.slice(0, this.#limit);
    const isFull = this.#matches.length > this.#limit;
    return { rows, position: isFull ? (rows.at(-1)?.id ?? null) : this.#position };
  }

  /** @returns whether everything was searched */
  async #searchWindows(): Promise<boolean> {
    const { rooms } = this.preparedSearch;
    if (rooms.length === 0) return true;
    const extent = await readIndexExtent(this.sql);
    const days = this.#daysToSearch(extent.first_id);
    if (!days) return true;
    const size = rooms.reduce((sum, room) => sum + room.last_seq, 0);
    const isSmallShare =
      rooms.length <= MAX_INDEXED_ROOMS_OF_SHARE && size <= extent.log_size * MAX_INDEXED_SHARE;
    const usesRoomTokens = rooms.length <= MAX_INDEXED_ROOMS || isSmallShare;
    for (const window of divideDays(days, this.#order)) {
      if (!(await this.#searchWindow(window, usesRoomTokens))) return false;
      const day = this.#isNewest ? window.first : window.last + 1;
      this.#moveTo(smallestIdAt(startOfDay(day)));
    }
    return true;
  }

  #moveTo(position: string): void {
    this.#position = position;
    this.#hasMoved = true;
  }

  /** The days of the indexed messages that can match, at most until today; null without any. */
  #daysToSearch(firstId: string | null): DaySpan | null {
    if (firstId === null) return null;
    const { above, below } = this.#bounds();
    const first = Math.max(timeOfId(firstId), timeOfId(above));
    const last = Math.min(Date.now() + CLOCK_MS, timeOfId(below));
    return first <= last ? { first: dayOf(first), last: dayOf(last) } : null;
  }

  /** The smallest and largest id to search, from the dates in the query and the current position. */
  #bounds() {
    const { after, before } = this.#plan;
    const first = after === Number.NEGATIVE_INFINITY ? SMALLEST_ID : smallestIdAt(after - CLOCK_MS);
    const last = before === Number.POSITIVE_INFINITY ? LARGEST_ID : smallestIdAt(before + CLOCK_MS);
    const [smaller = first] = [this.#position, last].sort();
    const greater = [this.#position, first].sort()[1] ?? first;
    return this.#isNewest ? { above: first, below: smaller } : { above: greater, below: last };
  }

  /** @returns false if the page is complete or the time is up */
  async #searchWindow(window: DaySpan, usesRoomTokens: boolean): Promise<boolean> {
    const plan = this.#plan;
    const { rooms, threadId } = this.preparedSearch;
    const limit = this.#limit;
    const isChecked = plan.isLoose || plan.checks.length > 0;
    const size = isChecked ? CHECKED_AT_ONCE : Math.min(limit + 1, CHECKED_AT_ONCE);
    for (;;) {
      if (performance.now() > this.#until) return false;
      const rows = await readCandidates(this.sql, {
        viewerId: this.viewerId,
        sort: this.#order,
        usesRoomTokens,
        limit: size,
        threadId,
        joins: plan.joins,
        readsMentions: plan.readsMentions,
        ...this.#bounds(),
        roomIds: rooms.map(({ id }) => id),
        terms: plan.terms.join(" & "),
        window: [
          `(${windowQuery(window)})`,
          ...plan.excludedTerms.map((term) => `!(${term})`),
        ].join(" & "),
      });
      for (const row of rows) {
        const matches = row.id === null ? null : await this.slices.run(() => this.#match(row));
        if (row.id !== null && matches) this.#matches.push({ ...row, matches });
        this.#moveTo(row.candidate_id);
        if (this.#matches.length > limit || performance.now() > this.#until) return false;
      }
      if (rows.length < size) return true;
    }
  }

  /** @returns null for a message that does not match */
  #match(row: Candidate): Range[] | null {
    const { after, before, checks, requiredTerms, forbiddenTerms } = this.#plan;
    const at = row.created_at.getTime();
    if (at < after || at >= before || !checks.every((check) => check(row))) return null;
    return matchTexts(row, requiredTerms, forbiddenTerms);
  }
}

/** Maximum number of concurrent searches in this process: the size of the search pool. */
const MAX_SEARCHES = 2;
const WAIT_MS = 1_000;

function makeBusyRefusal(): Refusal {
  const detail = "Too many searches are under way. Try again in a moment.";
  return new Refusal("search_busy", detail, { retryAfter: 1 });
}

/** Limits concurrent searches. They use their own connections, so that nothing else waits for them. */
export class SearchSlots {
  readonly #slots = new FairSemaphore({
    permits: MAX_SEARCHES,
    waitMs: WAIT_MS,
    busyError: makeBusyRefusal,
  });

  constructor(
    private readonly sql: SqlClient,
    private readonly seconds: Metrics["searchSeconds"],
  ) {}

  /** @throws Refusal `search_busy` after a second of waiting */
  run<T>(search: (sql: SqlClient) => Promise<T>): Promise<T> {
    return this.#slots.run([], async () => {
      const startedAt = performance.now();
      try {
        return await search(this.sql);
      } finally {
        this.seconds.observe((performance.now() - startedAt) / 1_000);
      }
    });
  }
}
