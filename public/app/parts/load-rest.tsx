import { computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { lazy, loadChunk } from "./lazy.tsx";

type Rest = typeof import("../rest.ts");
/** The names of the components in `rest.ts`. */
type Name = {
  [Key in keyof Rest]: Rest[Key] extends ComponentType<never> ? Key : never;
}[keyof Rest];

const loaded = signal<Rest | null>(null);
const { promise, resolve } = Promise.withResolvers<Rest>();

/** Resolves once `rest.ts` is loaded, even if earlier attempts failed. */
export const restLoaded = promise;

/** Loads `rest.ts`, the code that the first screen does not need. */
export async function loadRest(): Promise<Rest> {
  loaded.value ??= await loadChunk("rest", import("../rest.ts"));
  resolve(loaded.value);
  return loaded.value;
}

const hasFailed = signal(false);
let request: Promise<void> | null = null;

export const isRestMissing = computed(() => hasFailed.value && loaded.value === null);

/**
 * Loads `rest.ts` once the first screen is shown; code that needs it earlier calls `loadRest`. A
 * banner reports a failure.
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

/** The exports of `rest.ts`; null until it is loaded. */
export const getRest = () => loaded.value;

/** A component of `rest.ts`. Until it is loaded, a loading or error state is shown. */
export function rest<Key extends Name>(name: Key): Rest[Key] {
  return create(
    name,
    lazy("main", async () => (await loadRest())[name] as ComponentType<object>),
  );
}

/**
 * A component of `rest.ts` for which nothing is loaded earlier.
 * @param Ahead shown until it is loaded; by default nothing
 */
export function quietRest<Key extends Name>(
  name: Key,
  Ahead: ComponentType<object> = () => null,
): Rest[Key] {
  return create(name, Ahead);
}

function create<Key extends Name>(name: Key, Ahead: ComponentType<object>): Rest[Key] {
  function OfRest(props: object) {
    const Component = (loaded.value?.[name] ?? Ahead) as ComponentType<object>;
    return <Component {...props} />;
  }
  return OfRest as unknown as Rest[Key];
}
