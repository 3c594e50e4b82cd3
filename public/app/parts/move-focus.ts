/** How far a key leads, in elements. */
type Steps = Partial<Record<string, number>>;

export const UP_AND_DOWN: Steps = { ArrowUp: -1, ArrowDown: 1 };
export const WITH_ENDS: Steps = { ...UP_AND_DOWN, Home: -Infinity, End: Infinity };
export const LEFT_AND_RIGHT: Steps = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Moves the focus from element to element by keys. A key that leads no further is left to the browser,
 * which may scroll, and one with a modifier to what handles the keys of every screen.
 * @param stops in their order; with the focus elsewhere it goes to the first
 * @param wraps whether the first follows the last
 * @returns whether the focus was moved
 */
export function moveFocus(
  event: KeyboardEvent,
  stops: HTMLElement[],
  steps: Steps,
  wraps = false,
): boolean {
  const step = steps[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
    return false;
  }
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const last = stops.length - 1;
  const isOver = wraps && (at + step > last || at + step < 0) && Number.isFinite(step);
  const to = Math.max(0, Math.min(last, at + step));
  const next = stops[isOver ? last - to : to];
  if (!next || next === stops[at]) return false;
  event.preventDefault();
  next.focus();
  return true;
}
