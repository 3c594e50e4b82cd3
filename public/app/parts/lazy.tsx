import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Area } from "../words/catalogues.ts";
import { loadArea, t } from "../words/translate.ts";
import { loadDeferredStyle } from "./deferred-style.ts";
import { firstScreen, showFirstScreen } from "./first-screen.ts";

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

let lastTurn: Promise<unknown> = Promise.resolve();

/** Waits for a task of its own: rendering all parts in one would hold up what is being typed. */
function takeTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => {
    // Browsers delay timers that follow each other.
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    port1.onmessage = resolve;
    port2.postMessage(null);
    return promise.finally(() => port1.close());
  });
  return lastTurn;
}

type LazyOptions = { quiet?: boolean; placeholder?: ComponentChildren };

/**
 * A component whose code is loaded when it is first rendered. If that fails, the boundary around it
 * shows the error and offers to try again.
 * @param area as in `loadPart`
 * @param load imports it
 * @param placeholder shown while it loads
 * @param quiet waits for the first screen; shows no error if it does not load, and only the placeholder
 * while it loads
 */
export function lazy<Props extends object>(
  area: Area,
  load: () => Promise<ComponentType<Props>>,
  { quiet = false, placeholder = quiet ? null : <Loading /> }: LazyOptions = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const start = async () => {
    if (!quiet) return loadPart(area, load());
    await firstScreen;
    const component = await loadPart(area, load());
    await takeTurn();
    return component;
  };
  return function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Loaded) return;
      loading ??= start().finally(() => (loading = null));
      loading.then(
        (component) => {
          loaded = component;
          setLoaded(() => component);
          showFirstScreen();
        },
        () => setFailed(true),
      );
    }, []);
    if (failed && !quiet) throw new NotLoaded();
    if (Loaded) return <Loaded {...props} />;
    return <>{placeholder}</>;
  };
}
