import { address, readEntry, state } from "./history-entry.ts";

/** Closes each open sheet, the newest last. */
const openSheets: (() => void)[] = [];

/**
 * Lets the browser's Back close a sheet instead of leaving the screen: the sheet gets an entry of the
 * history, whose state has the number of such entries up to it. If the sheet is closed in another way,
 * its entry stays until the next sheet or Back uses it up, because removing it would take a moment in
 * which the reader may go elsewhere.
 * @returns a function to call when the sheet is closed
 */
export function closeOnBack(close: () => void): () => void {
  openSheets.push(close);
  let sheets: number = history.state?.sheets ?? 0;
  if (!sheets) history.replaceState({ ...history.state, sheets, screen: Math.random() }, "");
  while (sheets < openSheets.length) {
    sheets += 1;
    history.pushState({ ...history.state, sheets }, "");
  }
  readEntry();
  return () => void openSheets.splice(openSheets.indexOf(close), 1);
}

/**
 * Call when the browser went back or forward.
 * @returns whether it went from the entry of a sheet to the screen below, which stays as it is
 */
export function leaveSheetEntry(): boolean {
  const now = history.state;
  if (now?.screen !== state?.screen || !(now?.sheets < state?.sheets)) return false;
  // The address may have been replaced since the sheet was opened.
  history.replaceState(now, "", address);
  readEntry();
  const close = openSheets.at(-1);
  if (close) close();
  // Nothing is open, so Back leaves the screen.
  else history.go(-1 - now.sheets);
  return true;
}
