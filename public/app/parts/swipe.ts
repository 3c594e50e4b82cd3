/** An element that can be swiped, from its start to its end position, in px to the right. */
type Pull = {
  element: HTMLElement;
  from: number;
  to: number;
  /** It completes only at its end position, not from the middle on or by a flick. */
  isSteady?: boolean;
  /** Called with the progress, 0 to 1. */
  onMove?(way: number): void;
};

/** Below this distance in px, a touch may still be a tap or a scroll. */
const SLOP_PX = 10;
/** From this speed in px per ms, a swipe is a flick and completes at any distance. */
const FLICK = 0.4;
/** After this pause in ms before the release, a swipe is no flick. */
const REST_MS = 100;
const STYLES = ["transform", "transition", "visibility"];

type Touch = Pull & {
  id: number;
  /** Where the touch started, and where the swipe started. */
  x: number;
  y: number;
  pulls: boolean;
  /** The last position, its time, and the speed. */
  lastX: number;
  lastAt: number;
  speed: number;
};

/**
 * Moves an element with a horizontal swipe. Vertical scrolling is left to the browser, which needs
 * `touch-action` on the touched element.
 * @param begin returns the element that a touch may swipe, or null
 * @param end called at the release; isThere if the element is nearer to its end, or was flicked there
 * @returns a function that stops watching
 */
export function watchSwipes(
  root: HTMLElement,
  begin: (event: PointerEvent) => Pull | null,
  end: (element: HTMLElement, isThere: boolean) => void,
): () => void {
  let touch: Touch | null = null;
  /** The progress of the swipe, 0 to 1. */
  const way = ({ x, lastX, from, to }: Touch) =>
    Math.min(1, Math.max(0, (lastX - x) / (to - from)));

  const onDown = (event: PointerEvent) => {
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const pull = begin(event);
    const { pointerId: id, clientX: x, clientY: y } = event;
    const lastAt = performance.now();
    touch = pull && { ...pull, id, x, y, pulls: false, lastX: x, lastAt, speed: 0 };
  };
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (touch?.id !== pointerId) return;
    const { element, from, to } = touch;
    if (!touch.pulls) {
      const [across, down] = [clientX - touch.x, clientY - touch.y];
      if (Math.hypot(across, down) < SLOP_PX) return;
      if (Math.abs(across) <= Math.abs(down) || across > 0 !== to > from) {
        touch = null;
        return;
      }
      touch.pulls = true;
      // Captured, so that events continue if the touched element is removed.
      root.setPointerCapture(pointerId);
    }
    const now = performance.now();
    touch.speed = (clientX - touch.lastX) / Math.max(1, now - touch.lastAt);
    touch.lastX = clientX;
    touch.lastAt = now;
    element.style.transition = "none";
    element.style.visibility = "visible";
    element.style.transform = `translateX(${from + way(touch) * (to - from)}px)`;
    touch.onMove?.(way(touch));
  };
  const onUp = ({ pointerId, type }: PointerEvent) => {
    if (touch?.id !== pointerId) return;
    const { element, from, to, isSteady, pulls, lastAt } = touch;
    const speed = performance.now() - lastAt > REST_MS ? 0 : touch.speed;
    const toward = to > from ? speed : -speed;
    const isFar = isSteady
      ? way(touch) === 1
      : toward > FLICK || (way(touch) > 0.5 && toward > -FLICK);
    const isThere = type === "pointerup" && isFar;
    touch = null;
    if (!pulls) return;
    for (const name of STYLES) element.style.removeProperty(name);
    end(element, isThere);
  };

  const events = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp };
  const entries = Object.entries(events) as [keyof typeof events, typeof onUp][];
  for (const [name, listener] of entries) root.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of entries) root.removeEventListener(name, listener);
  };
}
