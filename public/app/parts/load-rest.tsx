import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { type Code, codeOf, lazy, loadChunk, ofChunk, type Part } from "./load-chunk.tsx";

const REST = "rest.ts";
type Rest = Code<typeof REST>;
type Name = Part<typeof REST>;

const { promise, resolve } = Promise.withResolvers<Rest>();
codeOf(REST).subscribe((code) => code && resolve(code));

/** Resolves once `rest.ts` is loaded, even if earlier attempts failed. */
export const restLoaded = promise;

/** Loads `rest.ts`, the code that the first screen does not need. */
export const loadRest = () => loadChunk(REST);

const hasFailed = signal(false);

export const isRestMissing = computed(() => hasFailed.value && getRest() === null);

/**
 * Loads `rest.ts` once the first screen is shown; code that needs it earlier calls `loadRest`. A
 * banner reports a failure.
 */
export async function requestRest(): Promise<void> {
  await loadRest().catch(() => {
    hasFailed.value = true;
  });
}

/** The exports of `rest.ts`; null until it is loaded. */
export const getRest = () => codeOf(REST).value;

/** A component of `rest.ts`. Until it is loaded, a loading or error state is shown. */
export const rest = <Key extends Name>(name: Key, frame?: string): Rest[Key] =>
  lazy(REST, name, frame);

/**
 * A component of `rest.ts` for which nothing is loaded earlier.
 * @param Ahead shown until it is loaded; by default nothing
 */
export const quietRest = <Key extends Name>(
  name: Key,
  Ahead: ComponentType<object> = () => null,
): Rest[Key] => ofChunk(REST, name, Ahead);
