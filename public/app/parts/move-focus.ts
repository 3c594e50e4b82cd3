/** How many elements a key moves the focus by. */
type Steps = Partial<Record<string, number>>;

export const UP_AND_DOWN: Steps = { ArrowUp: -1, ArrowDown: 1 };
export const WITH_ENDS: Steps = { ...UP_AND_DOWN, Home: -Infinity, End: Infinity };
export const LEFT_AND_RIGHT: Steps = { ArrowLeft: -1, ArrowRight: 1 };

type MoveOptions = { wraps?: boolean; from?: Element | null };

/**
 * Moves the focus from element to element by keys. At the end, a key is left to the browser, which
 * may scroll; keys with a modifier are left to the page's shortcuts.
 * @param stops in order; if none of them has the focus, the first one gets it
 * @param options.wraps whether the first follows the last
 * @param options.from the stop to start from; by default the focused stop
 * @returns whether the focus was moved
 */
export function moveFocus(
  event: KeyboardEvent,
  stops: HTMLElement[],
  steps: Steps,
  { wraps = false, from = document.activeElement }: MoveOptions = {},
): boolean {
  const step = steps[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
    return false;
  }
  const at = stops.indexOf(from as HTMLElement);
  const last = stops.length - 1;
  const wrapsAround = wraps && (at + step > last || at + step < 0) && Number.isFinite(step);
  const to = Math.max(0, Math.min(last, at + step));
  const next = stops[wrapsAround ? last - to : to];
  if (!next || next === stops[at]) return false;
  event.preventDefault();
  next.focus();
  return true;
}
