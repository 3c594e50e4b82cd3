import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { lazy, loadPart } from "./lazy.tsx";

/** What `rest.ts` exports, by name. */
type Rest = typeof import("../rest.ts");
/** The names of its components. */
type Name = {
  [Key in keyof Rest]: Rest[Key] extends ComponentType<never> ? Key : never;
}[keyof Rest];

const loaded = signal<Rest | null>(null);
const { promise, resolve } = Promise.withResolvers<Rest>();

/** Resolves once the rest is there, after whatever failures. */
export const restLoaded = promise;

/** Loads what the first screen does without, which is one file. */
export async function loadRest(): Promise<Rest> {
  loaded.value ??= await loadPart("rest", import("../rest.ts"));
  resolve(loaded.value);
  return loaded.value;
}

const hasFailed = signal(false);
let request: Promise<void> | null = null;

/** Whether the page does without the rest, because it did not load. */
export const isRestMissing = computed(() => hasFailed.value && loaded.value === null);

/**
 * Loads the rest, as the page does once the first screen is there; what needs it earlier uses `loadRest`.
 * After a failure the reader learns that something is missing.
 */
export function requestRest(): Promise<void> {
  request ??= loadRest()
    .then(
      () => {},
      () => {
        hasFailed.value = true;
      },
    )
    .finally(() => {
      request = null;
    });
  return request;
}

/** What `loadRest` has loaded; null until then. */
export const getRest = () => loaded.value;

/** A component of the rest. Until it is there its place shows that it loads, or that it did not. */
export function rest<Key extends Name>(name: Key): Rest[Key] {
  return create(
    name,
    lazy("main", async () => (await loadRest())[name] as ComponentType<object>),
  );
}

/** A component of the rest that takes no place of its own: nothing is shown until it is there. */
export function quietRest<Key extends Name>(name: Key): Rest[Key] {
  return create(name, () => null);
}

/** @param Ahead takes its place until it is there */
function create<Key extends Name>(name: Key, Ahead: ComponentType<object>): Rest[Key] {
  function OfRest(props: object) {
    const Component = (loaded.value?.[name] ?? Ahead) as ComponentType<object>;
    return <Component {...props} />;
  }
  return OfRest as unknown as Rest[Key];
}
