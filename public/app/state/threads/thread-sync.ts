import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import { isOfLog } from "../../../../src/wire/event-kinds.ts";
import type { Message } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import {
  emptyView,
  type RoomView,
  type State,
  toGone,
  unloaded,
  withView,
} from "../model/model.ts";
import { type Around, RoomHistory } from "../timeline/room-history.ts";
import { toPart, withOpenThread } from "./thread-state.ts";

/** How many threads keep their replies in memory. */
const MAX_VIEWS = 8;

type ThreadSyncDeps = {
  api: Api;
  state: Signal<State>;
  /** The reply of a link does not exist, or was deleted. */
  onMissing(): void;
};

/**
 * Keeps the open thread in sync with the service, by the numbers of its room, which is open too: it
 * receives the events of the room, and is loaded again where it has missed one.
 */
export class ThreadSync {
  readonly history: RoomHistory;
  #openId: string | null = null;
  /** Events about threads of which a page is under way. */
  #heard: ServerEvent[] = [];

  constructor(private readonly deps: ThreadSyncDeps) {
    this.history = new RoomHistory({
      state: deps.state,
      onMissing: deps.onMissing,
      onAhead: () => {},
      onLanded: (id) => this.#landed(id),
      isAbout: (id, event) => this.#view(id).thread?.roomId === event.room_id,
      fetchPage: async (id, query, signal) => {
        const page = await deps.api.call(
          "GET /api/messages/:id/thread",
          { params: { id }, query },
          { signal },
        );
        const { root } = page;
        // The address of a reply shows the thread that it is in.
        const part = { id: root.id, roomId: root.room_id, root, ...toPart(page.follow) };
        return { ...page, thread: part };
      },
    });
  }

  /**
   * Opens a thread, and loads it unless it is up to date.
   * @param around a reply to open it around
   * @param root the root, if it is known
   */
  open(id: string, roomId: string, around: string | null, root: Message | null): void {
    this.#openId = id;
    const view = this.#view(id);
    if (!view.thread) {
      this.#forget();
      const thread = { id, roomId, root, isFollowing: false, readSeq: null, repliedSeq: 0 };
      this.#change(id, { ...emptyView, thread });
    }
    const isThere = !around || view.messages.some((message) => message.id === around);
    if (view.loaded && isThere && !this.#isBehind(id)) return;
    if (!isThere) this.#change(id, unloaded);
    this.#load(id, around ? { around } : {});
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
    this.#heard = [];
    this.history.stop();
  }

  /** Looks at an event after it was applied. */
  onEvent(event: ServerEvent): void {
    const { me, views } = this.deps.state.value;
    const id = threadOf(event);
    // The page that is under way may not include it.
    if (id !== null && this.history.isLoading(id)) this.#heard.push(event);
    if (event.type === "member_removed" && event.user_id === me?.id) this.#renew(event.room_id);
    if (isOfLog(event)) this.history.onEvent(event);
    // Its room is gone.
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

  #load(id: string, where: Around = {}): void {
    this.#heard = this.#heard.filter((event) => threadOf(event) !== id);
    void this.history.load(id, where);
  }

  #isBehind(id: string): boolean {
    const { thread, seq } = this.#view(id);
    const room = thread && this.deps.state.value.views[thread.roomId];
    return room?.seq != null && (seq ?? 0) < room.seq;
  }

  /** Applies what was heard of a thread while a page of it was under way. */
  #landed(id: string): void {
    const events = this.#heard.filter((event) => threadOf(event) === id);
    this.#heard = this.#heard.filter((event) => threadOf(event) !== id);
    const { state } = this.deps;
    state.value = events.reduce(withOpenThread, state.value);
    const { thread, problem } = this.#view(id);
    if (thread && problem?.code === "message_not_found") {
      this.#change(id, { ...unloaded, thread: toGone(thread) });
    }
    // A load that has failed is repeated by the next event, and not at once.
    if (this.#view(id).problem === null) this.check();
  }

  /** I have left a room, and may be in it again: I no longer follow the same threads in it. */
  #renew(roomId: string): void {
    const { state } = this.deps;
    const views = Object.entries(state.value.views);
    const isKept = ([id, { thread }]: [string, RoomView]) =>
      thread?.roomId !== roomId || id === this.#openId;
    state.value = { ...state.value, views: Object.fromEntries(views.filter(isKept)) };
    const id = this.#openId;
    if (id && this.#view(id).thread?.roomId === roomId) this.#load(id);
  }

  /** Forgets the thread that was opened longest ago, if there are too many. */
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

/** The thread whose follow or read mark an event may move. */
function threadOf(event: ServerEvent): string | null {
  if (event.type === "message") return event.message.thread_id;
  return event.type === "thread_read" || event.type === "thread_follow" ? event.thread_id : null;
}
