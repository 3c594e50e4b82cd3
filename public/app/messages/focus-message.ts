/** Focuses the row of a message once it is rendered, unless something else has the focus by then. */
export function focusMessage(id: string): void {
  setTimeout(() => focusIfLost(findMessageRow(id)));
}

/**
 * Moves the focus to a neighbour of a message once its row is removed, so that it does not move to
 * the top of the page. Call it while the row exists.
 */
export function focusBeside(id: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-message-id]:not(.folded)")];
  const at = rows.findIndex((row) => row.dataset.messageId === id);
  const next = rows[at + 1] ?? rows[at - 1];
  setTimeout(() => focusIfLost(next ?? null));
}

export function findMessageRow(id: string, within: ParentNode = document): HTMLElement | null {
  return within.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
}

function focusIfLost(row: HTMLElement | null): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  const target = row ?? document.querySelector<HTMLElement>(".composer textarea, main");
  target?.focus({ preventScroll: true });
}
