import { useEffect } from "preact/hooks";
import { store } from "./store.ts";

/** Retries what has failed when the device has a network again, or the connection is open again. */
export function useReconnected(hasFailed: boolean, retry: () => void): void {
  const isOpen = store.status.value === "open";
  useEffect(() => {
    if (isOpen && hasFailed) retry();
  }, [isOpen]);
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  });
}
