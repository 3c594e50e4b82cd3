import { lazy, loadPart } from "../parts/lazy.tsx";
import { showError } from "../session/toasts.ts";

/** Parts of the composer that are loaded once they are needed, or after the first paint. */
export const UploadTray = lazy(
  "deferred",
  () => import("./upload-tray.tsx").then((m) => m.UploadTray),
  { quiet: true },
);
export const FormatBar = lazy(
  "deferred",
  () => import("./format-bar.tsx").then((m) => m.FormatBar),
  // The placeholder has the same height, so that nothing moves when it is loaded.
  { quiet: true, placeholder: <div class="format-bar" /> },
);
export const PasteOffer = lazy(
  "deferred",
  () => import("./paste-offer.tsx").then((m) => m.PasteOffer),
  { quiet: true },
);
export const QuoteChip = lazy(
  "deferred",
  () => import("./quote-chip.tsx").then((m) => m.QuoteChip),
  { quiet: true, placeholder: <div class="quote-chip" /> },
);
export const ComposerNotes = lazy(
  "deferred",
  () => import("../drafts/composer-extras.tsx").then((m) => m.ComposerNotes),
  { quiet: true },
);
export const SendMenu = lazy(
  "deferred",
  () => import("../drafts/composer-extras.tsx").then((m) => m.SendMenu),
  { quiet: true, placeholder: <span class="send-later" /> },
);

/**
 * Runs a text that is a command, such as `/remind`.
 * @param onDone called when it was done and the text is not needed any more
 * @returns false if it is not a command
 */
export function runCommand(text: string, onDone: () => void): boolean {
  if (!/^\/remind(?=\s|$)/i.test(text)) return false;
  void loadPart("deferred", import("../drafts/remind-me.ts"))
    .then(({ remindMe }) => remindMe(text))
    .then((isDone) => isDone && onDone())
    .catch(showError);
  return true;
}
