import type { Signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Me } from "../../../../src/wire/models.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import { type Api, getAll } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { receiveScheduled, type Received } from "../events/receive.ts";
import { type Journal, Load } from "../load.ts";
import type { State } from "../model/model.ts";
import { changesSaved, countAllMentions, countMentions } from "../personal/personal.ts";

type PersonalListsDeps = {
  api: Api;
  clock: Clock;
  journal: Journal;
  state: Signal<State>;
};

/** Loads the lists that only I see, and loads them again if an event lacks the details. */
export class PersonalLists {
  readonly #me: Load<Me>;
  readonly #activity: Load<unknown>;
  readonly #sections: Load<unknown>;
  readonly #saved: Load<unknown>;
  readonly #scheduled: Load<Scheduled[]>;
  /** Whether saved and scheduled messages are loaded, which happens after the first paint. */
  #isWhole = false;

  constructor(private readonly deps: PersonalListsDeps) {
    const { api, clock, journal, state } = deps;
    // The calls merge their own responses.
    const load = <T>(fetch: (signal: AbortSignal) => Promise<T>) => new Load({ clock, fetch });
    this.#me = load((signal) => api.call("GET /api/auth/me", {}, { signal }));
    this.#sections = load((signal) => api.call("GET /api/auth/me/sections", {}, { signal }));
    this.#saved = load((signal) => api.call("GET /api/saved/ids", {}, { signal }));
    let mentionsAtRequest = 0;
    this.#activity = new Load({
      clock,
      fetch: (signal) => {
        mentionsAtRequest = countAllMentions(state.value);
        return api.call("GET /api/activity/unread", {}, { signal });
      },
      merge: () => {
        // It is unknown whether the response includes mentions that arrived meanwhile.
        if (countAllMentions(state.value) !== mentionsAtRequest) this.#activity.refresh();
      },
    });
    this.#scheduled = new Load({
      clock,
      journal,
      fetch: (signal) => getAll(api, "GET /api/scheduled", {}, signal),
      merge: (all, events) => {
        state.value = receiveScheduled(state.value, all, events);
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
    this.#isWhole = true;
    for (const list of [this.#saved, this.#scheduled]) if (!list.isUnderWay) list.refresh();
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
    const isMembership = event.type === "room_added" || event.type === "room_removed";
    if (isMembership || event.type === "membership_updated" || this.#hidesNews(before, event))
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
   * Whether mentions that may have been new were removed, or were marked unread again. Mentions
   * read on this page are subtracted without a request.
   */
  #hidesNews(before: State, event: ServerEvent): boolean {
    if (!("room_id" in event) || !event.room_id) return false;
    const count = countMentions(this.deps.state.value, event.room_id);
    const countBefore = countMentions(before, event.room_id);
    return event.type === "read" ? count > countBefore : count < countBefore;
  }

  /** @param before the state before the response was merged */
  onResponse(before: State, { route, input, events }: Received): void {
    if (route === "POST /api/rooms/:id/unread") {
      const { id } = (input as { params: { id: string } }).params;
      // Compared here, because the event that follows no longer changes the count.
      if (countMentions(this.deps.state.value, id) !== countMentions(before, id))
        this.#activity.refresh();
    }
    if (!this.#isWhole) return;
    // A list requested since then may be newer than the response, and what the response has saved
    // may have been deleted.
    const changesMine = (event: ServerEvent) => changesSaved(this.deps.state.value, event);
    if (route.includes(" /api/saved/:") && events.some(changesMine)) this.#saved.refresh();
    const isReload = ({ type }: ServerEvent) => type === "hello" || type === "scheduled_failed";
    if (route.includes("/api/scheduled/:") && events.some(isReload)) this.#scheduled.refresh();
  }
}
