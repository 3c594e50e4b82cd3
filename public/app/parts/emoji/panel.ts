/** Moves the focus in the grid with the arrow keys. */
export function moveInGrid(event: KeyboardEvent, panel: HTMLElement): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(".emoji-grid button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    buttons[0]?.focus();
    return;
  }
  const columns = Math.max(1, Math.floor((buttons[at]?.parentElement?.clientWidth ?? 0) / 36));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  if (at + step < 0) panel.querySelector("input")?.focus();
  else buttons[Math.min(buttons.length - 1, at + step)]?.focus();
}
