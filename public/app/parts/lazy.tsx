import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Area } from "../words/catalogues.ts";
import { loadArea, t } from "../words/translate.ts";
import { loadDeferredStyle } from "./deferred-style.ts";
import { firstScreen, showFirstScreen } from "./first-screen.ts";
import { loadQuietly } from "./missing-parts.ts";
import { takeTurn } from "./take-turn.ts";

/** The code of a screen did not load: there is no network, or an update has replaced the file. */
export class NotLoaded extends Error {}

/**
 * Loads code together with the words of its area, and with the words and the style that all code
 * beyond the first load shares.
 * @param area "main" for code that needs only the words and the style of the first load
 */
export async function loadPart<Code>(area: Area, code: Promise<Code>): Promise<Code> {
  if (area === "main") return code;
  const [loaded] = await Promise.all([
    code,
    loadArea("deferred"),
    loadArea(area),
    loadDeferredStyle(),
  ]);
  return loaded;
}

/** Shown while a screen loads; the style sheet delays it. */
function Loading() {
  return <div class="loading" role="status" aria-label={t("loading")} />;
}

type LazyOptions = { quiet?: boolean; placeholder?: ComponentChildren };

/**
 * A component whose code is loaded when it is first rendered. If that fails, the boundary around it
 * shows the error and offers to try again.
 * @param area as in `loadPart`
 * @param load imports it
 * @param placeholder shown while it loads
 * @param quiet waits for the first screen; if it does not load, only the placeholder is shown, and the
 * page says that something is missing
 */
export function lazy<Props extends object>(
  area: Area,
  load: () => Promise<ComponentType<Props>>,
  { quiet = false, placeholder = quiet ? null : <Loading /> }: LazyOptions = {},
): ComponentType<Props> {
  const loaded = signal<{ Component: ComponentType<Props> } | null>(null);
  let loading: Promise<void> | null = null;
  const start = async () => {
    if (quiet) await firstScreen;
    const Component = await loadPart(area, load());
    if (quiet) await takeTurn();
    loaded.value = { Component };
    showFirstScreen();
  };
  const loadOnce = () => {
    loading ??= start().finally(() => (loading = null));
    return loading;
  };
  return function Lazy(props: Props) {
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded.peek()) return;
      if (quiet) void loadQuietly(loadOnce);
      else loadOnce().catch(() => setFailed(true));
    }, []);
    if (failed) throw new NotLoaded();
    if (loaded.value) return <loaded.value.Component {...props} />;
    return <>{placeholder}</>;
  };
}
