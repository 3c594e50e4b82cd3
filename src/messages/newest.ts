import { LRUCache } from "lru-cache";
import type { SqlClient } from "../database/connect.ts";
import type { SeatState } from "../rooms/access.ts";
import { DEFAULT_PAGE } from "../wire/limits.ts";
import { findEmbeds } from "./embeds.ts";
import { readOlder } from "./older.ts";
import { toMessage } from "./read.ts";

const MOST_BYTES = 48 * 1024 * 1024;

/** The newest messages of a room as JSON, as all in the room may see them. */
type Page = {
  /** What it was read for: whatever happens in a room takes its next number. */
  lastSeq: number;
  peopleVersion: number;
  /** JSON of each message, the oldest first. */
  texts: string[];
  /** Messages whose author is to see the `client_id`: who, and what. */
  own: { place: number; authorId: string; clientId: string }[];
  hasMore: boolean;
};

/** A page, and whether it is the same for all in the room. */
type Loaded = { page: Page; isShared: boolean };

/**
 * What people read when they open a room, kept as the text that goes out. A page is used only while
 * the room's number and the people's version are the ones that the check of the caller's seat has just
 * read, so it is never staler than a read would be. Whatever differs by viewer is put in for each.
 */
export class NewestPages {
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MOST_BYTES,
    sizeCalculation: (page) => page.texts.reduce((sum, text) => sum + text.length, 200),
  });

  /** Pages that are being read, by what they are read for: one read serves all who ask meanwhile. */
  readonly #loads = new Map<string, Promise<Loaded>>();

  constructor(private readonly sql: SqlClient) {}

  /** @returns the JSON of a `History` */
  async read(viewerId: string, roomId: string, seat: SeatState): Promise<string> {
    const kept = this.#pages.get(roomId);
    const isFresh = kept?.lastSeq === seat.lastSeq && kept.peopleVersion === seat.peopleVersion;
    return render(isFresh ? kept : await this.#loadOnce(viewerId, roomId, seat), viewerId);
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
    const { rows, more } = await readOlder(this.sql, roomId, Number.MAX_SAFE_INTEGER, DEFAULT_PAGE);
    const embeds = await findEmbeds(this.sql, rows, () => viewerId);
    const messages = rows.map((row) => toMessage(row, viewerId, embeds.get(row.id)));
    const page: Page = {
      lastSeq: seat.lastSeq,
      peopleVersion: seat.peopleVersion,
      texts: messages.map((message) => JSON.stringify({ ...message, client_id: null })),
      own: rows.flatMap(({ author_id: authorId, client_id: clientId }, place) =>
        clientId === null ? [] : { place, authorId, clientId },
      ),
      hasMore: more,
    };
    // Which rooms a viewer knows of differs: a page that names one is read for each.
    const namesRooms = [...embeds.values()].some((row) => row.room_references !== null);
    if (!namesRooms) this.#pages.set(roomId, page);
    return { page, isShared: !namesRooms };
  }
}

/** `client_id` is the last field of a message. */
const NO_CLIENT_ID = "null}";

function render({ texts, own, hasMore, lastSeq }: Page, viewerId: string): string {
  const items = own.some((one) => one.authorId === viewerId) ? [...texts] : texts;
  for (const { place, authorId, clientId } of own) {
    if (authorId !== viewerId) continue;
    const text = texts[place] as string;
    items[place] = `${text.slice(0, -NO_CLIENT_ID.length)}"${clientId}"}`;
  }
  return `{"items":[${items.join(",")}],"has_more_before":${hasMore},"has_more_after":false,"seq":${lastSeq}}`;
}
