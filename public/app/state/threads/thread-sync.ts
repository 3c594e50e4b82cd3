import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import { DEFAULT_PAGE } from "../../../../src/wire/limits.ts";
import type { Message } from "../../../../src/wire/models.ts";
import { type Api, getAll } from "../../connection/api.ts";
import { type Journal, Load } from "../load.ts";
import {
  emptyView,
  type RoomView,
  type State,
  toGone,
  unloaded,
  withView,
} from "../model/model.ts";
import { RoomHistory } from "../timeline/room-history.ts";
import type { Loaded } from "../events/receive.ts";
import { replyOf } from "../events/thread-state.ts";
import type { Clock } from "../../connection/clock.ts";
import { countUnreadReplies, type Follows, isUnread, toFollow } from "../model/follows.ts";

/** How many threads keep their replies in memory. */
const MAX_VIEWS = 8;

type ThreadSyncDeps = {
  api: Api;
  journal: Journal;
  state: Signal<State>;
  receive(source: Loaded): void;
  /** Called if the reply of a link does not exist, or was deleted. */
  onMissing(): void;
};

/**
 * Keeps the open thread in sync with the service, by the numbers of its room, which is also open.
 * It applies the events of the room, and is loaded again if it has missed one.
 */
export class ThreadSync {
  readonly history: RoomHistory;
  #openId: string | null = null;

  constructor(private readonly deps: ThreadSyncDeps) {
    this.history = new RoomHistory({
      ...deps,
      onAhead: () => {},
      onLoaded: (id) => this.#onLoaded(id),
      fetchPage: async (id, query, signal) => {
        const page = await deps.api.call(
          "GET /api/messages/:id/thread",
          { params: { id }, query },
          { signal },
        );
        const { root } = page;
        // The address of a reply shows the reply's thread.
        const thread = { id: root.id, roomId: root.room_id, root };
        return { ...page, thread };
      },
    });
  }

  /**
   * Opens a thread, and loads it unless it is up to date.
   * @param around a reply to open it around
   * @param root the root, if it is loaded
   */
  open(id: string, roomId: string, around: string | null, root: Message | null): void {
    this.#openId = id;
    const view = this.#view(id);
    if (!view.thread) {
      this.#forget();
      this.#change(id, { ...emptyView, thread: { id, roomId, root } });
    }
    const isReplyLoaded = !around || view.messages.some((message) => message.id === around);
    if (view.loaded && isReplyLoaded && !this.#isBehind(id)) return;
    if (!isReplyLoaded) this.#change(id, unloaded);
    this.#load(id, around);
  }

  close(): void {
    if (this.#openId) {
      this.history.cancel(this.#openId);
      this.history.trim(this.#openId);
    }
    this.#openId = null;
  }

  stop(): void {
    this.#openId = null;
    this.history.stop();
  }

  /** Reacts to an event, after it was applied. */
  onEvent(event: ServerEvent): void {
    const { me, views } = this.deps.state.value;
    if (event.type === "member_removed" && event.user_id === me?.id) this.#renew(event.room_id);
    this.history.onEvent();
    // The room is gone.
    if (this.#openId && !views[this.#openId]?.thread) this.history.cancel(this.#openId);
    this.check();
  }

  /** Loads the open thread again if its room has newer events. */
  check(): void {
    const id = this.#openId;
    if (id && this.#view(id).loaded && !this.history.isLoading(id) && this.#isBehind(id)) {
      this.#load(id);
    }
  }

  /** @param around a reply; without it, around the first unread one, as in rooms */
  #load(id: string, around: string | null = null): void {
    const follow = this.deps.state.value.threads?.[id];
    const unread = (follow && countUnreadReplies(follow)) ?? 0;
    // The loaded replies are not beside the new ones.
    if (!around && unread > DEFAULT_PAGE) this.#change(id, unloaded);
    void this.history.load(id, around ? { around } : { around_read_mark: "true" });
  }

  #isBehind(id: string): boolean {
    const { thread, seq } = this.#view(id);
    const room = thread && this.deps.state.value.views[thread.roomId];
    return room?.seq != null && (seq ?? 0) < room.seq;
  }

  #onLoaded(id: string): void {
    const { thread, problem } = this.#view(id);
    if (thread && problem?.code === "message_not_found") {
      this.#change(id, { ...unloaded, thread: toGone(thread) });
    }
    // After a failed load, wait for the next event instead of retrying at once.
    if (this.#view(id).problem === null) this.check();
  }

  /** Drops the threads of a room that I left, and loads the open one again: I may have rejoined. */
  #renew(roomId: string): void {
    const { state } = this.deps;
    const views = Object.entries(state.value.views);
    const isKept = ([id, { thread }]: [string, RoomView]) =>
      thread?.roomId !== roomId || id === this.#openId;
    state.value = { ...state.value, views: Object.fromEntries(views.filter(isKept)) };
    const id = this.#openId;
    if (id && this.#view(id).thread?.roomId === roomId) this.#load(id);
  }

  /** Drops the thread that was opened longest ago, if there are too many. */
  #forget(): void {
    const { views } = this.deps.state.value;
    const ids = Object.keys(views).filter((id) => views[id]?.thread);
    if (ids.length < MAX_VIEWS || !ids[0]) return;
    const { [ids[0]]: _, ...others } = views;
    this.deps.state.value = { ...this.deps.state.value, views: others };
  }

  #view(id: string): RoomView {
    return this.deps.state.value.views[id] ?? emptyView;
  }

  #change(id: string, change: Partial<RoomView>): void {
    this.deps.state.value = withView(this.deps.state.value, id, change);
  }
}

type MyThreadsDeps = {
  api: Api;
  clock: Clock;
  journal: Journal;
  state: ReadonlySignal<State>;
  receive(source: Loaded): void;
};
/** The service's list, and whether it contains all followed threads. */
type Answer = { follows: Follows; isWhole: boolean };

/** How many followed threads are loaded; beyond this number only unread ones. */
const MAX_KNOWN = 100;
/** Keeps the list of followed threads up to date, with their unread state. */
export class MyThreads {
  readonly #load: Load<Answer>;
  #isWhole = true;

  constructor(private readonly deps: MyThreadsDeps) {
    const { clock, journal, receive } = deps;
    this.#load = new Load({
      clock,
      journal,
      fetch: (signal) => this.#fetch(signal),
      merge: ({ follows, isWhole }, events) => {
        this.#isWhole = isWhole;
        receive({ follows, isWhole, events });
        if (this.#isUncounted || events.some((event) => this.#mustLoad(event)))
          this.#load.refresh();
      },
    });
  }

  /** Loads the list again, because events may have been missed. */
  load(): void {
    this.#load.refreshNow();
  }

  stop(): void {
    this.#load.cancel();
  }

  /** Loads the list again if an applied event, or a page of a thread, lacks the details. */
  onChange(event: ServerEvent | null): void {
    // The request in flight may include it.
    if (this.#load.isUnderWay) return;
    if (this.#isUncounted || (event && this.#mustLoad(event))) this.#load.refresh();
  }

  /** Whether the number of unread replies in a thread must be loaded again. */
  get #isUncounted(): boolean {
    return Object.values(this.deps.state.value.threads ?? {}).some(
      (follow) => isUnread(follow) && countUnreadReplies(follow) === null,
    );
  }

  /** Whether an event shows that the list, which has it applied, may differ from the service's. */
  #mustLoad(event: ServerEvent): boolean {
    const { threads: follows, me } = this.deps.state.value;
    if (!follows) return false;
    const inRoom = (roomId: string) =>
      Object.values(follows).filter(({ room_id }) => room_id === roomId);
    switch (event.type) {
      case "unread_changed":
        return event.message_id in follows || inRoom(event.room_id).some(isUnread);
      case "member_removed":
        // I no longer follow the threads of the room, and my earlier replies do not count for a new
        // membership.
        return event.user_id === me?.id && inRoom(event.room_id).length > 0;
      case "room_removed":
        // I rejoined the room, where I may follow other threads now.
        return inRoom(event.room_id).length > 0;
      case "thread_follow":
        return event.is_following && !follows[event.thread_id];
      default: {
        const reply = replyOf(event, me);
        // My own reply follows its thread; another's may be in a followed thread that is not
        // loaded.
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
    const follows = [...items, ...unread].flatMap(({ root, follow, unread_count }) => {
      const row = toFollow(root, follow, unread_count);
      return row ? [[root.id, row] as const] : [];
    });
    return { follows: Object.fromEntries(follows), isWhole: next === null };
  }
}
