import type { ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../connection/clock.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import { emptyState, emptyView, type RoomView, type State } from "../model/model.ts";
import type { Me, User } from "../../../../src/wire/models.ts";
import type { Conversation } from "../model/conversation.ts";
import { mergeRoom } from "../model/ledger.ts";
import { joinsWithin } from "../model/joins.ts";
import { usersOf, withUsers } from "../model/users.ts";

/** The delay after the first change; later changes are saved with it. */
const SAVE_DELAY_MS = 1_000;

/**
 * The part of the state that this browser stores, shown at the next start until the service has
 * responded.
 */
export class StoredPage {
  #isOff = false;
  #isDue = false;
  #running = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(
    private readonly state: ReadonlySignal<State>,
    private readonly snapshots: Snapshots | undefined,
    private readonly clock: Clock,
  ) {}

  /** Saves the state within a second, even if it keeps changing. */
  saveSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.clock.after(SAVE_DELAY_MS, () => {
      this.#isDue = false;
      void this.save();
    });
  }

  /**
   * Writes the state. At most one write waits for the write in flight, and then writes the newest
   * state.
   */
  save(): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null;
      this.#running = this.#write();
      return this.#running;
    });
    return this.#queued;
  }

  async #write(): Promise<void> {
    const snapshot = this.#isOff ? null : toSnapshot(this.state.value);
    if (snapshot) await this.snapshots?.save(snapshot).catch(() => {});
  }

  /**
   * Reads the stored state. The promise may never settle.
   * @returns null if this version has stored nothing
   */
  async load(): Promise<State | null> {
    return fromSnapshot(await this.snapshots?.load());
  }

  /** Deletes the stored state. The promise may never settle. */
  async clear(): Promise<void> {
    await this.snapshots?.clear();
  }

  /**
   * Aborts writes when the page is hidden and perhaps suspended, so that neither this page nor the
   * next one waits for them.
   */
  abort(): void {
    this.snapshots?.abort?.();
    this.#running = Promise.resolve();
    this.#queued = null;
  }

  /** Clears the stored state, and stops storing it. */
  async turnOff(): Promise<void> {
    this.#isOff = true;
    await this.clear();
  }
}

export type Snapshot = {
  version: typeof VERSION;
  me: Me;
  conversations: Record<string, Conversation>;
  threads: State["threads"];
  personal: Omit<State["personal"], "hidden">;
  views: Record<string, StoredView>;
  /** The users to whom the rest refers. */
  users: User[];
};

type StoredView = Pick<RoomView, "messages" | "joins" | "hasBefore"> & { seq: number };

/** A snapshot of another version is ignored. */
const VERSION = 10;
const MAX_VIEWS = 20;
const MAX_MESSAGES = 50;

/** @returns null while there is nothing to store */
function toSnapshot(state: State): Snapshot | null {
  const { me, threads, views } = state;
  const { hidden: _, drafts, ...lists } = state.personal;
  // The content of drafts is stored separately.
  const personal = { ...lists, drafts: drafts && {} };
  if (!me || !state.conversations) return null;
  const conversations = mapValues(state.conversations, ({ ledger: _, ...room }) => {
    return room as Conversation;
  });
  const latest = (id: string) => conversations[id]?.last_message_at ?? "";
  const newestViews = Object.entries(views)
    // A view around an old message lacks the room's newest messages.
    .filter(([, view]) => view.loaded && view.seq !== null && !view.hasAfter && !view.thread)
    .sort(([a], [b]) => (latest(a) < latest(b) ? 1 : -1))
    .slice(0, MAX_VIEWS)
    .map(([roomId, view]) => [roomId, keep(view)] as const);
  const snapshot = {
    version: VERSION,
    me,
    conversations,
    threads,
    personal,
    views: Object.fromEntries(newestViews),
  } as const;
  const joinedIds = newestViews.flatMap(([, { joins }]) => joins.flatMap(({ userIds }) => userIds));
  const joined = joinedIds.map((id) => state.users[id]);
  return { ...snapshot, users: usersOf(state, [snapshot, joined]) };
}

function keep({ seq, messages, joins, hasBefore }: RoomView): StoredView {
  const newest = messages.slice(-MAX_MESSAGES);
  const isCut = newest.length < messages.length;
  return {
    seq: seq ?? 0,
    messages: newest,
    joins: joinsWithin(joins, isCut ? (newest[0]?.seq ?? 0) : 0, Infinity),
    hasBefore: hasBefore || isCut,
  };
}

/** @returns null if it is not a snapshot of this version */
function fromSnapshot(value: unknown): State | null {
  const snapshot = value as Snapshot | null | undefined;
  if (snapshot?.version !== VERSION) return null;
  const { me, threads } = snapshot;
  const personal = { ...emptyState.personal, ...snapshot.personal };
  const loaded = Object.entries(snapshot.views).map(
    ([roomId, view]) => [roomId, { ...emptyView, ...view, loaded: true }] as const,
  );
  const views = Object.fromEntries(loaded);
  const conversations = mapValues(snapshot.conversations, (room) => {
    return { ...room, ledger: mergeRoom(undefined, room) };
  });
  const state = { me, conversations, threads, personal, views, users: {} };
  return withUsers(state, snapshot);
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
