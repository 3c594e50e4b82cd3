import { useEffect, useState } from "preact/hooks";

export const PHONE = "(max-width: 640px)";
/** The width at which there is no space for a sidebar beside the screen, so it is a drawer. */
export const DRAWER = "(min-width: 641px) and (max-width: 719px)";
/** The width at which there is no space for a panel beside the screen, so it covers the screen. */
export const ONE_PANE = "(max-width: 899px)";
export const NARROW = "(max-width: 1099px)";

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setHolds(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, [query]);
  return holds;
}
