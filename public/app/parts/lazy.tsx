import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { say } from "../words/say.ts";

/** Shown while the code of a screen comes, if that takes long enough to be noticed. */
function Coming() {
  return <div class="coming" role="status" aria-label={say("loading")} />;
}

/** Without the network, or after an update has replaced the file. */
function NotLoaded() {
  return (
    <Empty title={say("part.failed")} text={say("part.not-loaded-text")}>
      <Button kind="primary" onClick={() => location.reload()}>
        {say("part.load-again")}
      </Button>
    </Empty>
  );
}

/**
 * A component whose code is fetched when it is first shown.
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
    useEffect(() => {
      if (Shown) return;
      load().then(
        (component) => {
          loaded = component;
          setShown(() => component);
        },
        () => quiet || setShown(() => NotLoaded),
      );
    }, []);
    if (Shown) return <Shown {...props} />;
    return quiet ? null : <Coming />;
  };
}
