import type { Signal } from "@preact/signals";
import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { countMentions, withActivity } from "./count-activity.ts";
import { Load } from "../load.ts";
import type { State } from "../model/model.ts";

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
