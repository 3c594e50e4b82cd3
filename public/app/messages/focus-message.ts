/** Focuses the row of a message once it is rendered, unless something else has the focus by then. */
export function focusMessage(id: string): void {
  setTimeout(() => focusIfLost(rowOf(id)));
}

/**
 * Focuses what is next to a message once its row is gone, so that the keyboard does not begin at the
 * top of the page. To be called while the row is there.
 */
export function focusBeside(id: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-message-id]:not(.folded)")];
  const at = rows.findIndex((row) => row.dataset.messageId === id);
  const next = rows[at + 1] ?? rows[at - 1];
  setTimeout(() => focusIfLost(next ?? null));
}

/** The row of a rendered message. */
export function rowOf(id: string, within: ParentNode = document): HTMLElement | null {
  return within.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
}

function focusIfLost(row: HTMLElement | null): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  const target = row ?? document.querySelector<HTMLElement>(".composer textarea, main");
  target?.focus({ preventScroll: true });
}
