import type { ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../connection/clock.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import { emptyView, type RoomView, type State } from "../model/model.ts";
import type { Me, Message, User } from "../../../../src/wire/models.ts";
import type { Conversation } from "../model/conversation.ts";
import { takeRoom } from "../model/ledger.ts";
import { usersOf, withUsers } from "../model/users.ts";

/** After the first change; the changes until then are saved with it. */
const SAVE_DELAY_MS = 1_000;

/**
 * The part of the state that this browser stores, shown at the next start before the service has
 * answered.
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

  /** Saves the state within a second, also where it changes all the time. */
  saveSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.clock.after(SAVE_DELAY_MS, () => {
      this.#isDue = false;
      void this.save();
    });
  }

  /** Writes the state. At most one write waits for the one under way, and writes what is newest then. */
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

  /** Reads what is stored. It may never answer. @returns null if nothing was stored by this version */
  async load(): Promise<State | null> {
    return fromSnapshot(await this.snapshots?.load());
  }

  /** Deletes what is stored. It may never answer. */
  async clear(): Promise<void> {
    await this.snapshots?.clear();
  }

  /** The page is hidden, and perhaps suspended: neither the next page nor this one waits for its writes. */
  abort(): void {
    this.snapshots?.abort?.();
    this.#running = Promise.resolve();
    this.#queued = null;
  }

  /** Clears what is stored, and stores nothing more of this page. */
  async turnOff(): Promise<void> {
    this.#isOff = true;
    await this.clear();
  }
}

/** The part of the state that the browser stores, to show it until the service has answered. */
export type Snapshot = {
  version: typeof VERSION;
  me: Me;
  conversations: Record<string, Conversation>;
  activity: State["activity"];
  follows: State["follows"];
  sections: State["sections"];
  views: Record<string, { seq: number; messages: Message[]; hasBefore: boolean }>;
  /** Whom the rest shows. */
  users: User[];
};

/** A snapshot of another version is ignored. */
const VERSION = 8;
const MAX_VIEWS = 20;
const MAX_MESSAGES = 50;

/** @returns null while there is nothing to store */
function toSnapshot(state: State): Snapshot | null {
  const { me, conversations, activity, follows, sections, views } = state;
  if (!me || !conversations) return null;
  const latest = (id: string) => conversations[id]?.last_message_at ?? "";
  const newestViews = Object.entries(views)
    // A view around an old message does not have the room's newest messages.
    .filter(([, view]) => view.loaded && view.seq !== null && !view.hasAfter && !view.thread)
    .sort(([a], [b]) => (latest(a) < latest(b) ? 1 : -1))
    .slice(0, MAX_VIEWS)
    .map(([roomId, view]) => [roomId, keep(view)] as const);
  const snapshot = {
    version: VERSION,
    me,
    conversations,
    activity,
    follows,
    sections,
    views: Object.fromEntries(newestViews),
  } as const;
  return { ...snapshot, users: usersOf(state, snapshot) };
}

function keep({ seq, messages, hasBefore }: RoomView) {
  const isCut = messages.length > MAX_MESSAGES;
  return { seq: seq ?? 0, messages: messages.slice(-MAX_MESSAGES), hasBefore: hasBefore || isCut };
}

/** @returns null if it is not a snapshot of this version */
function fromSnapshot(value: unknown): State | null {
  const snapshot = value as Snapshot | null | undefined;
  if (snapshot?.version !== VERSION) return null;
  const { me, conversations, activity, follows, sections } = snapshot;
  const loaded = Object.entries(snapshot.views).map(
    ([roomId, view]) => [roomId, { ...emptyView, ...view, loaded: true }] as const,
  );
  const ledgers = Object.fromEntries(
    Object.entries(conversations).map(([id, room]) => [id, takeRoom(undefined, room)]),
  );
  const views = Object.fromEntries(loaded);
  const state = { me, conversations, ledgers, activity, follows, sections, views, users: {} };
  return withUsers(state, snapshot);
}
