import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { Section, Sections } from "../../../../src/wire/sections.ts";
import type { Api } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import { Load } from "../load.ts";
import { type State, withSections } from "../model/model.ts";

type MySectionsDeps = { api: Api; clock: Clock; state: Signal<State> };

/** A change of the sections. Applied twice, it changes nothing more. */
export type SectionChange = (sections: Section[]) => Section[];

/** The sections of my sidebar: loaded, and kept up to date. `SectionSaver` changes them. */
export class MySections {
  /** With the changes that are not saved yet; null until they are loaded. */
  readonly shown: ReadonlySignal<Section[] | null>;
  readonly unsaved: Signal<SectionChange[]> = signal([]);
  /** Counts sessions: a response that comes after its session belongs to another person. */
  sessionNumber = 0;
  readonly #load: Load<Sections>;

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
      () => saved.value && applyChanges(saved.value.sections, this.unsaved.value),
    );
  }

  /** Loads them: events may have been missed. */
  load(): void {
    this.#load.restart();
  }

  /** Forgets what is not saved. */
  stop(): void {
    this.#load.cancel();
    this.sessionNumber += 1;
    this.unsaved.value = [];
  }

  onEvent(event: ServerEvent): void {
    const { sections } = this.deps.state.value;
    const isNewer = event.type === "sections_updated" && event.version > (sections?.version ?? -1);
    // A room of the sections with which accounts start is in its section once it is joined.
    if (isNewer || (event.type === "room_added" && sections?.sections.length)) this.#load.ask();
  }
}

export function applyChanges(sections: Section[], changes: SectionChange[]): Section[] {
  return changes.reduce((before, change) => change(before), sections);
}
