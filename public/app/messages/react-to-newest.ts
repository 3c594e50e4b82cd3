/** Opens the emoji for the newest message, in the thread if the focus is in one. */
export function reactToNewest(): void {
  const pane = document.activeElement?.closest(".pane") ?? document.querySelector(".main .pane");
  const row = [...(pane?.querySelectorAll<HTMLElement>("[data-message-id]") ?? [])].at(-1);
  row?.focus();
  // The toolbar is rendered once its row has the focus.
  setTimeout(() => row?.querySelector<HTMLElement>('[aria-keyshortcuts="R"]')?.click());
}
