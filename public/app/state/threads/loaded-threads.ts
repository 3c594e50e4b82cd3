import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import { type Api, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { State } from "../model/model.ts";
import { ThreadSync } from "./thread-sync.ts";
import { type Follow, type Follows, isUnread } from "../model/follows.ts";
import { Load } from "../load.ts";
import { replyOf, withThreadEvent } from "./thread-state.ts";

type ThreadsDeps = { api: Api; clock: Clock; state: Signal<State>; onMissing(): void };

/** The threads that I follow, and the one that is open. */
export class Threads {
  readonly mine: MyThreads;
  readonly open: ThreadSync;

  constructor(deps: ThreadsDeps) {
    this.mine = new MyThreads(deps);
    this.open = new ThreadSync(deps);
  }

  /** Looks at an event after it was applied. */
  hear(event: ServerEvent): void {
    // Events that were missed while the socket was closed are in the answer.
    if (event.type === "hello") this.mine.load();
    this.mine.onEvent(event);
    this.open.onEvent(event);
  }

  stop(): void {
    this.mine.stop();
    this.open.stop();
  }
}

type MyThreadsDeps = { api: Api; clock: Clock; state: Signal<State> };
/** The service's list, and whether it has all threads that I follow. */
type Answer = { follows: Follows; isWhole: boolean };

/** How many of the threads that I follow are loaded; of the others only unread ones. */
const MAX_KNOWN = 100;
/** Events that change the list, or say that it may have changed. */
const ABOUT_THREADS = new Set<ServerEvent["type"]>([
  ...(["message", "thread", "unread", "unread_changed", "thread_read", "thread_follow"] as const),
  ...(["member_removed", "room_removed"] as const),
]);

/** Keeps the threads that I follow up to date, with which of them are unread. */
class MyThreads {
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
        const events = this.#heard;
        this.#heard = [];
        // Events since the request may not be in the answer.
        deps.state.value = events.reduce(withThreadEvent, { ...deps.state.value, follows });
        if (events.some((event) => this.#isUnsure(event))) this.#load.ask();
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
    const isLoading = this.#load.isUnderWay;
    if (isLoading && isAboutThreads(event)) this.#heard.push(event);
    state.value = withThreadEvent(state.value, event);
    // The answer that is under way may know it.
    if (!isLoading && this.#isUnsure(event)) this.#load.ask();
  }

  /** Whether an event says that the list, which has it, may not be what the service has. */
  #isUnsure(event: ServerEvent): boolean {
    const { follows, me } = this.deps.state.value;
    if (!follows) return false;
    const inRoom = (roomId: string) =>
      Object.values(follows).filter(({ room_id }) => room_id === roomId);
    switch (event.type) {
      case "unread_changed":
        return inRoom(event.room_id).some(isUnread);
      case "member_removed":
        // What I followed has ended, and what I said before it says nothing of what I follow since.
        return event.user_id === me?.id && inRoom(event.room_id).length > 0;
      case "room_removed":
        // I am in the room again: I no longer follow the same threads in it.
        return inRoom(event.room_id).length > 0;
      case "thread_follow":
        return event.is_following && !follows[event.thread_id];
      default: {
        const reply = replyOf(event, me);
        // My own follows its thread; another's may be in one that is not loaded.
        return reply !== null && !follows[reply.threadId] && (reply.isMine || !this.#isWhole);
      }
    }
  }

  async #fetch(signal: AbortSignal): Promise<Answer> {
    const query = { filter: "following", limit: MAX_KNOWN } as const;
    const { items, next } = await this.deps.api.call("GET /api/threads", { query }, { signal });
    const unread = next
      ? await getAll(this.deps.api, "GET /api/threads", { query: { filter: "unread" } }, signal)
      : [];
    const followEntries = [...items, ...unread].flatMap(({ root, follow }): [string, Follow][] => {
      const { id, room_id, thread } = root;
      if (!thread || !follow.is_following) return [];
      const { last_reply_seq, is_resolved } = thread;
      const { read_seq, replied_seq } = follow;
      const facts = { last_reply_seq, is_resolved, seq: last_reply_seq };
      return [[id, { room_id, read_seq: read_seq ?? 0, replied_seq, ...facts }]];
    });
    return { follows: Object.fromEntries(followEntries), isWhole: next === null };
  }
}

function isAboutThreads(event: ServerEvent): boolean {
  if (event.type === "message") return event.message.thread_id !== null;
  return ABOUT_THREADS.has(event.type);
}
