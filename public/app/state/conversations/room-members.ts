import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Member } from "../../../../src/wire/models.ts";
import { type Api, getAll } from "../../connection/api.ts";
import { type Clock, waitFor } from "../../connection/clock.ts";
import { toMembers } from "../model/conversation.ts";
import { Load } from "../load.ts";
import { conversationById, type State, withView } from "../model/model.ts";
import { withSomeMembers } from "../model/change-members.ts";
import { MAX_MEMBERS_PER_QUERY } from "../../../../src/wire/limits.ts";

type RoomMembersDeps = {
  api: Api;
  clock: Clock;
  state: Signal<State>;
  /** Whether a room is about to be joined, which makes its events arrive. */
  isJoining(roomId: string): boolean;
};
type Watched = {
  /** How many components show the list. Without one, only people whom messages show are loaded. */
  viewers: number;
  isOpen: boolean;
  wanted: Wanted;
  asked: Wanted;
  /** New members whom a later event has to bring. */
  awaited: Set<string>;
  load: Load<Member[]>;
};

/** How often a whole list is loaded at most; people whom an event names are loaded at once. */
const ALL_EVERY_MS = 3_000;
/** The service waits a second between two events that bring people. */
const BROUGHT_WITHIN_MS = 3_000;

/**
 * Keeps lists of members up to date while something shows them. Events bring the people who
 * changed. People whom an event only names, or brings while an answer is under way, are loaded
 * again, together with others who were named meanwhile. The whole list is loaded only if more have
 * changed than one request can name, or if events may have been missed.
 */
export class RoomMembers {
  readonly #watched = new Map<string, Watched>();

  constructor(private readonly deps: RoomMembersDeps) {}

  /** Loads a room's members, and keeps them up to date. @returns a function that ends it */
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
   * A room is opened or closed: while it is open, the people whom its messages show are kept up to
   * date.
   */
  setOpen(roomId: string, isOpen: boolean): void {
    const watch = this.#watched.get(roomId) ?? (isOpen ? this.#start(roomId) : null);
    if (!watch) return;
    watch.isOpen = isOpen;
    this.#endUnused(roomId, watch);
  }

  /** A room was joined, or moved ahead of its events: events may have been missed. */
  renew(roomId: string): void {
    const watch = this.#watched.get(roomId);
    if (!watch) return;
    watch.wanted = "all";
    watch.load.restart();
  }

  stop(): void {
    for (const [roomId, watch] of this.#watched) {
      watch.load.cancel();
      watch.isOpen = false;
      // The components that show a list may show it to the next person who signs in.
      this.#endUnused(roomId, watch);
    }
  }

  onEvent(event: ServerEvent): void {
    if (event.type === "member_updated") {
      // An older version of the service names people without bringing them.
      const { room_id, user_ids, members = null } = event;
      const ids = user_ids ?? members?.map(({ user }) => user.id);
      if (members && ids && this.#land(room_id, new Set(ids), members)) return;
      this.#want(room_id, ids ? new Set(ids) : "all");
    } else if (event.type === "member_removed") {
      const ids = new Set([event.user_id]);
      if (!this.#land(event.room_id, ids, [])) this.#want(event.room_id, ids);
    } else if (event.type === "member_added") this.#await(event.room_id, event.user_id);
  }

  /**
   * Takes over people whom an event brings.
   * @returns false if an answer is under way, which may be older
   */
  #land(roomId: string, ids: ReadonlySet<string>, members: Member[]): boolean {
    const watch = this.#watched.get(roomId);
    if (!watch) return true;
    for (const id of ids) watch.awaited.delete(id);
    if (watch.load.isUnderWay) return false;
    const { state } = this.deps;
    state.value = withSomeMembers(state.value, roomId, ids, members);
    return true;
  }

  /** An event brings a new member in a moment; if not, the member is loaded. */
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
    const { api, clock, state } = this.deps;
    let loadedAt = Number.NEGATIVE_INFINITY;
    const load = new Load<Member[]>({
      clock,
      fetch: async (signal) => {
        const memberIds = watch.wanted;
        watch.asked = memberIds;
        watch.wanted = NOBODY;
        try {
          // A conversation comes with its few people.
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
          // People who change while it waits are included.
          watch.wanted = NOBODY;
          return await loadAllMembers(api, roomId, signal);
        } catch (error) {
          watch.wanted = joinWanted(memberIds, watch.wanted);
          throw error;
        }
      },
      land: (members) => {
        const { asked } = watch;
        if (asked !== "all") state.value = withSomeMembers(state.value, roomId, asked, members);
        else {
          loadedAt = clock.now();
          state.value = withView(state.value, roomId, { members });
        }
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

  /** A room is opened together with its list: the list is loaded once the room is joined. */
  #begin(roomId: string, watch: Watched): void {
    watch.wanted = "all";
    queueMicrotask(() => {
      const isWatched = this.#watched.get(roomId) === watch && watch.viewers > 0;
      if (isWatched && !this.deps.isJoining(roomId)) watch.load.ask();
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
    watch.load.ask();
  }
}

/** The members of a room to load: all, or these. */
type Wanted = "all" | ReadonlySet<string>;

const NOBODY: Wanted = new Set();

/**
 * Those of the wanted people whom a room shows without its list: authors of the newest messages,
 * and the owner.
 */
function shownOf(state: State, roomId: string, wanted: Wanted): ReadonlySet<string> {
  const messages = state.views[roomId]?.messages ?? [];
  const shown = new Set(messages.toReversed().map(({ author }) => author.id));
  const owner = conversationById(state, roomId)?.owner;
  const ids = [...(owner ? [owner.id] : []), ...shown].slice(0, MAX_MEMBERS_PER_QUERY);
  return new Set(wanted === "all" ? ids : ids.filter((id) => wanted.has(id)));
}

/** The union of both; all if one request cannot name them. */
function joinWanted(a: Wanted, b: Wanted): Wanted {
  if (a === "all" || b === "all") return "all";
  const ids = a.union(b);
  return ids.size > MAX_MEMBERS_PER_QUERY ? "all" : ids;
}

/** Loads the members of a room among these people. @throws ApiError */
async function loadNamedMembers(
  api: Api,
  roomId: string,
  userIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { user_ids: [...userIds].join() } };
  return (await api.call("GET /api/rooms/:id/members", input, { signal })).items;
}

/** Loads all members of a room. @throws ApiError */
function loadAllMembers(api: Api, roomId: string, signal: AbortSignal): Promise<Member[]> {
  const input = { params: { id: roomId }, query: { all: "true" } } as const;
  return getAll(api, "GET /api/rooms/:id/members", input, signal);
}
