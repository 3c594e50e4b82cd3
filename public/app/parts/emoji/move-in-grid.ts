import { moveFocus } from "../move-focus.ts";

/** Moves the focus in the grid with the arrow keys; before it is the search. */
export function moveInGrid(event: KeyboardEvent, panel: HTMLElement): void {
  const buttons = [...panel.querySelectorAll<HTMLElement>(".emoji-grid button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) {
    moveFocus(event, buttons, { ArrowDown: 1 });
    return;
  }
  const columns = Math.max(1, Math.floor((buttons[at]?.parentElement?.clientWidth ?? 0) / 36));
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  if (at + (steps[event.key] ?? 0) >= 0) moveFocus(event, buttons, steps);
  else {
    event.preventDefault();
    panel.querySelector("input")?.focus();
  }
}
