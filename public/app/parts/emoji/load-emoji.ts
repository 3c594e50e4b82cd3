import { signal } from "@preact/signals";

type Data = typeof import("./data.ts");

/** The table of emoji; null until it is loaded. */
export const emojiData = signal<Data | null>(null);
let loading: Promise<void> | null = null;

/** Loads the table, once. Components that read the signal rerender when it is loaded. */
export function loadEmoji(): Promise<void> {
  loading ??= import("./data.ts").then(
    (data) => {
      emojiData.value = data;
    },
    () => {
      loading = null;
    },
  );
  return loading;
}
