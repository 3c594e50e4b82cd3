import {
  applyLive,
  messageField,
  LiveItems,
  type MessageOf,
} from "../../../public/app/state/live-items.ts";
import { changesSaved } from "../../../public/app/state/personal/personal.ts";
import type { Store } from "../../../public/app/state/store/client-store.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { ThreadItem } from "../../../src/wire/threads.ts";
import type { Client } from "../../support/client.ts";
import { showUsers } from "../../support/shown-users.ts";

type Item = { message: Message } | ThreadItem;

const messageOf = (item: Item) => ("root" in item ? item.root : item.message);

const ITS_MESSAGE: MessageOf<Item> = {
  read: messageOf,
  write: (item, message) =>
    "root" in item ? { ...item, root: message } : messageField<typeof item>().write(item, message),
};

/** The lists of screens that are open beside the room: Later, Activity, Threads and a search. */
const PATHS = {
  later: "/api/saved?filter=open&limit=200",
  activity: "/api/activity?limit=200",
  threads: "/api/threads?filter=following&limit=200",
  search: "/api/search/messages?q=before&limit=50",
};
type Name = keyof typeof PATHS;

/** One open list, driven as its screen drives it. */
class OpenList {
  #items: Item[] | null = null;
  #requests = 0;
  readonly #live: LiveItems;

  constructor(
    readonly name: Name,
    private readonly store: Store,
    private readonly client: Client,
  ) {
    this.#live = new LiveItems(store, (id) =>
      Boolean(this.#items?.some((item) => messageOf(item).id === id)),
    );
    store.onEvent((event) => {
      this.#live.onEvent(event);
      if (name === "later" && changesSaved(store.state.value, event)) void this.load();
    });
  }

  async load(): Promise<void> {
    const request = ++this.#requests;
    const { items } = (await this.client.get(PATHS[this.name])).body;
    // As `usePages`: responses may arrive in another order than their requests.
    if (request === this.#requests) this.#items = items;
  }

  /** What the list shows of each message, by id. */
  get shown(): Map<string, unknown> {
    const items = applyLive(this.#items ?? [], this.#live.changes.value, ITS_MESSAGE);
    return new Map(items.map((item) => [messageOf(item).id, this.#show(item)]));
  }

  #show(item: Item): unknown {
    const { content, edited_at, author, thread } = messageOf(item);
    const title = "root" in item ? thread?.title : null;
    return showUsers(this.store.state.value, { content, edited_at, author, title });
  }
}

/** The open lists of a page. */
export class OpenLists {
  readonly #lists: OpenList[];

  constructor(
    private readonly store: Store,
    private readonly client: Client,
  ) {
    const names = Object.keys(PATHS) as Name[];
    this.#lists = names.map((name) => new OpenList(name, store, client));
  }

  async load(): Promise<void> {
    await Promise.all(this.#lists.map((list) => list.load()));
  }

  /**
   * What differs between a list that was opened earlier and one that is loaded now: of the entries that both
   * have, and for Later, which loads itself again, of all.
   */
  async differences(): Promise<unknown[]> {
    const all = this.#lists.map(async (list) => {
      const fresh = new OpenList(list.name, this.store, this.client);
      await fresh.load();
      const [live, wanted] = [list.shown, fresh.shown];
      const ids = new Set([...live.keys(), ...(list.name === "later" ? wanted.keys() : [])]);
      return [...ids].flatMap((id) => {
        // It is no longer followed, mentions nobody, or does not match any more: an open list still has it.
        if (list.name !== "later" && !wanted.has(id)) return [];
        if (Bun.deepEquals(live.get(id), wanted.get(id))) return [];
        return { list: list.name, id, live: live.get(id) ?? null, fresh: wanted.get(id) ?? null };
      });
    });
    return (await Promise.all(all)).flat();
  }
}
