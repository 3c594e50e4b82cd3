import type { ReadonlySignal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Member } from "../../../../src/wire/models.ts";
import { type Api, getAll } from "../../connection/api.ts";
import { type Clock, waitFor } from "../../connection/clock.ts";
import { idsOfUpdate } from "../events/apply-event.ts";
import type { Loaded } from "../events/receive.ts";
import { toMembers } from "../model/conversation.ts";
import { type Journal, Load } from "../load.ts";
import { conversationById, type State } from "../model/model.ts";
import { MAX_MEMBERS_PER_QUERY } from "../../../../src/wire/limits.ts";

type RoomMembersDeps = {
  api: Api;
  clock: Clock;
  journal: Journal;
  state: ReadonlySignal<State>;
  receive(source: Loaded): void;
  /** Whether a room is about to be joined, so that its events will arrive. */
  isJoining(roomId: string): boolean;
};
type Watched = {
  /**
   * How many components show the list. If none does, only the people shown with messages are
   * loaded.
   */
  viewers: number;
  isOpen: boolean;
  wanted: Wanted;
  asked: Wanted;
  /** New members whose profiles a later event should contain. */
  awaited: Set<string>;
  load: Load<Member[]>;
};

/**
 * The minimum time between two loads of a whole list. People named by an event are loaded at once.
 */
const ALL_EVERY_MS = 3_000;
/** The service waits a second between two events with profiles. */
const BROUGHT_WITHIN_MS = 3_000;

/**
 * Keeps the displayed lists of members up to date. Events contain the people who changed, and are
 * applied to a response whose request is older. People whom an event only names, or who leave while
 * a request is in flight, are loaded again together. The whole list is loaded only if more people changed than one request can name, or if events may
 * have been missed.
 */
export class RoomMembers {
  readonly #watched = new Map<string, Watched>();

  constructor(private readonly deps: RoomMembersDeps) {}

  /**
   * Loads a room's members, and keeps them up to date.
   * @returns a function that stops this
   */
  watch(roomId: string): () => void {
    const watch = this.#watched.get(roomId) ?? this.#start(roomId);
    watch.viewers += 1;
    if (watch.viewers === 1) this.#begin(roomId, watch);
    return () => {
      watch.viewers -= 1;
      this.#endUnused(roomId, watch);
    };
  }

  /**
   * Call when a room is opened or closed. While it is open, the people shown with its messages are
   * kept up to date.
   */
  setOpen(roomId: string, isOpen: boolean): void {
    const watch = this.#watched.get(roomId) ?? (isOpen ? this.#start(roomId) : null);
    if (!watch) return;
    watch.isOpen = isOpen;
    this.#endUnused(roomId, watch);
  }

  /** Call when a room was joined, or has skipped events: changes may have been missed. */
  renew(roomId: string): void {
    const watch = this.#watched.get(roomId);
    if (!watch) return;
    watch.wanted = "all";
    watch.load.refreshNow();
  }

  /** Call when the list is needed: a request that failed is repeated now. */
  retry(roomId: string): void {
    this.#watched.get(roomId)?.load.retry();
  }

  stop(): void {
    for (const [roomId, watch] of this.#watched) {
      watch.load.cancel();
      watch.isOpen = false;
      // Components that show a list could show it to the next person who signs in.
      this.#endUnused(roomId, watch);
    }
  }

  onEvent(event: ServerEvent): void {
    const watch = "room_id" in event && this.#watched.get(event.room_id ?? "");
    if (!watch) return;
    if (event.type === "member_updated") {
      const ids = idsOfUpdate(event);
      for (const id of ids ?? []) watch.awaited.delete(id);
      // An older service only names people, without their profiles.
      if (!event.members) this.#want(event.room_id, ids ?? "all");
    } else if (event.type === "member_removed") {
      watch.awaited.delete(event.user_id);
      // A missed event of the log may be older than the response, which does not say what it includes.
      if (watch.load.isUnderWay) this.#want(event.room_id, new Set([event.user_id]));
    } else if (event.type === "member_added") this.#await(event.room_id, event.user_id);
  }

  /** Waits for an event with a new member's profile, and loads it if none arrives. */
  #await(roomId: string, userId: string): void {
    const watch = this.#watched.get(roomId);
    if (!watch) return;
    watch.awaited.add(userId);
    this.deps.clock.after(BROUGHT_WITHIN_MS, () => {
      const isCurrent = this.#watched.get(roomId) === watch;
      if (isCurrent && watch.awaited.delete(userId)) this.#want(roomId, new Set([userId]));
    });
  }

  #start(roomId: string): Watched {
    const { api, clock, journal, state, receive } = this.deps;
    let loadedAt = Number.NEGATIVE_INFINITY;
    const load = new Load<Member[]>({
      clock,
      journal,
      fetch: async (signal) => {
        const memberIds = watch.wanted;
        watch.asked = memberIds;
        watch.wanted = NOBODY;
        try {
          // A conversation's response already contains its people.
          const conversation = conversationById(state.value, roomId);
          if (conversation?.kind === "direct") {
            watch.asked = "all";
            return toMembers(conversation.direct);
          }
          const visibleIds =
            watch.viewers === 0 ? shownOf(state.value, roomId, memberIds) : memberIds;
          if (visibleIds !== "all") {
            watch.asked = visibleIds;
            if (visibleIds.size === 0) return [];
            return await loadNamedMembers(api, roomId, visibleIds, signal);
          }
          await waitFor(clock, loadedAt + ALL_EVERY_MS - clock.now(), signal);
          // Includes people who change during the wait.
          watch.wanted = NOBODY;
          return await loadAllMembers(api, roomId, signal);
        } catch (error) {
          watch.wanted = joinWanted(memberIds, watch.wanted);
          throw error;
        }
      },
      merge: (members, events) => {
        const { asked } = watch;
        if (asked === "all") loadedAt = clock.now();
        receive({ roomId, members, of: asked, events });
      },
    });
    const watch: Watched = {
      viewers: 0,
      isOpen: false,
      load,
      wanted: NOBODY,
      asked: NOBODY,
      awaited: new Set(),
    };
    this.#watched.set(roomId, watch);
    return watch;
  }

  /**
   * Call when a room is opened together with its list: the list is loaded once the room is joined.
   */
  #begin(roomId: string, watch: Watched): void {
    watch.wanted = "all";
    queueMicrotask(() => {
      const isWatched = this.#watched.get(roomId) === watch && watch.viewers > 0;
      if (isWatched && !this.deps.isJoining(roomId)) watch.load.refresh();
    });
  }

  #endUnused(roomId: string, watch: Watched): void {
    if (watch.viewers > 0 || watch.isOpen || this.#watched.get(roomId) !== watch) return;
    watch.load.cancel();
    this.#watched.delete(roomId);
  }

  #want(roomId: string, whom: Wanted): void {
    const watch = this.#watched.get(roomId);
    if (!watch) return;
    watch.wanted = joinWanted(watch.wanted, whom);
    watch.load.refresh();
  }
}

/** The members of a room to load: all, or some user ids. */
type Wanted = "all" | ReadonlySet<string>;

const NOBODY: Wanted = new Set();

/**
 * The wanted people that a room shows without its list: authors of the newest messages, and the
 * owner.
 */
function shownOf(state: State, roomId: string, wanted: Wanted): ReadonlySet<string> {
  const messages = state.views[roomId]?.messages ?? [];
  const shownIds = new Set(messages.toReversed().map(({ author }) => author.id));
  const owner = conversationById(state, roomId)?.owner;
  const ids = [...(owner ? [owner.id] : []), ...shownIds].slice(0, MAX_MEMBERS_PER_QUERY);
  return new Set(wanted === "all" ? ids : ids.filter((id) => wanted.has(id)));
}

/** The union of two sets; all if a single request cannot name them. */
function joinWanted(a: Wanted, b: Wanted): Wanted {
  if (a === "all" || b === "all") return "all";
  const ids = a.union(b);
  return ids.size > MAX_MEMBERS_PER_QUERY ? "all" : ids;
}

/**
 * Loads those of these people who are members of a room.
 * @throws ApiError
 */
async function loadNamedMembers(
  api: Api,
  roomId: string,
  userIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { user_ids: [...userIds].join() } };
  return (await api.call("GET /api/rooms/:id/members", input, { signal })).items;
}

/** @throws ApiError */
function loadAllMembers(api: Api, roomId: string, signal: AbortSignal): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { all: "true" } } as const;
  return getAll(api, "GET /api/rooms/:id/members", input, signal);
}
