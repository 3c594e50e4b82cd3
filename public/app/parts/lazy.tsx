import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import type { Area } from "../words/catalogues.ts";
import { loadArea, t } from "../words/translate.ts";
import { reportFirstScreen } from "./first-screen.ts";
import { SkeletonList } from "./skeleton.tsx";

/** The code of a screen failed to load: there is no network, or an update has replaced the file. */
export class NotLoaded extends Error {}

/** Shown while a screen loads; the style sheet delays it. */
function Loading() {
  return (
    <div class="loading grow" role="status" aria-label={t("loading")}>
      <SkeletonList />
    </div>
  );
}

/** Loads code together with the words of its area. */
export async function loadChunk<Code>(area: Area, code: Promise<Code>): Promise<Code> {
  const [loaded] = await Promise.all([code, loadArea(area)]);
  return loaded;
}

/**
 * A component whose code is loaded when it is first rendered. If that fails, the boundary around it
 * shows the error and offers a retry.
 * @param area as in `loadChunk`
 */
export function lazy<Props extends object>(
  area: Area,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loaded = signal<{ Component: ComponentType<Props> } | null>(null);
  let loading: Promise<void> | null = null;
  const start = async () => {
    loaded.value = { Component: await loadChunk(area, load()) };
    reportFirstScreen();
  };
  const loadOnce = () => {
    loading ??= start().finally(() => (loading = null));
    return loading;
  };
  return function Lazy(props: Props) {
    const [hasFailed, setHasFailed] = useState(false);
    useEffect(() => {
      if (!loaded.peek()) loadOnce().catch(() => setHasFailed(true));
    }, []);
    if (hasFailed) throw new NotLoaded();
    return loaded.value ? <loaded.value.Component {...props} /> : <Loading />;
  };
}
