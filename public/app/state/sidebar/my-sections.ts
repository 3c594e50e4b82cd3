import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Section, Sections } from "../../../../src/wire/sections.ts";
import { type Api, ApiError } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { Load } from "../load.ts";
import { type State, withSections } from "../model/model.ts";
import type { SectionChange } from "./section-changes.ts";

type MySectionsDeps = { api: Api; clock: Clock; state: Signal<State> };
type Change = { apply: SectionChange; saved: PromiseWithResolvers<void> };

/** Browsers limit the bodies of requests that outlive their page. */
const MAX_KEEPALIVE_CHARACTERS = 30_000;

/** The sections of my sidebar: loaded, kept up to date, and changed before the service confirms it. */
export class MySections {
  /** With the changes that are not saved yet; null until they are loaded. */
  readonly shown: ReadonlySignal<Section[] | null>;
  readonly #unsaved: Signal<Change[]> = signal([]);
  readonly #load: Load<Sections>;
  /** Ends with the session: a response that comes later belongs to another person. */
  #session = new AbortController();
  #isSaving = false;

  constructor(private readonly deps: MySectionsDeps) {
    const { api, clock, state } = deps;
    this.#load = new Load({
      clock,
      fetch: (signal) => api.call("GET /api/auth/me/sections", {}, { signal }),
      land: (sections) => {
        state.value = withSections(state.value, sections);
      },
    });
    const saved = computed(() => state.value.sections);
    this.shown = computed(
      () => saved.value && applyChanges(saved.value.sections, this.#unsaved.value),
    );
  }

  /** Loads them: events may have been missed. */
  load(): void {
    this.#load.restart();
  }

  /** Cancels all requests, and forgets what is not saved. */
  stop(): void {
    this.#load.cancel();
    this.#session.abort();
    this.#session = new AbortController();
    this.#isSaving = false;
    this.#unsaved.value = [];
  }

  onEvent(event: ServerEvent): void {
    const { sections } = this.deps.state.value;
    const isNewer = event.type === "sections_updated" && event.version > (sections?.version ?? -1);
    // A room of the sections with which accounts start is in its section once it is joined.
    const mayBeListed = event.type === "room_added" && sections && sections.sections.length > 0;
    if (isNewer || mayBeListed) this.#load.ask();
  }

  /**
   * Shows a change at once, and saves it. What another device has changed meanwhile stays: the change is
   * applied to it again.
   * @throws ApiError if it is not saved, and therefore not shown any more
   */
  change(apply: SectionChange): Promise<void> {
    const change: Change = { apply, saved: Promise.withResolvers() };
    this.#unsaved.value = [...this.#unsaved.value, change];
    if (!this.#isSaving) void this.#save();
    return change.saved.promise;
  }

  async #save(): Promise<void> {
    const { signal } = this.#session;
    this.#isSaving = true;
    while (this.#unsaved.value.length > 0) {
      const changes = this.#unsaved.value;
      try {
        const response = await this.#put(changes, signal);
        if (signal.aborted) return;
        this.#settle(withSections(this.deps.state.value, response), changes);
        for (const { saved } of changes) saved.resolve();
      } catch (error) {
        if (signal.aborted) return;
        const current = error instanceof ApiError ? error.current : undefined;
        const state = this.deps.state.value;
        // Whatever its version is: the next attempt has to follow it.
        if (current) this.#settle({ ...state, sections: current }, []);
        else {
          this.#settle(state, changes);
          for (const { saved } of changes) saved.reject(error);
        }
      }
    }
    this.#isSaving = false;
  }

  async #put(changes: Change[], signal: AbortSignal): Promise<Sections> {
    const { api, state } = this.deps;
    const current =
      state.value.sections ?? (await api.call("GET /api/auth/me/sections", {}, { signal }));
    const sections = applyChanges(current.sections, changes);
    const body = { base_version: current.version, sections };
    const keepalive = JSON.stringify(body).length < MAX_KEEPALIVE_CHARACTERS;
    return api.call("PUT /api/auth/me/sections", { body }, { keepalive, signal });
  }

  /** Shows a state, and forgets changes at the same moment. */
  #settle(state: State, settled: Change[]): void {
    batch(() => {
      this.deps.state.value = state;
      this.#unsaved.value = this.#unsaved.value.filter((change) => !settled.includes(change));
    });
  }
}

function applyChanges(sections: Section[], changes: Change[]): Section[] {
  return changes.reduce((before, { apply }) => apply(before), sections);
}
