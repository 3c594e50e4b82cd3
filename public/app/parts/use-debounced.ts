import { useEffect, useState } from "preact/hooks";

const TYPING_MS = 150;

/**
 * Returns a value only once it has stopped changing for a moment, so that typing does not send a
 * request per key.
 */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
