import { sheetEntries } from "./sheet-entries.ts";

/** Closes each open sheet, the newest last. */
const openSheets: (() => void)[] = [];
/** The address of the screen below the sheets. */
let address = "";

/**
 * Lets the browser's Back close a sheet instead of leaving the screen: the sheet gets an entry of the
 * history. If it is closed in another way, its entry stays until the next sheet, screen or Back uses
 * it up, because removing it would take a moment in which the reader may go elsewhere.
 * @returns a function to call when the sheet is closed
 */
export function closeOnBack(close: () => void): () => void {
  openSheets.push(close);
  address = location.href;
  while (sheetEntries.count < openSheets.length) {
    sheetEntries.count += 1;
    history.pushState({ ...history.state, sheets: sheetEntries.count }, "");
  }
  addEventListener("popstate", onPopState);
  return () => void openSheets.splice(openSheets.indexOf(close), 1);
}

function onPopState(): void {
  const count = history.state?.sheets ?? 0;
  const isBack = count < sheetEntries.count && location.href === address;
  sheetEntries.count = count;
  if (!isBack) return;
  const close = openSheets.at(-1);
  if (close) close();
  // Nothing is open, so Back leaves the screen.
  else history.go(-count - 1);
}
