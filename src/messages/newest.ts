import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import type { SeatState } from "../rooms/access.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import type { Message } from "../wire/models.ts";
import { addPrivateParts, readEmbedsById, readOlder, toSharedMessage } from "./read.ts";

const MAX_BYTES = 48 * 1024 * 1024;

/** The newest messages of a room as JSON, without what differs by viewer. */
type Page = {
  /** The room's number and the people's version that it was read at: it is good for these alone. */
  lastSeq: number;
  peopleVersion: number;
  /** JSON of each message, the oldest first. */
  texts: string[];
  /** The `client_id` of messages that have one, which only their authors see. */
  clientIds: { index: number; authorId: string; clientId: string }[];
  hasMore: boolean;
};

/** A page, and whether it is the same for everyone in the room but for `client_id`. */
type Loaded = { page: Page; isShared: boolean };

/**
 * A cache of what people read when they open a room, as the text that goes out. A page is used only
 * while the room's number and the people's version are the ones that the check of the caller's seat
 * has just read, so it is never staler than a read would be. A page that names rooms is not cached,
 * because which rooms a viewer knows of differs.
 */
export class NewestPages {
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: (page) => page.texts.reduce((sum, text) => sum + text.length, 200),
  });

  /** Reads under way, by what they are for: one read serves everyone who asks meanwhile. */
  readonly #loads = new Map<string, Promise<Loaded>>();

  constructor(private readonly sql: SqlClient) {}

  /** @returns the JSON of a `History` */
  async read(viewerId: string, roomId: string, seat: SeatState): Promise<string> {
    const cached = this.#pages.get(roomId);
    const isFresh = cached?.lastSeq === seat.lastSeq && cached.peopleVersion === seat.peopleVersion;
    return renderPage(isFresh ? cached : await this.#loadOnce(viewerId, roomId, seat), viewerId);
  }

  async #loadOnce(viewerId: string, roomId: string, seat: SeatState): Promise<Page> {
    const key = `${roomId} ${seat.lastSeq} ${seat.peopleVersion}`;
    const underWay = this.#loads.get(key);
    if (underWay) {
      const { page, isShared } = await underWay;
      return isShared ? page : (await this.#load(viewerId, roomId, seat)).page;
    }
    const load = this.#load(viewerId, roomId, seat).finally(() => this.#loads.delete(key));
    this.#loads.set(key, load);
    return (await load).page;
  }

  async #load(viewerId: string, roomId: string, seat: SeatState): Promise<Loaded> {
    const newest = Number.MAX_SAFE_INTEGER;
    const { rows, hasMore } = await readOlder(this.sql, roomId, newest, DEFAULT_PAGE);
    const embeds = await readEmbedsById(this.sql, rows, () => viewerId);
    const messages = rows.map((row) => {
      const shared = toSharedMessage(row, embeds.get(row.id));
      return { ...addPrivateParts(shared, row, viewerId, embeds.get(row.id)), client_id: null };
    });
    const page: Page = {
      lastSeq: seat.lastSeq,
      peopleVersion: seat.peopleVersion,
      texts: messages.map((message) => JSON.stringify(message)),
      clientIds: rows.flatMap(({ author_id: authorId, client_id: clientId }, index) =>
        clientId === null ? [] : { index, authorId, clientId },
      ),
      hasMore,
    };
    const namesRooms = [...embeds.values()].some((row) => row.room_references !== null);
    if (!namesRooms) this.#pages.set(roomId, page);
    return { page, isShared: !namesRooms };
  }
}

/** @returns the JSON of a `History` */
function renderPage({ texts, clientIds, hasMore, lastSeq }: Page, viewerId: string): string {
  const own = clientIds.filter(({ authorId }) => authorId === viewerId);
  const items = own.length > 0 ? [...texts] : texts;
  for (const { index, clientId } of own) {
    items[index] = addClientId(texts[index] as string, clientId);
  }
  return `{"items":[${items.join(",")}],"has_more_before":${hasMore},"has_more_after":false,"seq":${lastSeq}}`;
}

/** The JSON of a message with its `client_id`, for its author. */
export function addClientId(message: string, clientId: string): string {
  return JSON.stringify({ ...(JSON.parse(message) as Message), client_id: clientId });
}
