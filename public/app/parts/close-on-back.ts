import { address, readEntry, state } from "./history-entry.ts";

/** `asksFirst` if `close` may keep the sheet open. */
type OpenSheet = { close(): void; asksFirst: boolean };

/** The newest last. */
const openSheets: OpenSheet[] = [];

/**
 * Lets the browser's Back close a sheet instead of leaving the screen: the sheet gets an entry of the
 * history, whose state has the number of such entries up to it. If the sheet is closed in another way,
 * its entry stays until the next sheet or Back uses it up, because removing it would take a moment in
 * which the reader may go elsewhere.
 * @returns a function to call when the sheet is closed
 */
export function closeOnBack(sheet: OpenSheet): () => void {
  openSheets.push(sheet);
  let sheets: number = history.state?.sheets ?? 0;
  if (!sheets) history.replaceState({ ...history.state, sheets, screen: Math.random() }, "");
  while (sheets < openSheets.length) {
    sheets += 1;
    history.pushState({ ...history.state, sheets }, "");
  }
  readEntry();
  return () => void openSheets.splice(openSheets.indexOf(sheet), 1);
}

/**
 * Call when the browser went back or forward.
 * @returns whether it went between a screen and the entries of its sheets: the screen stays as it is
 */
export function leaveSheetEntry(): boolean {
  const now = history.state;
  if (now?.screen !== state?.screen || now?.sheets === state?.sheets) return false;
  const isClosing = now.sheets < state.sheets;
  // The address may have been replaced since the sheet was opened.
  history.replaceState(now, "", address);
  readEntry();
  if (!isClosing) return true;
  const sheet = openSheets.at(-1);
  // Nothing is open, so Back leaves the screen.
  if (!sheet) history.go(-1 - now.sheets);
  // Browsers skip an entry that is added without a tap, so the sheet keeps its own.
  if (sheet?.asksFirst) history.forward();
  sheet?.close();
  return true;
}
