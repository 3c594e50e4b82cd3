import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { NotLoaded } from "./boundary.tsx";
import { say } from "../words/say.ts";

/** Shown while the code of a screen comes, if that takes long enough to be noticed. */
function Coming() {
  return <div class="coming" role="status" aria-label={say("loading")} />;
}

/**
 * A component whose code is fetched when it is first shown. Where it does not come, the boundary
 * around says so, and has it fetched anew.
 * @param load imports it
 * @param quiet where nothing is to be seen of it, nothing is said of its loading either
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { quiet = false } = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Shown, setShown] = useState<ComponentType<Props> | null>(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Shown) return;
      load().then(
        (component) => {
          loaded = component;
          setShown(() => component);
        },
        () => setFailed(true),
      );
    }, []);
    if (failed && !quiet) throw new NotLoaded();
    if (Shown) return <Shown {...props} />;
    return quiet ? null : <Coming />;
  };
}
