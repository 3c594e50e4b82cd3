import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Frame } from "../../../../src/wire/frames.ts";
import type { Sections } from "../../../../src/wire/sections.ts";
import type { Me, MyRoom, Team } from "../../../../src/wire/models.ts";
import { type Api, createApi, type Fetch, type OnRefusal } from "../../connection/api.ts";
import { type Clock, limitWait, realClock, STORAGE_WAIT_MS } from "../../connection/clock.ts";
import { Outbox, type OutboxEntry } from "../../connection/outbox.ts";
import { Connection, type ConnectionStatus } from "../../../../src/snug-client/connection.ts";
import { withMe } from "../events/apply-event.ts";
import { expire } from "../events/expire.ts";
import { withDrafts, withPersonal } from "../personal/personal.ts";
import { forgetPeople } from "./left-behind.ts";
import { conversationById, emptyState, roomById, type State } from "../model/model.ts";
import { MyConversations } from "../conversations/my-conversations.ts";
import {
  announcePerson,
  type EndPhase,
  forgetPerson,
  PersonWatch,
  type Phase,
  readPerson,
} from "./signed-in-person.ts";
import { MyThreads, ThreadSync } from "../threads/thread-sync.ts";
import { type AttachedDeps, type Change, PendingChanges } from "../pending-changes.ts";
import { PersonalLists } from "./personal-lists.ts";
import { RoomSync } from "../timeline/room-sync.ts";
import { StoredPage } from "./stored-page.ts";
import { applyRead } from "../model/unread.ts";
import { storeIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";
import { Journal } from "../load.ts";
import type { Locks } from "../../connection/ownership.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import type { ResponseOf, RouteName } from "../../../../src/snug-client/calls.ts";
import { eventsOf, receive, type Received, type Source } from "../events/receive.ts";

type Handlers = {
  /** Called when the session has ended, or allows only the sign-in. */
  end(phase: EndPhase): void;
  onStatus(status: ConnectionStatus): void;
  onEvent(event: ServerEvent): void;
  onTeam(team: Team): void;
  /** Called when the session belongs to another person. */
  onOther(): void;
};

/** Creates the services of a store and connects them. Nothing is loaded yet. */
function createServices(
  deps: StoreDeps,
  state: Signal<State>,
  phase: Signal<Phase>,
  { end, onStatus, onEvent, onTeam, onOther }: Handlers,
) {
  const clock = deps.clock ?? realClock;
  const onRefusal = {
    signedOut: () => end("signed-out"),
    otherUser: onOther,
    restricted: () => end("restricted"),
    prove: deps.prove,
  };
  const journal = new Journal();
  const { fetch, openSocket: open, storage } = deps;
  const userId = () => person.userId;
  const receive = (source: Source) => live.receive(source);
  const api = createMergingApi(createApi({ fetch, userId, onRefusal, clock }), {
    state,
    journal,
    receive,
    mergeTeam: onTeam,
  });
  const connection = new Connection({ open, clock, random: Math.random, onStatus, onEvent });
  const missing = signal(0);
  const onMissing = () => {
    missing.value += 1;
  };
  const send = (frame: Frame) => connection.send(frame);
  const common = { api, clock, journal, state, receive };
  const sync = new RoomSync({ ...common, send, onMissing });
  const person = new PersonWatch({ api, storage, phase, onOther });
  const lists = new PersonalLists(common);
  const conversations = new MyConversations({
    ...common,
    onGone: (roomId) => sync.forget(roomId),
  });
  const threads = new MyThreads(common);
  const thread = new ThreadSync({ ...common, onMissing });
  const live = new LiveEvents({ ...common, conversations, sync, lists, threads, thread });
  return {
    api,
    clock,
    journal,
    connection,
    missing,
    sync,
    lists,
    conversations,
    threads,
    thread,
    live,
    person,
  };
}

type Services = ReturnType<typeof createServices>;

/** What the store gets from the page, so that it works without one. */
type StoreDeps = {
  fetch: Fetch;
  openSocket(): WebSocket;
  storage: SharedStorage;
  /** Null where the browser has no Web Locks. */
  locks: Locks | null;
  snapshots?: Snapshots;
  /**
   * Removes the person's other data from the browser: shared files, notifications, the tab's
   * storage.
   */
  forget?(): Promise<unknown>;
  /** Asks the person to reauthenticate for a call. */
  prove?: OnRefusal["prove"];
  clock?: Clock;
};

/** Merges responses; the store implements this. */
type ResponseTarget = {
  readonly state: ReadonlySignal<State>;
  readonly journal: Journal;
  receive(source: Received): void;
  mergeTeam(team: Team): void;
};

/** Responses that contain the team, which is also shown before the sign-in. */
const TEAMS: { [Name in RouteName]?: (response: ResponseOf<Name>) => Team } = {
  "GET /api/auth/session": ({ team }) => team,
  "GET /api/team": (team) => team,
  "PUT /api/admin/settings/team": (team) => team,
  "PUT /api/admin/settings/team/logo": (team) => team,
  "DELETE /api/admin/settings/team/logo": (team) => team,
};

/** Makes calls merge their own responses, so that no caller can forget it. */
export function createMergingApi(api: Api, to: ResponseTarget): Api {
  const call = (route: RouteName, ...args: [never, never]): Promise<unknown> =>
    to.journal.collect(async (events) => {
      const before = to.state.peek();
      const response = await api.call(route, ...args);
      const team = TEAMS[route]?.(response as never);
      if (team) to.mergeTeam(team);
      // The person may have signed out since the call.
      if (to.state.peek().me?.id === before.me?.id)
        to.receive({ route, input: args[0] ?? {}, response, before, events });
      return response;
    });
  return { call: call as Api["call"], request: api.request };
}

/** @param before the state before the event */
type StoreListener = (event: ServerEvent, before: State) => void;

/** The state and actions of the client, without a page: tests run it against the real service. */
export class Store {
  /** The confirmed state, changed only by events, responses and the methods of this class. */
  readonly #state: Signal<State> = signal(emptyState);
  readonly #pending = new PendingChanges(this.#state);
  /** The state with the unconfirmed changes applied. */
  readonly state: ReadonlySignal<State> = this.#pending.shown;
  /** The team's name and logo, which are also shown before the sign-in; null until loaded. */
  readonly team: Signal<Team | null>;
  readonly phase: Signal<Phase> = signal<Phase>("starting");
  readonly status: Signal<ConnectionStatus> = signal<ConnectionStatus>("idle");
  /** My messages that are not acknowledged. */
  readonly unsent: Signal<OutboxEntry[]> = signal([]);
  /** Null while nobody is signed in. */
  outbox: Outbox | null = null;
  /** Counts visited addresses of messages that do not exist, each of which gets a toast. */
  readonly missing: Signal<number>;
  readonly me = computed(() => this.state.value.me);
  /** Calls routes, for code that receives its API as an argument. */
  readonly api: Api;
  /** Calls a route, and merges its response into the state (`receive.ts`). */
  readonly call: Api["call"];
  readonly clock: Clock;
  readonly sync: RoomSync;
  readonly live: LiveEvents;
  readonly stored: StoredPage;
  readonly #services: Services;
  readonly #listeners = new Set<StoreListener>();
  readonly conversations: MyConversations;
  readonly lists: PersonalLists;
  readonly threads: MyThreads;
  readonly thread: ThreadSync;
  /**
   * True while the session is being checked, because a restored page may belong to another person.
   */
  #isStarting = false;

  constructor(private readonly deps: StoreDeps) {
    this.team = signal(readTeam(deps.storage));
    this.#services = createServices(deps, this.#state, this.phase, {
      end: (phase) => void this.#end(phase),
      onStatus: (status) => this.#onStatus(status),
      onEvent: (event) => this.#onEvent(event),
      onTeam: (team) => this.#mergeTeam(team),
      onOther: () => (this.#isStarting ? this.close() : void this.#end("replaced")),
    });
    ({ clock: this.clock, sync: this.sync, live: this.live } = this.#services);
    ({ conversations: this.conversations, lists: this.lists } = this.#services);
    ({ threads: this.threads, thread: this.thread } = this.#services);
    this.missing = this.#services.missing;
    this.api = this.#services.api;
    this.call = this.api.call;
    this.stored = new StoredPage(this.#state, deps.snapshots, this.clock);
  }

  /** Checks the session, and connects. */
  async start(): Promise<void> {
    this.#isStarting = true;
    const restoring = this.#restore();
    // If the storage does not respond, the page starts without it.
    const restored = limitWait(() => restoring, undefined, STORAGE_WAIT_MS, this.clock);
    try {
      // Without a session this route responds normally, so that the browser does not log a failed
      // request.
      const { user: me } = await this.call("GET /api/auth/session");
      await restored;
      this.#isStarting = false;
      if (!me) void this.#end("signed-out");
      else if (this.outbox && this.me.value?.id === me.id) this.#confirm(me);
      else this.enter(me);
    } catch {
      await restored;
      this.#isStarting = false;
      if (this.phase.value === "starting") this.phase.value = "unreachable";
      else if (!this.outbox) void this.#end("replaced");
    }
  }

  /** Shows the stored state until it is updated, unless the service has responded already. */
  async #restore(): Promise<void> {
    const state = await this.stored.load();
    if (!state?.me) return;
    // The stored state may belong to another person, if the storage did not respond when they
    // signed out.
    if (readPerson(this.deps.storage) !== state.me.id) return this.stored.clear();
    const { value: phase } = this.phase;
    if (phase === "starting" || phase === "unreachable") this.#begin(state, state.me);
  }

  /** Starts the session of the person who has signed in. */
  enter(me: Me): void {
    const { storage } = this.deps;
    // If the previous person's page was closed before their session ended, their data is still
    // stored.
    if (readPerson(storage) !== me.id) forgetPeople(storage, (id) => id !== me.id);
    this.#begin({ ...emptyState, me }, me);
    announcePerson(this.deps.storage, me);
  }

  /** Starts the session of the person of the restored page. */
  #confirm(me: Me): void {
    this.#mergeMe(me);
    announcePerson(this.deps.storage, me);
    this.#services.connection.start();
  }

  #begin(state: State, me: Me): void {
    // An open socket may belong to another person.
    this.close();
    this.#services.person.userId = me.id;
    this.#state.value = state;
    const { storage, locks } = this.deps;
    this.outbox = new Outbox({
      storage,
      locks,
      clock: this.clock,
      key: `snug.outbox.${me.id}`,
      random: Math.random,
      send: (frame) => this.#services.connection.send(frame),
      newId: () => crypto.randomUUID(),
      onChange: (entries) => {
        this.unsent.value = entries;
      },
    });
    this.unsent.value = this.outbox.entries.all;
    this.phase.value = "signed-in";
    this.#services.connection.start();
    // Without a stored state, the rooms are loaded before the socket is open, and again after that.
    if (!state.conversations) this.conversations.load();
    if (!state.personal.sections) this.lists.loadSections();
    if (!state.threads) this.threads.load();
  }

  /**
   * Ends this session, or all sessions of the person.
   * @returns the address at which the provider ends its own session; null if the session has no
   * provider, or the other sessions continue
   */
  async signOut(everywhere = false): Promise<string | null> {
    const answer = await this.call("POST /api/auth/logout", { body: { everywhere } });
    const cleared = this.#end("signed-out");
    // The redirect leaves this page, which would abort the deletion.
    await limitWait(() => cleared, undefined, STORAGE_WAIT_MS, this.clock);
    return answer && "redirect" in answer ? answer.redirect : null;
  }

  /** Reconnects at once, because the network is back or the page is visible again. */
  reconnectNow(): void {
    this.#services.connection.reconnectNow();
    this.outbox?.claim();
    this.#services.person.check();
  }

  typing(roomId: string): void {
    this.#services.connection.send({ type: "typing", room_id: roomId });
  }

  /**
   * Shows a change at once, until `work` has called the route that makes it. If the call fails, the
   * change is reverted.
   * @param change must be idempotent
   * @throws what `work` throws
   */
  readonly change = <T>(change: Change, work: () => Promise<T>): Promise<T> =>
    this.#pending.show(change, work);

  /**
   * Shows a room as read, before the service has confirmed it. This is no `change`, because marks are
   * posted later, several as one, and only move forward, so that the higher number wins.
   * @param lastReadAt the time of the newest message that was seen
   */
  showRead(roomId: string, lastReadAt: string): void {
    this.#state.value = applyRead(this.#state.value, roomId, lastReadAt);
  }

  /** The same for a thread that I follow, up to a reply. */
  showThreadRead(thread_id: string, read_seq: number): void {
    const { replied_seq = 0 } = this.#state.value.threads?.[thread_id] ?? {};
    const event = { type: "thread_read", thread_id, read_seq, replied_seq } as const;
    this.#services.journal.record(event);
    this.live.receive({ event, now: this.clock.now() });
  }

  /** Shows where this device has drafts. */
  showDrafts(drafts: State["personal"]["drafts"]): void {
    this.#state.value = withDrafts(this.#state.value, drafts);
  }

  /**
   * Ends mutes and pauses that are over.
   * @param now in ms
   */
  expire(now: number): void {
    this.#state.value = expire(this.#state.value, now);
  }

  /** Starts code that reads the confirmed state, and changes it by `change`. */
  attach<Result>(start: (deps: AttachedDeps) => Result): Result {
    const { api, clock, change } = this;
    const replaceSections = (sections: Sections) => {
      this.#state.value = withPersonal(this.#state.value, { sections });
    };
    return start({ api, clock, state: this.#state, replaceSections, change });
  }

  #mergeTeam(team: Team): void {
    mergeTeam(this.team, this.deps.storage, team);
  }

  #mergeMe(me: Me): void {
    if (this.me.value?.id === me.id) this.#state.value = withMe(this.#state.value, me);
  }

  #onStatus(status: ConnectionStatus): void {
    this.status.value = status;
    if (status === "signed-out") void this.#verifySession();
  }

  /** Finds out why the socket was closed for good: the session has ended, or may only sign in. */
  async #verifySession(): Promise<void> {
    const state = await this.call("GET /api/auth/me/second-factor").catch(() => null);
    void this.#end(state?.is_restricted ? "restricted" : "signed-out");
  }

  /**
   * Subscribes to every event of the socket, after it is applied.
   * @returns a function that unsubscribes
   */
  onEvent(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #onEvent(event: ServerEvent): void {
    const before = this.state.value;
    this.#services.journal.record(event);
    if (event.type === "team_updated") this.#mergeTeam(event.team);
    if (event.type === "hello") this.#onHello(event.user_id);
    else if (event.type === "error") {
      if (!this.outbox?.fail(event)) this.sync.onError(event);
    } else {
      this.sync.onEvent(event);
      this.live.receive({ event, now: this.clock.now() });
      // The message is in the room before it is removed from the outbox.
      if (event.type === "ack" && "message" in event) this.outbox?.entries.delete(event.client_id);
    }
    for (const listener of this.#listeners) listener(event, before);
  }

  /** Loads what missed events may have changed while the socket was closed. */
  #onHello(userId: string): void {
    if (!this.#services.person.isSame(userId)) return;
    this.conversations.load();
    // If it fails, the next connection loads it again.
    this.call("GET /api/team").catch(() => {});
    this.lists.load();
    this.threads.load();
    this.sync.reconnected();
    this.outbox?.resume();
  }

  /** Stops everything; messages of the outbox stay in the storage. */
  close(): void {
    this.#services.connection.stop();
    this.sync.stop();
    this.conversations.stop();
    this.lists.stop();
    this.threads.stop();
    this.thread.stop();
    this.#pending.clear();
    this.outbox?.close();
    this.outbox = null;
    this.unsent.value = [];
  }

  /** @returns a promise that resolves when the person's data is deleted, which may never happen */
  #end(phase: EndPhase): Promise<unknown> {
    // The stored data already belongs to the other person.
    if (this.phase.value === "replaced") return Promise.resolve();
    const wasIn = this.outbox !== null;
    const { storage, forget } = this.deps;
    const own = this.me.value?.id;
    this.close();
    if (phase === "signed-out") forgetPerson(storage);
    this.#state.value = emptyState;
    this.phase.value = phase;
    // The next person at this browser must not see the data. Someone who has already signed in
    // keeps theirs.
    if (phase === "signed-out") forgetPeople(storage, () => true);
    if (phase === "replaced") forgetPeople(storage, (id) => id !== null && id === own);
    // Files that were shared while nobody was signed in are for the next person who signs in.
    const cleared = Promise.all([this.stored.clear(), wasIn ? forget?.() : undefined]);
    cleared.catch(() => {});
    return cleared;
  }

  /**
   * Clears this page's stored state, and stops storing it, so that the next load restores nothing.
   */
  async turnOffStorage(): Promise<void> {
    forgetPerson(this.deps.storage);
    await this.stored.turnOff();
  }
}

/** The stored team, for the first paint of the next start. */
const TEAM_KEY = "snug.team";

/** @returns the team as last stored; null if nothing is stored */
function readTeam(storage: KeyValue): Team | null {
  return JSON.parse(storage.getItem(TEAM_KEY) ?? "null");
}

/** Shows and stores a response about the team, unless the current one is newer. */
function mergeTeam(current: Signal<Team | null>, storage: KeyValue, team: Team): void {
  if (team.version < (current.value?.version ?? 0)) return;
  current.value = team;
  storeIfSpace(storage, TEAM_KEY, JSON.stringify(team));
}

type LiveEventsDeps = {
  state: Signal<State>;
  conversations: MyConversations;
  sync: RoomSync;
  lists: PersonalLists;
  threads: MyThreads;
  thread: ThreadSync;
};

type MemberUpdated = Extract<ServerEvent, { type: "member_updated" }>;

/** Applies events and responses to the state, and starts loads of data that they do not contain. */
export class LiveEvents {
  /** The room from which I was removed while it was open. */
  readonly removedFromRoom: Signal<MyRoom | null> = signal(null);
  readonly #formerNames = new FormerNames();

  constructor(private readonly deps: LiveEventsDeps) {}

  /** Applies an event, a response, or what several requests have loaded. */
  receive(source: Source): void {
    const { state, conversations, lists, threads, thread } = this.deps;
    const before = state.value;
    state.value = receive(before, source);
    for (const event of eventsOf(source)) {
      conversations.onEvent(event);
      lists.onEvent(before, event);
      threads.onChange(event);
      thread.onEvent(event);
    }
    if ("event" in source) {
      this.#follow(before, source.event);
      return;
    }
    if ("route" in source) conversations.onResponse(source);
    if ("page" in source) threads.onChange(null);
    lists.onResponse(before, source);
  }

  /** Does what follows from events about rooms. */
  #follow(before: State, event: ServerEvent): void {
    const { state, sync } = this.deps;
    if (event.type === "room_updated") this.#formerNames.note(before, event);
    // Requests since the removal may have been refused, even if the event of the removal never
    // arrived.
    if (event.type === "room_added") sync.cameBack(event.room.id);
    if (event.type === "room_removed") {
      if (conversationById(state.value, event.room_id)) sync.cameBack(event.room_id);
      else {
        this.removedFromRoom.value = roomById(before, event.room_id) ?? null;
        sync.forget(event.room_id);
      }
    }
    if (event.type === "member_updated") this.#renewPartners(event);
  }

  /**
   * Loads a conversation again if an event does not have all people who changed: an older service only
   * names them.
   */
  #renewPartners({ room_id, user_ids, members }: MemberUpdated): void {
    const { state, conversations } = this.deps;
    const conversation = conversationById(state.value, room_id);
    if (conversation?.kind !== "direct") return;
    const partners = conversation.direct.members;
    const isPartner = (id: string) => partners.some(({ user }) => user.id === id);
    const isWhole = members && user_ids?.length === members.length && user_ids.every(isPartner);
    if (!isWhole) conversations.loadDirect(room_id);
  }

  /** The room that had this name earlier, if it was renamed while the page was open. */
  roomFormerly(name: string): MyRoom | undefined {
    return roomById(this.deps.state.value, this.#formerNames.idOf(name));
  }
}

/**
 * Former names of rooms while this page is open, so that addresses with a former name still work.
 */
class FormerNames {
  readonly #ids = new Map<string, string>();

  /** @param state the state before the event */
  note(state: State, event: Extract<ServerEvent, { type: "room_updated" }>): void {
    const room = roomById(state, event.room_id);
    if (room && room.name !== event.room.name) this.#ids.set(room.name, room.id);
  }

  /**
   * @param name a name, or an id as in a notification's link
   * @returns the id of the room that had this name; otherwise `name` itself
   */
  idOf(name: string): string {
    return this.#ids.get(name) ?? name;
  }
}
