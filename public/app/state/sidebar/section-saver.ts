import type { Sections } from "../../../../src/wire/sections.ts";
import { ApiError } from "../../connection/api.ts";
import { withSectionChange } from "../personal/personal.ts";
import type { AttachedDeps } from "../pending-changes.ts";
import { applyChanges, type SectionChange } from "./section-changes.ts";

type Waiting = { change: SectionChange; userId: string; saved: PromiseWithResolvers<void> };

/** Browsers limit the body size of `keepalive` requests. */
const MAX_KEEPALIVE_CHARACTERS = 30_000;

/** Changes the sections of my sidebar at once, and saves them with one request at a time. */
export class SectionSaver {
  #waiting: Waiting[] = [];
  #isSaving = false;

  constructor(private readonly deps: AttachedDeps) {}

  /**
   * Shows a change at once, and saves it. If another device has changed the sections meanwhile, the
   * change is applied again to the new ones.
   * @throws ApiError if saving failed and the change was removed
   */
  change(change: SectionChange): Promise<void> {
    const saved = Promise.withResolvers<void>();
    this.#waiting.push({ change, userId: this.#userId, saved });
    return this.deps.change(
      (state) => withSectionChange(state, change),
      () => {
        if (!this.#isSaving) void this.#save();
        return saved.promise;
      },
    );
  }

  async #save(): Promise<void> {
    this.#isSaving = true;
    for (;;) {
      const userId = this.#userId;
      this.#waiting = this.#waiting.filter((waiting) => waiting.userId === userId);
      if (this.#waiting.length === 0) break;
      await this.#saveWaiting([...this.#waiting], userId);
    }
    this.#isSaving = false;
  }

  async #saveWaiting(waiting: Waiting[], userId: string): Promise<void> {
    const settle = () => {
      this.#waiting = this.#waiting.filter((other) => !waiting.includes(other));
    };
    try {
      await this.#put(waiting.map(({ change }) => change));
      if (this.#userId !== userId) return;
      settle();
      for (const { saved } of waiting) saved.resolve();
    } catch (error) {
      if (this.#userId !== userId) return;
      const current = error instanceof ApiError ? error.current : undefined;
      if (current) {
        // Take the current sections even if their version is lower, because the next attempt must
        // be based on them.
        this.deps.replaceSections(current);
        return;
      }
      settle();
      for (const { saved } of waiting) saved.reject(error);
    }
  }

  async #put(changes: SectionChange[]): Promise<Sections> {
    const { api, state } = this.deps;
    const current = state.value.personal.sections ?? (await api.call("GET /api/auth/me/sections"));
    const sections = applyChanges(current.sections, changes);
    const body = { base_version: current.version, sections };
    const keepalive = JSON.stringify(body).length < MAX_KEEPALIVE_CHARACTERS;
    return api.call("PUT /api/auth/me/sections", { body }, { keepalive });
  }

  get #userId(): string {
    return this.deps.state.value.me?.id ?? "";
  }
}
