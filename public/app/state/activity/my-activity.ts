import type { Signal } from "@preact/signals";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { Load } from "../load.ts";
import { roomById, type State } from "../model/model.ts";
import { readNews } from "../model/unread.ts";

type MyActivityDeps = { api: Api; clock: Clock; state: Signal<State> };

const OF_MEMBERSHIPS = new Set<ServerEvent["type"]>([
  ...(["room_added", "room_removed", "membership_updated"] as const),
]);

/** Keeps the number of new entries of my activity up to date. */
export class MyActivity {
  readonly #load: Load<UnreadActivity>;
  /** The unread mentions in all rooms when the number was last requested. */
  #mentionsAsked = 0;

  constructor(private readonly deps: MyActivityDeps) {
    const { api, clock } = deps;
    this.#load = new Load({
      clock,
      fetch: (signal) => {
        this.#mentionsAsked = this.#mentions;
        return api.call("GET /api/activity/unread", {}, { signal });
      },
      land: (unread) => {
        this.deps.state.value = withActivity(this.deps.state.value, unread);
        // Whether mentions that came meanwhile are in the answer is unknown.
        if (this.#mentions !== this.#mentionsAsked) this.#load.ask();
      },
    });
  }

  /** Loads it: events may have been missed. */
  load(): void {
    this.#load.restart();
  }

  /** Loads the counts again, after mentions have changed: only the service knows which of them are new. */
  ask(): void {
    this.#load.ask();
  }

  stop(): void {
    this.#load.cancel();
  }

  /**
   * Loads the counts again where an event, which was applied, does not say what it changes in them: mentions
   * that are gone may have been new, reactions count in the rooms that I am in, and mentions in those that
   * are not muted.
   */
  onEvent(before: State, event: ServerEvent): void {
    if (OF_MEMBERSHIPS.has(event.type)) this.#load.ask();
    if (!("room_id" in event) || !event.room_id) return;
    const more = countMentions(this.deps.state.value, event.room_id);
    const mentionCount = countMentions(before, event.room_id);
    // Those that are read now are not counted; those that were marked unread again may be.
    if (event.type === "read" ? more > mentionCount : more < mentionCount) this.#load.ask();
  }

  get #mentions(): number {
    const { value: state } = this.deps.state;
    return Object.keys(state.conversations ?? {}).reduce(
      (sum, id) => sum + countMentions(state, id),
      0,
    );
  }
}

/** The state with an answer about new entries of my activity. */
export function withActivity(state: State, unread: UnreadActivity): State {
  // The mark only moves forward: an answer with an earlier one is older.
  if (state.activity && unread.read_at < state.activity.read_at) return state;
  return { ...state, activity: unread };
}

/** The state after an event of a room, which may have brought mentions. */
export function withNewMentions(before: State, state: State, roomId: string): State {
  const { activity } = state;
  const more = countMentions(state, roomId) - countMentions(before, roomId);
  if (!activity || more <= 0) return state;
  const count = activity.mentions.find(({ room_id }) => room_id === roomId)?.count ?? 0;
  const others = activity.mentions.filter(({ room_id }) => room_id !== roomId);
  const mentions = [...others, { room_id: roomId, count: count + more }];
  return { ...state, activity: { ...activity, mentions } };
}

/** The number of unread mentions in a room of mine. */
export function countMentions(state: State, roomId: string): number {
  return roomById(state, roomId)?.membership?.mention_count ?? 0;
}

/**
 * The number of new entries. A room's mentions after the list's mark are its newest ones, so at
 * most as many are new as are unread in the room.
 */
export function countActivity(state: State): { mentions: number; reactions: number } {
  const { activity } = state;
  if (!activity || !state.conversations) return { mentions: 0, reactions: 0 };
  const mentions = activity.mentions.reduce((sum, { room_id, count }) => {
    return sum + Math.min(count, readNews(roomById(state, room_id)?.membership).mentions);
  }, 0);
  return { mentions, reactions: activity.reactions };
}
