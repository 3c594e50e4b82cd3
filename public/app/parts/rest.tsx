import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { lazy, loadPart } from "./lazy.tsx";

/** What `rest.ts` exports, by name. */
type Rest = typeof import("../rest.ts");
/** The names of its components. */
type Name = {
  [Key in keyof Rest]: Rest[Key] extends ComponentType<never> ? Key : never;
}[keyof Rest];

const loaded = signal<Rest | null>(null);

/**
 * Loads what the first screen does without, which is one file. It is requested once the first screen is
 * there, or earlier by what needs it.
 */
export async function loadRest(): Promise<Rest> {
  loaded.value ??= await loadPart("rest", import("../rest.ts"));
  return loaded.value;
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
