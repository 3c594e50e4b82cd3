import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../src/wire/events.ts";
import { type Api, getAll } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import { type Follow, type Follows, isUnread } from "./follows.ts";
import { Load } from "./load.ts";
import { type State, isAuthor } from "./model.ts";
import { withThreadEvent } from "./thread-state.ts";

type MyThreadsDeps = { api: Api; clock: Clock; state: Signal<State> };
/** The service's list, and whether it has all threads that I follow. */
type Answer = { follows: Follows; isWhole: boolean };

/** How many of the threads that I follow are loaded; of the others only unread ones. */
const MAX_KNOWN = 100;
/** Events that change the list. */
const ABOUT_THREADS = new Set<ServerEvent["type"]>([
  ...(["message", "thread", "unread", "thread_read", "thread_follow", "room_removed"] as const),
]);

/** Keeps the threads that I follow up to date, with which of them are unread. */
export class MyThreads {
  readonly #load: Load<Answer>;
  /** Events since the request, which its answer may not include. */
  #heard: ServerEvent[] = [];
  #isWhole = true;

  constructor(private readonly deps: MyThreadsDeps) {
    this.#load = new Load({
      clock: deps.clock,
      fetch: (signal) => {
        this.#heard = [];
        return this.#fetch(signal);
      },
      land: ({ follows, isWhole }) => {
        this.#isWhole = isWhole;
        // Events since the request may not be in the answer.
        deps.state.value = this.#heard.reduce(withThreadEvent, { ...deps.state.value, follows });
      },
    });
  }

  /** Loads the list: events may have been missed. */
  load(): void {
    this.#load.restart();
  }

  stop(): void {
    this.#load.cancel();
  }

  /** Applies an event. Some events say too little: then the list is loaded again. */
  onEvent(event: ServerEvent): void {
    const { state } = this.deps;
    if (ABOUT_THREADS.has(event.type)) this.#heard.push(event);
    state.value = withThreadEvent(state.value, event);
    const { follows, me } = state.value;
    if (!follows) return;
    if (event.type === "unread_changed") {
      const isConcerned = (one: Follow) => one.room_id === event.room_id && isUnread(one);
      if (Object.values(follows).some(isConcerned)) this.#load.ask();
    } else if (event.type === "room_removed") {
      // I am in the room again: I no longer follow the same threads in it.
      if (state.value.rooms?.[event.room_id]) this.#load.ask();
    } else if (event.type === "thread_follow") {
      if (event.is_following && !follows[event.thread_id]) this.#load.ask();
    } else if (!this.#isWhole) {
      // The thread may be one that is not loaded.
      const isOwn = event.type === "message" && isAuthor(me, event.message);
      const id = threadOf(event);
      if (id && !isOwn && !follows[id]) this.#load.ask();
    }
  }

  async #fetch(signal: AbortSignal): Promise<Answer> {
    const query = { filter: "following", limit: MAX_KNOWN } as const;
    const { items, next } = await this.deps.api.call("GET /api/threads", { query }, { signal });
    const unread = next
      ? await getAll(this.deps.api, "GET /api/threads", { query: { filter: "unread" } }, signal)
      : [];
    const known = [...items, ...unread].flatMap(({ root, follow }): [string, Follow][] => {
      const { id, room_id, thread } = root;
      if (!thread || !follow.is_following) return [];
      const { last_reply_seq, is_resolved } = thread;
      const { read_seq, replied_seq } = follow;
      return [
        [
          id,
          { room_id, read_seq: read_seq ?? 0, replied_seq, last_reply_seq, is_resolved, seq: 0 },
        ],
      ];
    });
    return { follows: Object.fromEntries(known), isWhole: next === null };
  }
}

/** The thread to which an event adds a reply. */
function threadOf(event: ServerEvent): string | null {
  if (event.type === "message") return event.message.thread_id;
  return event.type === "unread" ? event.thread_id : null;
}
