import { watchKeyboard } from "./keyboard.ts";
import { watchKeys } from "./keys.ts";
import { watchTheme } from "./theme.ts";

/** Starts what the first paint does without. */
export function watchLater(): void {
  watchTheme();
  watchKeyboard();
  watchKeys();
}
