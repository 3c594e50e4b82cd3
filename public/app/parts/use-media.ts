import { useEffect, useState } from "preact/hooks";

/** The breakpoints of the style sheet. */
export const PHONE = "(max-width: 640px)";
export const NARROW = "(max-width: 1099px)";

/** Whether a media query matches; follows changes. */
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
