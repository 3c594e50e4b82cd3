import { signal } from "@preact/signals";

type Data = typeof import("./data.ts");

/** The table of emoji once it is here; null until it is asked for and loaded. */
export const emojiData = signal<Data | null>(null);
let loading: Promise<void> | null = null;

/** Loads the table, once. What draws emoji is drawn again when it is here. */
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
