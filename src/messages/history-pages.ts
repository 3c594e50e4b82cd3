import type { SqlClient } from "../database/connect.ts";
import type { SeatState } from "../rooms/access.ts";
import { type Loaded, SeatCache } from "../rooms/seat-cache.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import type { Message } from "../wire/models.ts";
import type { HistoryQuery } from "../wire/queries.ts";
import { type PageOwner, readPageRows } from "./page-rows.ts";
import { toViewersMessage } from "./read.ts";

const MAX_BYTES = 48 * 1024 * 1024;

/** A page of a room's history as JSON, without what differs by viewer. */
type Page = {
  /** JSON of each message, the oldest first. */
  texts: string[];
  /** The `client_id` of messages that have one, which only their authors see. */
  clientIds: { index: number; authorId: string; clientId: string }[];
  /** The end of the JSON, after the items. */
  end: string;
};

/**
 * A cache of pages of rooms' histories, as the text that goes out. A page that names rooms is not
 * cached, because which rooms a viewer knows of differs.
 */
export class HistoryPages {
  readonly #pages = new SeatCache<Page>(MAX_BYTES, ({ texts }) =>
    texts.reduce((sum, text) => sum + text.length, 500),
  );

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
    const page = await this.#pages.read(key, seat, () => this.#load(owner, query));
    return renderPage(page, viewerId);
  }

  async #load(owner: PageOwner, query: HistoryQuery): Promise<Loaded<Page>> {
    const { rows, hasMoreBefore, hasMoreAfter } = await readPageRows(this.sql, owner, query);
    const value = {
      texts: rows.map((row) =>
        JSON.stringify({ ...toViewersMessage(row, owner.viewerId), client_id: null }),
      ),
      clientIds: rows.flatMap(({ author_id: authorId, client_id: clientId }, index) =>
        clientId === null ? [] : { index, authorId, clientId },
      ),
      end: `],"has_more_before":${hasMoreBefore},"has_more_after":${hasMoreAfter},"seq":${owner.lastSeq}}`,
    };
    return { value, isShared: rows.every((row) => !row.embeds?.room_references) };
  }
}

/** @returns the JSON of a `History` */
function renderPage({ texts, clientIds, end }: Page, viewerId: string): string {
  const own = clientIds.filter(({ authorId }) => authorId === viewerId);
  const items = own.length > 0 ? [...texts] : texts;
  for (const { index, clientId } of own) {
    items[index] = addClientId(texts[index] as string, clientId);
  }
  return `{"items":[${items.join()}${end}`;
}

/** The JSON of a message with its `client_id`, for its author. */
export function addClientId(message: string, clientId: string): string {
  return JSON.stringify({ ...(JSON.parse(message) as Message), client_id: clientId });
}
