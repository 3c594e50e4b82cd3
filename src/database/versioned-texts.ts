import { LRUCache } from "lru-cache";
import { renderTextPage, toPage } from "../platform/cursor.ts";

/** A row of a list, with the versions (`xmin`) of all rows that its text is made of. */
export type VersionedHead = { id: string; version: string };

type Entry = { version: string; text: string };

/**
 * A cache of the items of lists, as the text that goes out. PostgreSQL gives a row a new `xmin` with each
 * change, so a text is used only while the versions are those that the list has just read: it is never
 * staler than a read would be. What is loaded after the list is at least as new as its versions say.
 */
export class VersionedTexts {
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxEntries: number) {
    this.#entries = new LRUCache({ max: maxEntries });
  }

  /**
   * @param load reads the text of each id that is not cached, by its id
   * @returns the text of each head, in their order, less those that are gone meanwhile
   */
  async render(
    heads: VersionedHead[],
    load: (ids: string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<string[]> {
    const texts = heads.map(({ id, version }) => {
      const entry = this.#entries.get(id);
      return entry?.version === version ? entry.text : undefined;
    });
    const missing = heads.filter((_, index) => texts[index] === undefined);
    if (missing.length === 0) return texts as string[];
    const loaded = await load(missing.map(({ id }) => id));
    for (const { id, version } of missing) {
      const text = loaded.get(id);
      if (text !== undefined) this.#entries.set(id, { version, text });
    }
    return heads.flatMap(({ id }, index) => texts[index] ?? loaded.get(id) ?? []);
  }

  /**
   * @param heads up to `limit + 1`: the one more shows that there is a next page
   * @param keyOf the key that the list is ordered by, for the cursor
   * @param load reads the items that are not cached, by their ids, in no order
   * @returns the JSON of a page
   */
  async renderPage<Head extends VersionedHead>(
    heads: Head[],
    limit: number,
    keyOf: (head: Head) => string,
    load: (ids: string[]) => Promise<{ id: string }[]>,
  ): Promise<string> {
    const { items, next } = toPage(heads, limit, keyOf, (head) => head);
    const texts = await this.render(items, async (ids) => {
      const loaded = await load(ids);
      return new Map(loaded.map((item) => [item.id, JSON.stringify(item)]));
    });
    return renderTextPage(texts, next);
  }
}
