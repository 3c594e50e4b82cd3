import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Frame } from "../../../../src/wire/frames.ts";
import type { Me, Team } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import { type Clock, limitWait, STORAGE_WAIT_MS } from "../../connection/clock.ts";
import type { Outbox } from "../../connection/outbox.ts";
import type { OutboxEntry } from "../../connection/outbox-entries.ts";
import type { ConnectionStatus } from "../../../../src/snug-client/connection.ts";
import { withMe } from "../events/apply-event.ts";
import type { LiveEvents } from "./live-events.ts";
import { forgetPeople } from "./left-behind.ts";
import { emptyState, type State } from "../model/model.ts";
import type { MyActivity } from "../activity/my-activity.ts";
import { openOutbox } from "../outbox/my-outbox.ts";
import type { MyConversations } from "../conversations/my-conversations.ts";
import {
  announcePerson,
  type EndPhase,
  forgetPerson,
  type Phase,
  readPerson,
} from "./signed-in-person.ts";
import type { MySections } from "../sidebar/my-sections.ts";
import type { RoomSync } from "../timeline/room-sync.ts";
import { createParts, type Parts, type StoreDeps } from "./store-parts.ts";
import { StoredPage } from "./stored-page.ts";
import { applyRead } from "../model/unread.ts";
import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

/** What code that is loaded later works on. */
type AttachedDeps = { api: Api; clock: Clock; state: Signal<State> };

/** The state and actions of the client, without a page: tests run it against the real service. */
export class Store {
  readonly #state: Signal<State> = signal(emptyState);
  /** Changed by events, responses and the methods of this class alone. */
  readonly state: ReadonlySignal<State> = this.#state;
  /** The team's name and logo, which are shown before the sign-in too; null until they are known. */
  readonly team: Signal<Team | null>;
  readonly phase: Signal<Phase> = signal<Phase>("starting");
  readonly status: Signal<ConnectionStatus> = signal<ConnectionStatus>("idle");
  /** My messages that are not known to be stored. */
  readonly unsent: Signal<OutboxEntry[]> = signal([]);
  /** The outbox of my messages; null while nobody is signed in. */
  outbox: Outbox | null = null;
  /** Counts addresses of messages that do not exist, for a toast about each. */
  readonly missing: Signal<number>;
  readonly me = computed(() => this.state.value.me);
  /** Calls routes, for code that is given what it calls. */
  readonly api: Api;
  /** Calls a route. What its response says of the state is merged by the call (`responses.ts`). */
  readonly call: Api["call"];
  readonly clock: Clock;
  readonly sync: RoomSync;
  readonly live: LiveEvents;
  /** The new entries of my activity. */
  readonly activity: MyActivity;
  readonly stored: StoredPage;
  readonly #parts: Parts;
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  /** The rooms and direct conversations that I am in. */
  readonly conversations: MyConversations;
  readonly sections: MySections;
  /** True while the session is being checked: a restored page may belong to another person. */
  #isStarting = false;

  constructor(private readonly deps: StoreDeps) {
    this.team = signal(readTeam(deps.storage));
    this.#parts = createParts(deps, this.#state, this.phase, {
      end: (phase) => void this.#end(phase),
      onStatus: (status) => this.#onStatus(status),
      onEvent: (event) => this.#onEvent(event),
      notify: (event) => this.#notify(event),
      onTeam: (team) => this.#mergeTeam(team),
      onMe: (me) => this.#mergeMe(me),
      onOther: () => (this.#isStarting ? this.close() : void this.#end("replaced")),
    });
    ({ clock: this.clock, sync: this.sync, live: this.live } = this.#parts);
    ({ activity: this.activity, conversations: this.conversations } = this.#parts);
    this.sections = this.#parts.sections;
    this.missing = this.#parts.missing;
    this.api = this.#parts.api;
    this.call = this.api.call;
    this.stored = new StoredPage(this.#state, deps.snapshots, this.clock);
  }

  /** Checks the session, and connects. */
  async start(): Promise<void> {
    this.#isStarting = true;
    const restoring = this.#restore();
    // Where the storage does not answer, the page starts without it.
    const restored = limitWait(() => restoring, undefined, STORAGE_WAIT_MS, this.clock);
    try {
      // That nobody is signed in is a normal answer, so that the browser logs no failed request.
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

  /** Shows the stored state, unless the service has answered before; it is updated afterwards. */
  async #restore(): Promise<void> {
    const state = await this.stored.load();
    if (!state?.me) return;
    // It may be of someone else, where the storage did not answer when they signed out.
    if (readPerson(this.deps.storage) !== state.me.id) return this.stored.clear();
    const { value: phase } = this.phase;
    if (phase === "starting" || phase === "unreachable") this.#begin(state, state.me);
  }

  /** Someone has signed in. */
  enter(me: Me): void {
    const { storage } = this.deps;
    // Where the last person's page was closed before their session ended, nobody has removed it.
    if (readPerson(storage) !== me.id) forgetPeople(storage, (id) => id !== me.id);
    this.#begin({ ...emptyState, me }, me);
    announcePerson(this.deps.storage, me);
  }

  /** The person of the restored page is signed in. */
  #confirm(me: Me): void {
    this.#mergeMe(me);
    announcePerson(this.deps.storage, me);
    this.#parts.connection.start();
  }

  #begin(state: State, me: Me): void {
    // An open socket may belong to another person.
    this.close();
    this.#state.value = state;
    const { storage, locks } = this.deps;
    const send = (frame: Frame) => this.#parts.connection.send(frame);
    const deps = { me, storage, locks, clock: this.clock, send };
    this.outbox = openOutbox(deps, this.#state, this.unsent);
    this.phase.value = "signed-in";
    this.#parts.connection.start();
    // Without a stored state, the rooms are shown before the socket is open, and loaded again then.
    if (!state.conversations) this.conversations.load();
    if (!state.sections) this.sections.load();
  }

  /**
   * Ends this session, or all sessions of the person.
   * @returns the address at which the provider ends its own session; null if no provider began it, or the
   * others go on
   */
  async signOut(everywhere = false): Promise<string | null> {
    const answer = await this.call("POST /api/auth/logout", { body: { everywhere } });
    const cleared = this.#end("signed-out");
    // The redirect leaves this page, and would cut it off.
    await limitWait(() => cleared, undefined, STORAGE_WAIT_MS, this.clock);
    return answer && "redirect" in answer ? answer.redirect : null;
  }

  /** The network is back, or the page is visible again. */
  hurry(): void {
    this.#parts.connection.hurry();
    this.outbox?.claim();
    this.#parts.person.check();
  }

  typing(roomId: string): void {
    this.#parts.connection.send({ type: "typing", room_id: roomId });
  }

  /** Shows my account as a call is about to change it, before the response. */
  showMe(me: Me): void {
    this.#mergeMe(me);
  }

  /**
   * Shows a room as read, before the service has confirmed it.
   * @param lastReadAt when the newest message that was seen was written
   */
  showRead(roomId: string, lastReadAt: string): void {
    this.#state.value = applyRead(this.#state.value, roomId, lastReadAt);
  }

  /** Runs code of this folder that is loaded later, with the state that it may change. */
  attach<Result>(start: (deps: AttachedDeps) => Result): Result {
    return start({ api: this.api, clock: this.clock, state: this.#state });
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

  /** The socket was closed for good: the session has ended, or may not open a socket any more. */
  async #verifySession(): Promise<void> {
    const state = await this.call("GET /api/auth/me/second-factor").catch(() => null);
    void this.#end(state?.is_restricted ? "restricted" : "signed-out");
  }

  /** Calls for every event of the socket, after it was applied. */
  onEvent(listener: (event: ServerEvent) => void): void {
    this.#listeners.add(listener);
  }

  #onEvent(event: ServerEvent): void {
    if (event.type === "team_updated") this.#mergeTeam(event.team);
    if (event.type === "hello") this.#onHello(event.user_id);
    else if (event.type === "ack" && "message" in event) {
      this.outbox?.acknowledge(event.client_id, event.message);
    } else if (event.type === "error") {
      if (!this.outbox?.fail(event)) this.sync.onError(event);
    } else this.live.apply(event);
    this.#notify(event);
  }

  /** Loads what events may have changed that were missed while the socket was closed. */
  #onHello(userId: string): void {
    if (!this.#parts.person.isSame(userId)) return;
    this.conversations.load();
    this.#parts.me.restart();
    // If it fails, the next connection asks again.
    this.call("GET /api/team").catch(() => {});
    this.activity.load();
    this.sections.load();
    this.sync.reconnected();
    this.outbox?.resume();
  }

  #notify(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Stops everything; messages of the outbox stay in the storage. */
  close(): void {
    this.sync.stop();
    this.conversations.stop();
    this.#parts.me.cancel();
    this.activity.stop();
    this.sections.stop();
    this.#parts.connection.stop();
    this.outbox?.close();
    this.outbox = null;
    this.unsent.value = [];
  }

  /** @returns once nothing of the person is stored, which may never happen */
  #end(phase: EndPhase): Promise<unknown> {
    const wasIn = this.outbox !== null;
    const { storage, forget } = this.deps;
    const own = this.me.value?.id;
    this.close();
    if (phase === "signed-out") forgetPerson(storage);
    this.#state.value = emptyState;
    this.phase.value = phase;
    // The next person at this browser must not see it. Someone who has signed in already keeps theirs.
    if (phase === "signed-out") forgetPeople(storage, () => true);
    if (phase === "replaced") forgetPeople(storage, (id) => id !== null && id === own);
    // What was shared while nobody was signed in is for the person who signs in.
    const cleared = Promise.all([this.stored.clear(), wasIn ? forget?.() : undefined]);
    cleared.catch(() => {});
    return cleared;
  }

  /** Clears what is stored of this page, and stores nothing more of it. The next load restores nothing. */
  async turnOffStorage(): Promise<void> {
    forgetPerson(this.deps.storage);
    await this.stored.turnOff();
  }
}

/** The stored team, for the first paint of the next start. */
const TEAM_KEY = "snug.team";

/** @returns the team as the last page knew it; null if nothing was stored */
function readTeam(storage: KeyValue): Team | null {
  return JSON.parse(storage.getItem(TEAM_KEY) ?? "null");
}

/** Shows and stores a response about the team, unless it is older than the known one. */
function mergeTeam(current: Signal<Team | null>, storage: KeyValue, team: Team): void {
  if (team.version < (current.value?.version ?? 0)) return;
  current.value = team;
  keepIfSpace(storage, TEAM_KEY, JSON.stringify(team));
}
