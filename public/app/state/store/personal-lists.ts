import type { ReadonlySignal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Me } from "../../../../src/wire/models.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import { type Api, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Loaded, Received } from "../events/receive.ts";
import { type Journal, Load } from "../load.ts";
import type { State } from "../model/model.ts";
import { changesSaved, countMentions, haveSameMentions } from "../personal/personal.ts";

type PersonalListsDeps = {
  api: Api;
  clock: Clock;
  journal: Journal;
  state: ReadonlySignal<State>;
  receive(source: Loaded): void;
};

/** Loads the lists that only I see, and loads them again if an event lacks the details. */
export class PersonalLists {
  readonly #me: Load<Me>;
  readonly #activity: Load<unknown>;
  readonly #sections: Load<unknown>;
  readonly #saved: Load<unknown>;
  readonly #scheduled: Load<Scheduled[]>;
  /** Whether saved and scheduled messages are loaded: after the first paint, if they are stored. */
  #isWhole = false;
  /** Whether a mention was counted since the last list of new activity, so that the next may be older. */
  #hasNewMention = false;

  constructor(private readonly deps: PersonalListsDeps) {
    const { api, clock, journal, receive } = deps;
    // The calls merge their own responses.
    const load = <T>(fetch: (signal: AbortSignal) => Promise<T>) => new Load({ clock, fetch });
    this.#me = load((signal) => api.call("GET /api/auth/me", {}, { signal }));
    this.#sections = load((signal) => api.call("GET /api/auth/me/sections", {}, { signal }));
    this.#saved = load((signal) => api.call("GET /api/saved/ids", {}, { signal }));
    this.#activity = load((signal) => api.call("GET /api/activity/unread", {}, { signal }));
    this.#scheduled = new Load({
      clock,
      journal,
      fetch: (signal) => getAll(api, "GET /api/scheduled", {}, signal),
      merge: (all, events) => {
        receive({ scheduled: all, events });
      },
    });
  }

  /** Loads everything again, because events may have been missed. */
  load(): void {
    this.#me.refreshNow();
    this.#activity.refreshNow();
    this.#sections.refreshNow();
    if (!this.#isWhole) return;
    this.#saved.refreshNow();
    this.#scheduled.refreshNow();
  }

  /** Loads saved and scheduled messages, too, from now on. */
  loadWhole(): void {
    if (this.#isWhole) return;
    this.#isWhole = true;
    this.#saved.refresh();
    this.#scheduled.refresh();
  }

  loadSections(): void {
    this.#sections.refreshNow();
  }

  /**
   * Loads the new entries of my activity, because only the service knows which mentions are new.
   */
  refreshActivity(): void {
    this.#activity.refresh();
  }

  stop(): void {
    const loads = [this.#me, this.#activity, this.#sections, this.#saved, this.#scheduled];
    for (const load of loads) load.cancel();
  }

  /** @param before the state before the event was applied */
  onEvent(before: State, event: ServerEvent): void {
    if (event.type === "activity_updated") {
      if (this.#hasNewMention) this.#activity.refresh();
      this.#hasNewMention = false;
    } else if (before.personal.activity !== this.deps.state.value.personal.activity)
      this.#hasNewMention = true;
    const isMembership = event.type === "room_added" || event.type === "room_removed";
    if (isMembership || event.type === "membership_updated" || this.#changesMentions(before, event))
      this.#activity.refresh();
    const { sections } = before.personal;
    const isNewer = event.type === "sections_updated" && event.version > (sections?.version ?? -1);
    // A room in the default sections is put into its section when I join it.
    if (isNewer || (event.type === "room_added" && sections?.sections.length))
      this.#sections.refresh();
    if (!this.#isWhole) return;
    if (event.type !== "hello" && changesSaved(before, event)) this.#saved.refresh();
    if (isMembership || event.type === "scheduled_failed") this.#scheduled.refresh();
  }

  /**
   * Whether an event changed mentions in a way that only the service can count: by an edit or a
   * deletion, or by marking them unread. New ones, and those that were read, need no request.
   */
  #changesMentions(before: State, event: ServerEvent): boolean {
    if (!("room_id" in event) || !event.room_id) return false;
    const more =
      countMentions(this.deps.state.value, event.room_id) - countMentions(before, event.room_id);
    if (event.type === "message" || event.type === "unread") return false;
    return event.type === "read" ? more > 0 : more !== 0;
  }

  /** @param before the state before the response was merged */
  onResponse(before: State, source: Received | Loaded): void {
    // No event changes the mentions of a response.
    if (!haveSameMentions(before, this.deps.state.value)) this.#activity.refresh();
    if (!("route" in source)) return;
    const { route, events } = source;
    if (route === "GET /api/activity/unread" || route === "POST /api/activity/read") {
      this.#hasNewMention = false;
      // It does not say which of the mentions since its request it includes.
      const isOther = !haveSameMentions(source.before, this.deps.state.value);
      if (isOther || events.some(isHello)) this.#activity.refresh();
    }
    if (!this.#isWhole) return;
    // A list requested since then may be newer than the response, and what the response has saved
    // or lists may have been deleted.
    const changesMine = (event: ServerEvent) => changesSaved(this.deps.state.value, event);
    if (route.includes(" /api/saved/") && events.some(changesMine)) this.#saved.refresh();
    const isReload = (event: ServerEvent) => isHello(event) || event.type === "scheduled_failed";
    if (route.includes("/api/scheduled/:") && events.some(isReload)) this.#scheduled.refresh();
  }
}

/** A response to a request from before it may be older than the lists that were loaded since. */
function isHello({ type }: ServerEvent): boolean {
  return type === "hello";
}
