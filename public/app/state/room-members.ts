import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../src/wire/events.ts";
import { MAX_MEMBERS_PER_QUERY } from "../../../src/wire/limits.ts";
import type { Member, Page } from "../../../src/wire/models.ts";
import { type Api, getAll } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import { Load } from "./load.ts";
import type { State } from "./model.ts";
import { withMembers, withSomeMembers } from "./people.ts";

type RoomMembersDeps = {
  api: Api;
  clock: Clock;
  state: Signal<State>;
  /** Whether a room is about to be joined: from then on its events are heard. */
  isJoining(roomId: string): boolean;
};
/** Whom to load: all, or these. */
type Wanted = "all" | ReadonlySet<string>;
type Watched = { viewers: number; wanted: Wanted; asked: Wanted; load: Load<Member[]> };

/** So often a list is loaded as a whole; those whom an event names are loaded at once. */
const ALL_EVERY_MS = 3_000;
const NOBODY: Wanted = new Set();

/**
 * Keeps lists of members current while something shows them. Who is named by an event is loaded
 * again, together with the others who were named meanwhile; the whole list is only where more have
 * changed than one request can name, or where events may have been missed.
 */
export class RoomMembers {
  readonly #watched = new Map<string, Watched>();

  constructor(private readonly deps: RoomMembersDeps) {}

  /**
   * Loads a room's members, and keeps them current.
   * @returns what ends it
   */
  watch(roomId: string): () => void {
    const watched = this.#watched.get(roomId) ?? this.#start(roomId);
    watched.viewers += 1;
    return () => {
      watched.viewers -= 1;
      if (watched.viewers > 0 || this.#watched.get(roomId) !== watched) return;
      watched.load.cancel();
      this.#watched.delete(roomId);
    };
  }

  /** A room was joined, or brought ahead of its events: something may have been missed. */
  renew(roomId: string): void {
    const watched = this.#watched.get(roomId);
    if (!watched) return;
    watched.wanted = "all";
    watched.load.restart();
  }

  stop(): void {
    for (const { load } of this.#watched.values()) load.cancel();
    this.#watched.clear();
  }

  onEvent(event: ServerEvent): void {
    if (event.type === "member_updated") {
      this.#want(event.room_id, event.user_ids ? new Set(event.user_ids) : "all");
    } else if (event.type === "member_added" || event.type === "member_removed") {
      this.#want(event.room_id, new Set([event.user_id]));
    }
  }

  #start(roomId: string): Watched {
    const { api, clock, state } = this.deps;
    const path = `/api/rooms/${roomId}/members`;
    let loadedAt = Number.NEGATIVE_INFINITY;
    const load = new Load<Member[]>({
      clock,
      fetch: async (signal) => {
        const asked = watched.wanted;
        watched.asked = asked;
        watched.wanted = NOBODY;
        try {
          if (asked !== "all" && asked.size === 0) return [];
          if (asked !== "all") {
            const page = await api.get<Page<Member>>(
              `${path}?user_ids=${[...asked].join()}`,
              signal,
            );
            return page.items;
          }
          await waitFor(clock, loadedAt + ALL_EVERY_MS - clock.now(), signal);
          // Those who change while it waits are in it.
          watched.wanted = NOBODY;
          return await getAll<Member>(api, path, signal);
        } catch (error) {
          watched.wanted = both(asked, watched.wanted);
          throw error;
        }
      },
      land: (members) => {
        const { asked } = watched;
        if (asked === "all") loadedAt = clock.now();
        state.value =
          asked === "all"
            ? withMembers(state.value, roomId, members)
            : withSomeMembers(state.value, roomId, asked, members);
        if (watched.wanted === "all" || watched.wanted.size > 0) load.ask();
      },
    });
    const watched: Watched = { viewers: 0, wanted: "all", asked: NOBODY, load };
    this.#watched.set(roomId, watched);
    // A room is opened together with its list: once it is joined, the list is loaded.
    queueMicrotask(() => {
      if (this.#watched.get(roomId) === watched && !this.deps.isJoining(roomId)) load.ask();
    });
    return watched;
  }

  #want(roomId: string, whom: Wanted): void {
    const watched = this.#watched.get(roomId);
    if (!watched) return;
    watched.wanted = both(watched.wanted, whom);
    watched.load.ask();
  }
}

function both(a: Wanted, b: Wanted): Wanted {
  if (a === "all" || b === "all") return "all";
  const ids = a.union(b);
  return ids.size > MAX_MEMBERS_PER_QUERY ? "all" : ids;
}

/** Rejects when it is aborted. */
function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  signal.addEventListener("abort", () => {
    cancel();
    reject(signal.reason);
  });
  return promise;
}
