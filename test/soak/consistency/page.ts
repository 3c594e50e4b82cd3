import {
  conversationById,
  directList,
  emptyView,
  roomById,
  roomList,
  type State,
} from "../../../public/app/state/model/model.ts";
import { readNews } from "../../../public/app/state/model/unread.ts";
import { showFollows, showThread, withoutNumbers } from "../../client/events/stage.ts";
import type { Store } from "../../../public/app/state/store/client-store.ts";
import type { Client } from "../../support/client.ts";
import { Kept } from "../../support/kept.ts";
import { OpenLists } from "./lists.ts";
import { showUsers } from "../../support/shown-users.ts";
import { openStore, until } from "../../support/store.ts";

const SETTLED_MS = 3_000;
const ATTEMPTS = 4;
const MAX_PIECES = 20;

/** A page of someone's, as the screens drive it: it looks at a room and shows its members. */
export class Page {
  readonly store: Store;
  /** What it loads after the first paint. */
  readonly kept: Kept;
  readonly lists: OpenLists;
  #socket: WebSocket | null = null;
  /** The room of the address, and the thread beside it. */
  roomId: string | null = null;
  threadId: string | null = null;
  #unwatch: () => void = () => {};

  /** @param delayMs how long the next request, or its answer, is under way */
  constructor(client: Client, delayMs: () => number) {
    const wait = () => new Promise((resolve) => setTimeout(resolve, delayMs()));
    this.store = openStore(
      () => client.base,
      client.cookie as string,
      (socket) => {
        this.#socket = socket;
      },
      undefined,
      undefined,
      async (_, send) => {
        await wait();
        const response = await send();
        await wait();
        return response;
      },
    );
    this.kept = new Kept(this.store, client);
    this.lists = new OpenLists(this.store, client);
  }

  get state(): State {
    return this.store.state.value;
  }

  look(roomId: string): void {
    if (roomId !== this.roomId) {
      this.#unwatch();
      this.#unwatch = this.store.sync.members.watch(roomId);
    }
    this.roomId = roomId;
    this.refresh();
  }

  /**
   * Draws: a room that is not mine is not looked at, one that is mine again is. The address of a reply leads
   * to the thread that it is in.
   */
  refresh(): void {
    const { roomId, threadId, store } = this;
    if (roomId && conversationById(this.state, roomId) && store.sync.roomId !== roomId) {
      store.sync.open(roomId);
    }
    const rootId = threadId && this.state.views[threadId]?.thread?.id;
    if (roomId && rootId && rootId !== threadId) this.openThread({ id: rootId, room_id: roomId });
  }

  /** Loses its connection, and finds the network again. */
  async disconnect(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.close();
    await closed;
    this.store.reconnectNow();
  }

  async loadAll(): Promise<void> {
    const { roomId, store } = this;
    // It opens at what is unread.
    for (const direction of ["before", "after"] as const) {
      const end = direction === "before" ? "hasBefore" : "hasAfter";
      for (let piece = 0; piece < MAX_PIECES; piece++) {
        if (!roomId || !this.state.views[roomId]?.[end]) break;
        await store.sync.history.loadMore(roomId, direction);
      }
    }
  }

  /** Shows a thread beside its room, if that is looked at. */
  openThread({ id, room_id }: { id: string; room_id: string }): void {
    if (room_id !== this.roomId || !roomById(this.state, room_id)) return;
    this.threadId = id;
    this.store.thread.open(id, room_id, null, null);
  }

  async loadThread(): Promise<void> {
    const id = this.threadId ?? "";
    await until(this.store, ({ views }) => {
      const { loaded, problem } = views[id] ?? {};
      return loaded !== false || problem != null;
    });
    for (let piece = 0; piece < MAX_PIECES && this.state.views[id]?.hasBefore; piece++) {
      await this.store.thread.history.loadMore(id, "before");
    }
  }

  /** Waits until the open lists show what they show when they are loaded now. @returns what differs still */
  async settleLists(): Promise<unknown[]> {
    let differences: unknown[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      differences = await this.lists.differences();
      if (differences.length === 0) break;
      await Bun.sleep(SETTLED_MS / ATTEMPTS);
    }
    return differences;
  }

  /** Keeps both of two drafts wherever another device has one, until there are no two. */
  async settleDrafts(): Promise<void> {
    const { drafts } = this.kept;
    drafts.load();
    for (let round = 0; round < MAX_PIECES; round++) {
      for (const { key, offer } of this.kept.marks) {
        if (offer) drafts.choose(key, "add", offer.version);
      }
      await this.kept.until(() => drafts.isSaved());
      if (!this.kept.marks.some(({ offer }) => offer)) return;
    }
  }

  close(): void {
    this.#unwatch();
    this.kept.drafts.stop();
    this.store.close();
  }
}

function withoutOwn<T extends { user: { id: string }; status: string }>({ me }: State, member: T) {
  return member.user.id === me?.id ? { ...member, status: null } : member;
}

/** What is new in my activity. Of a room's mentions no more are new than are unread. */
function showActivity(state: State) {
  const { activity } = state.personal;
  if (!activity) return null;
  const mentions = activity.mentions
    .map(({ room_id, count }) => {
      return {
        room_id,
        count: Math.min(count, readNews(roomById(state, room_id)?.membership).mentions),
      };
    })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => (a.room_id < b.room_id ? -1 : 1));
  return { ...activity, mentions };
}

/** Whether the pane of a thread says that it is gone. */
function isGone({ views }: State, threadId: string | null): boolean {
  const { loaded, problem, thread } = views[threadId ?? ""] ?? emptyView;
  return loaded ? thread?.root === null : problem?.code === "message_not_found";
}

/** Who is shown as typing. */
function showTyping({ views }: State, roomId: string) {
  const typing = Object.entries(views[roomId]?.typing ?? {});
  return typing.filter(([, until]) => until > Date.now()).map(([id]) => id);
}

/** What a screen shows of the state: all but the numbers that the list of rooms is kept by. */
export function visible(state: State, roomId: string, threadId: string | null) {
  const view = conversationById(state, roomId) ? state.views[roomId] : undefined;
  const byId = <T extends { id: string; seq: number }>(list: T[]) =>
    list.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(withoutNumbers);
  const rooms = byId(roomList(state));
  const directs = byId(directList(state)).map(({ direct, ...room }) => ({
    ...room,
    // Whether I am online myself nobody shows, and no event says.
    direct: { ...direct, members: direct.members.map((member) => withoutOwn(state, member)) },
  }));
  const isDirect = conversationById(state, roomId)?.kind === "direct";
  const members = view?.members
    ?.map((member) => (isDirect ? withoutOwn(state, member) : member))
    .sort((a, b) => (a.user.id < b.user.id ? -1 : 1));
  const { hasBefore, hasAfter, loaded, problem, stuck, seq } = view ?? {};
  // Only the outbox reads it: events leave it out, and an acknowledgement may come before its room is shown.
  const messages = view?.messages.map(({ client_id: _, ...message }) => message);
  return showUsers(state, {
    me: state.me,
    rooms,
    activity: showActivity(state),
    directs,
    messages,
    hasBefore,
    hasAfter,
    loaded,
    problem,
    stuck,
    seq,
    typing: showTyping(state, roomId),
    members,
    follows: showFollows(state),
    thread: view && showThread(state, threadId),
    isThreadGone: view && isGone(state, threadId),
  });
}

/** Waits until a page shows a room with its history and its members, if it is in it. */
async function showAll(page: Page, roomId: string, threadId: string | null): Promise<void> {
  if (page.store.phase.value === "starting") await page.store.start();
  await until(
    page.store,
    ({ conversations, threads, personal }) =>
      conversations !== null && personal.activity !== null && threads !== null,
  );
  page.look(roomId);
  const isWhole = (state: State) =>
    !conversationById(state, roomId) ||
    Boolean(state.views[roomId]?.loaded && state.views[roomId].members);
  await until(page.store, isWhole).catch(() => {
    throw new Error(`The room did not load: ${JSON.stringify(page.state.views[roomId])}`);
  });
  await page.loadAll();
  if (!threadId) return;
  page.openThread({ id: threadId, room_id: roomId });
  await page.loadThread();
}

/**
 * Waits until a page shows the same of a room as a page that is loaded now.
 * @returns what they show; unequal where they differ after a while in which nothing happened
 */
export async function compareWithFresh(
  page: Page,
  client: Client,
  roomId: string,
  threadId: string | null = null,
) {
  let both: unknown[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    page.look(roomId);
    const fresh = new Page(client, () => 0);
    try {
      await showAll(fresh, roomId, threadId);
      const show = (state: State) => visible(state, roomId, threadId);
      const wanted = show(fresh.state);
      // The last that was compared is returned: an event may arrive right after both were equal.
      let isDone = false;
      const isSame = (state: State) => {
        if (isDone) return true;
        both = [show(state), wanted];
        isDone = Bun.deepEquals(both[0], wanted);
        return isDone;
      };
      await showAll(page, roomId, threadId).catch(() => {});
      await until(page.store, isSame, SETTLED_MS).catch(() => {});
      if (isDone) return both;
    } finally {
      fresh.close();
    }
  }
  return both;
}
