import type { SqlClient } from "../database/connect.ts";
import type { SeatState } from "../rooms/access.ts";
import { type Loaded, logVersionOf, SeatCache } from "../rooms/seat-cache.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import type { HistoryQuery } from "../wire/queries.ts";
import { type PageOwner, readPageRows } from "./page-rows.ts";
import { areShared, type PageTexts, sizeOfTexts, textsFor, toPageTexts } from "./page-texts.ts";
import { toViewersMessage } from "./read.ts";

const MAX_BYTES = 48 * 1024 * 1024;

/** A page of a room's history as JSON. */
type Page = PageTexts & {
  /** The end of the JSON, after the items. */
  end: string;
};

/**
 * A cache of pages of rooms' histories, as the text that goes out. A page that names rooms is not
 * cached, because which rooms a viewer knows of differs.
 */
export class HistoryPages {
  readonly #pages = new SeatCache<Page>(MAX_BYTES, sizeOfTexts);

  constructor(private readonly sql: SqlClient) {}

  /**
   * @param seat as it was just checked
   * @returns the JSON of a `History`
   * @throws Refusal of `readPageRows`
   */
  async read(
    viewerId: string,
    roomId: string,
    seat: SeatState,
    query: HistoryQuery = { limit: DEFAULT_PAGE },
  ): Promise<string> {
    const { before = "", after = "", around = "", at = "", top = "", limit } = query;
    const key = [roomId, before, after, around, at, top, limit].join(" ");
    const owner = { roomId, viewerId, lastSeq: seat.lastSeq, isTop: top !== "" };
    const page = await this.#pages.read(key, logVersionOf(seat), () => this.#load(owner, query));
    return `{"items":[${textsFor(page, viewerId).join()}${page.end}`;
  }

  async #load(owner: PageOwner, query: HistoryQuery): Promise<Loaded<Page>> {
    const { rows, hasMoreBefore, hasMoreAfter } = await readPageRows(this.sql, owner, query);
    const value = {
      ...toPageTexts(rows, (row) => toViewersMessage(row, owner.viewerId)),
      end: `],"has_more_before":${hasMoreBefore},"has_more_after":${hasMoreAfter},"seq":${owner.lastSeq}}`,
    };
    return { value, isShared: areShared(rows) };
  }
}
