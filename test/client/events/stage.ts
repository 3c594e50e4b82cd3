import { expect } from "bun:test";
import { countActivity } from "../../../public/app/state/personal/personal.ts";
import {
  conversationById,
  directList,
  emptyView,
  roomList,
  type State,
} from "../../../public/app/state/model/model.ts";
import { countUnreadReplies, isUnread } from "../../../public/app/state/model/follows.ts";
import type { Store } from "../../../public/app/state/store/client-store.ts";
import { placeJoins } from "../../../public/app/state/model/joins.ts";
import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Client } from "../../support/client.ts";
import { openRoom, openStore, until } from "../../support/store.ts";
import { showUsers } from "../../support/shown-users.ts";
import type { World } from "../../support/world.ts";

export type EventType = ServerEvent["type"];
/** What happens, told to a store; each by what is special about it. */
export type Cases = Record<string, (stage: Stage) => Promise<void>>;

let rooms = 0;

/** A room of Ada's with Bob in it, and Bob's page, which looks at it. */
export class Stage {
  readonly n = rooms++;
  readonly roomName = `room-${this.n}`;
  /** The types of all events that Bob's page received. */
  readonly heard = new Set<EventType>();
  roomId = "";
  live!: Store;
  /** The thread that Bob's page shows beside the room. */
  threadId: string | null = null;
  /** What Bob's page hears through now. */
  socket!: WebSocket;

  private constructor(
    readonly world: World,
    readonly ada: Client,
    readonly bob: Client,
  ) {}

  static async set(world: World, ada: Client, bob: Client): Promise<Stage> {
    const stage = new Stage(world, ada, bob);
    stage.roomId = await world.room(stage.roomName, ada, [bob], "open");
    // What is new is of this case alone.
    await bob.post("/api/activity/read", { at: new Date().toISOString() });
    await stage.load();
    return stage;
  }

  /** Opens Bob's page, or reopens it. */
  async load(): Promise<void> {
    this.live?.close();
    this.live = await this.#look(this.bob);
  }

  /** Closes Bob's page. One that stays open receives the events of all later cases, too. */
  close(): void {
    this.live.close();
  }

  /** Opens a thread beside the room. */
  async openThread(id: string): Promise<void> {
    this.threadId = id;
    await this.#showThread(this.live);
  }

  /** The replies of the open thread. */
  replies(state = this.state) {
    return state.views[this.threadId ?? ""]?.messages.map(({ content }) => content);
  }

  get state(): State {
    return this.live.state.value;
  }

  until(holds: (state: State) => boolean): Promise<void> {
    return until(this.live, holds);
  }

  /** The heart of it: applying what happened gives what loading afresh gives. */
  async expectFresh(): Promise<void> {
    const session = await this.world.signIn(this.bob.user);
    const fresh = openStore(() => session.base, session.cookie as string);
    await fresh.start();
    await until(fresh, ({ conversations, threads, personal: { activity, sections } }) =>
      [conversations, activity, threads, sections].every((list) => list !== null),
    );
    if (conversationById(fresh.state.value, this.roomId)) await this.#open(fresh);
    if (this.threadId) await this.#showThread(fresh);
    // Changes of members are gathered for up to a second, and what is new to me is asked for again.
    const gathered = (state: State) => {
      const { members, activity, follows, thread } = this.#visible(state);
      return JSON.stringify({ members, activity, follows, thread });
    };
    const isSame = (state: State) => gathered(state) === gathered(fresh.state.value);
    await this.until(isSame).catch(() => {});
    const expected = this.#visible(fresh.state.value);
    // The number of sessions is limited, and Bob's page has the first.
    await fresh.signOut();
    expect(this.#visible(this.state)).toEqual(expected);
  }

  /** Loads what is new in Bob's activity: of what he has read, nothing is. */
  async loadActivity(): Promise<void> {
    this.live.lists.refreshActivity();
    const isOld = ({ personal: { activity } }: State) =>
      activity?.mentions.every(({ room_id }) => room_id !== this.roomId) === true;
    await this.until(isOld);
  }

  texts(state = this.state) {
    return state.views[this.roomId]?.messages.map((message) => message.content);
  }

  /** What the sidebar says of a room. */
  marks(state = this.state, id = this.roomId) {
    const { unread, mention_count } = state.conversations?.[id]?.membership ?? {};
    return { unread, mention_count };
  }

  /** A store that looks at the room, with all that it shows loaded. */
  async #look(client: Client): Promise<Store> {
    const store = openStore(
      () => client.base,
      client.cookie as string,
      (socket) => {
        this.socket = socket;
        socket.addEventListener("message", ({ data }) => {
          this.heard.add((JSON.parse(String(data)) as ServerEvent).type);
        });
      },
    );
    await store.start();
    await until(store, ({ threads, personal: { activity, sections } }) =>
      [activity, threads, sections].every((list) => list !== null),
    );
    await this.#open(store);
    return store;
  }

  async #open(store: Store): Promise<void> {
    await openRoom(store, this.roomId);
    store.sync.members.watch(this.roomId);
    await until(store, (state) => state.views[this.roomId]?.members != null);
  }

  async #showThread(store: Store): Promise<void> {
    const id = this.threadId ?? "";
    store.thread.open(id, this.roomId, null, null);
    await until(store, ({ views }) => views[id]?.loaded === true || views[id]?.problem != null);
  }

  /** What a screen shows of the state, without what passes by itself. */
  #visible(state: State) {
    const view = state.views[this.roomId];
    return showUsers(state, {
      me: state.me,
      rooms: Object.fromEntries(roomList(state).map((room) => [room.id, withoutNumbers(room)])),
      activity: countActivity(state),
      sections: state.personal.sections?.sections,
      follows: showFollows(state),
      thread: showThread(state, this.threadId),
      // Who is online follows by itself.
      directs: directList(state)
        .map(({ direct: { members, ...facts }, ...room }) => ({
          ...withoutNumbers(room),
          facts,
          users: members.map(({ user }) => user),
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      messages: view?.messages,
      // A run that is loaded at once arrives one by one.
      joins: view && [...placeJoins(view.messages, view.joins)],
      seq: view?.seq,
      // Presence is gathered, and follows by itself.
      members: view?.members?.map(({ user, role, joined_at }) => ({ user, role, joined_at })),
    });
  }
}

/** What is known of the threads that one follows, without the numbers by which it is. */
export function showFollows({ threads }: State) {
  return Object.entries(threads ?? {})
    .map(([id, follow]) => {
      const { seq: _, replies: __, ...facts } = follow;
      return { id, ...facts, unread: isUnread(follow) ? countUnreadReplies(follow) : 0 };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** What the pane of a thread shows. */
export function showThread({ views }: State, id: string | null) {
  const { thread, messages, hasBefore, hasAfter } = views[id ?? ""] ?? emptyView;
  if (!thread) return null;
  const replies = messages.map(({ client_id: _, ...message }) => message);
  const root = thread.root && { ...thread.root, client_id: null };
  return { ...thread, root, replies, hasBefore, hasAfter };
}

/** What is shown of a room or conversation, without the numbers by which it is. */
export function withoutNumbers<T extends object>(room: T) {
  const { seq: _, ledger: __, ...shown } = room as T & { seq?: number; ledger?: unknown };
  return shown;
}
