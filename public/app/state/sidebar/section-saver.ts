import { batch, type Signal } from "@preact/signals";
import type { Sections } from "../../../../src/wire/sections.ts";
import { type Api, ApiError } from "../../connection/api.ts";
import { type State, withSections } from "../model/model.ts";
import { applyChanges, type MySections, type SectionChange } from "./my-sections.ts";

type SaverDeps = { api: Api; state: Signal<State> };
type Waiting = { change: SectionChange; sessionNumber: number; saved: PromiseWithResolvers<void> };

/** Browsers limit the bodies of requests that outlive their page. */
const MAX_KEEPALIVE_CHARACTERS = 30_000;

/** Changes the sections of my sidebar: at once here, then on the service, with one call at a time. */
export class SectionSaver {
  #waiting: Waiting[] = [];
  #isSaving = false;

  constructor(
    private readonly deps: SaverDeps,
    private readonly sections: MySections,
  ) {}

  /**
   * Shows a change at once, and saves it. What another device has changed meanwhile stays: the change is
   * applied to it again.
   * @throws ApiError if it is not saved, and therefore not shown any more
   */
  change(change: SectionChange): Promise<void> {
    const { unsaved, sessionNumber } = this.sections;
    const saved = Promise.withResolvers<void>();
    this.#waiting.push({ change, sessionNumber, saved });
    unsaved.value = [...unsaved.value, change];
    if (!this.#isSaving) void this.#save();
    return saved.promise;
  }

  async #save(): Promise<void> {
    this.#isSaving = true;
    for (;;) {
      const { sessionNumber } = this.sections;
      this.#waiting = this.#waiting.filter((waiting) => waiting.sessionNumber === sessionNumber);
      if (this.#waiting.length === 0) break;
      await this.#saveWaiting([...this.#waiting], sessionNumber);
    }
    this.#isSaving = false;
  }

  async #saveWaiting(waiting: Waiting[], sessionNumber: number): Promise<void> {
    const changes = waiting.map(({ change }) => change);
    try {
      const response = await this.#put(changes);
      if (this.sections.sessionNumber !== sessionNumber) return;
      this.#settle(withSections(this.deps.state.value, response), waiting);
      for (const { saved } of waiting) saved.resolve();
    } catch (error) {
      if (this.sections.sessionNumber !== sessionNumber) return;
      const state = this.deps.state.value;
      const current = error instanceof ApiError ? error.current : undefined;
      // Whatever its version is: the next attempt has to follow it.
      if (current) return this.#settle({ ...state, sections: current }, []);
      this.#settle(state, waiting);
      for (const { saved } of waiting) saved.reject(error);
    }
  }

  async #put(changes: SectionChange[]): Promise<Sections> {
    const { api, state } = this.deps;
    const current = state.value.sections ?? (await api.call("GET /api/auth/me/sections"));
    const sections = applyChanges(current.sections, changes);
    const body = { base_version: current.version, sections };
    const keepalive = JSON.stringify(body).length < MAX_KEEPALIVE_CHARACTERS;
    return api.call("PUT /api/auth/me/sections", { body }, { keepalive });
  }

  /** Shows a state, and forgets the changes that it includes or that were refused, at the same moment. */
  #settle(state: State, settled: Waiting[]): void {
    const { unsaved } = this.sections;
    const changes = new Set(settled.map(({ change }) => change));
    batch(() => {
      this.deps.state.value = state;
      unsaved.value = unsaved.value.filter((change) => !changes.has(change));
    });
    this.#waiting = this.#waiting.filter((waiting) => !settled.includes(waiting));
  }
}
