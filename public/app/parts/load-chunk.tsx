import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { importChunk } from "../connection/import-chunk.ts";
import { loadArea, t } from "../words/translate.ts";
import { CHUNKS } from "./chunks.ts";
import { reportFirstScreen } from "./first-screen.ts";
import { SkeletonList } from "./skeleton.tsx";

type Name = keyof typeof CHUNKS;
export type Code<Chunk extends Name> = Awaited<ReturnType<(typeof CHUNKS)[Chunk]["load"]>>;
/** The names of the components in a chunk. */
export type Part<Chunk extends Name> = {
  [Key in keyof Code<Chunk>]: Code<Chunk>[Key] extends ComponentType<never> ? Key : never;
}[keyof Code<Chunk>];

const codes = new Map<Name, Signal>();

/** The exports of a chunk; null until it is loaded. */
export function codeOf<Chunk extends Name>(name: Chunk): Signal<Code<Chunk> | null> {
  const code = codes.get(name) ?? signal(null);
  codes.set(name, code);
  return code;
}

/** Loads a chunk together with its words. */
export async function loadChunk<Chunk extends Name>(name: Chunk): Promise<Code<Chunk>> {
  const code = codeOf(name);
  if (code.value) return code.value;
  const { area, load } = CHUNKS[name];
  const [exports] = await Promise.all([importChunk<unknown>(name, load), loadArea(area)]);
  code.value = exports as Code<Chunk>;
  return code.value;
}

/** The code of a screen failed to load: there is no network, or an update has replaced the file. */
export class NotLoaded extends Error {}

/** Shown while a screen or a panel loads; the style sheet delays it. */
function Loading({ name, frame }: { name: Name; frame: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    loadChunk(name).then(reportFirstScreen, () => setHasFailed(true));
  }, []);
  if (hasFailed && !frame) throw new NotLoaded();
  return (
    <div class={`loading grow ${frame}`} role="status" aria-label={t("loading")}>
      <SkeletonList />
    </div>
  );
}

/**
 * A component of a chunk that is loaded when it is first rendered. If that fails, the boundary
 * around it shows the error and offers a retry.
 * @param frame the class of a panel's placeholder, which stays if that fails: a banner offers the
 * retry, and the screen beside the panel stays usable
 */
export function lazy<Chunk extends Name, Key extends Part<Chunk>>(
  name: Chunk,
  part: Key,
  frame = "",
) {
  return ofChunk(name, part, () => <Loading name={name} frame={frame} />);
}

/** A component of a chunk. @param Ahead shown until something else has loaded it */
export function ofChunk<Chunk extends Name, Key extends Part<Chunk>>(
  name: Chunk,
  part: Key,
  Ahead: ComponentType<object>,
): Code<Chunk>[Key] {
  function OfChunk(props: object) {
    const Component = (codeOf(name).value?.[part] ?? Ahead) as ComponentType<object>;
    return <Component {...props} />;
  }
  return OfChunk as Code<Chunk>[Key];
}
