/** An element that can be swiped, from its start to its end position, in px (positive is right). */
type Pull = {
  element: HTMLElement;
  from: number;
  to: number;
  /** Whether it moves vertically; positive is then down. */
  isVertical?: boolean;
  /** Completes the swipe only at its end position, not from halfway or by a flick. */
  isSteady?: boolean;
  /** Called with the progress, 0 to 1. */
  onMove?(way: number): void;
};

/** Up to this distance in px, a touch may still be a tap or a scroll. */
const SLOP_PX = 10;
/** At this speed in px per ms or more, a swipe is a flick and completes at any distance. */
const FLICK = 0.4;
/** After this pause in ms before the release, a swipe is not a flick. */
const REST_MS = 100;
const STYLES = ["transform", "transition", "visibility"];

type Touch = Pull & {
  id: number;
  /** Where the touch started, and where the swipe started. */
  x: number;
  y: number;
  pulls: boolean;
  /** The distance so far along the swipe, its time, and the speed. */
  distance: number;
  lastAt: number;
  speed: number;
};

/**
 * Moves an element with a swipe. Scrolling the other way is left to the browser, which for a
 * horizontal swipe needs `touch-action` on the touched element.
 * @param begin returns the element that a touch may swipe, or null
 * @param end called at the release; `isFarEnough` if the element is nearer to its end position,
 * or was flicked there
 * @returns a function that stops watching
 */
export function watchSwipes(
  root: HTMLElement,
  begin: (event: PointerEvent) => Pull | null,
  end: (element: HTMLElement, isFarEnough: boolean) => void,
): () => void {
  let touch: Touch | null = null;
  /** The progress of the swipe, 0 to 1. */
  const way = ({ distance, from, to }: Touch) => Math.min(1, Math.max(0, distance / (to - from)));

  const onDown = (event: PointerEvent) => {
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const pull = begin(event);
    const { pointerId: id, clientX: x, clientY: y } = event;
    const lastAt = performance.now();
    touch = pull && {
      ...pull,
      id,
      x,
      y,
      pulls: false,
      distance: 0,
      lastAt,
      speed: 0,
    };
  };
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (touch?.id !== pointerId) return;
    const { element, from, to, isVertical } = touch;
    const moved = [clientX - touch.x, clientY - touch.y] as const;
    const [along, across] = isVertical ? [moved[1], moved[0]] : moved;
    if (!touch.pulls) {
      if (Math.hypot(along, across) < SLOP_PX) return;
      if (Math.abs(along) <= Math.abs(across) || along > 0 !== to > from) {
        touch = null;
        return;
      }
      touch.pulls = true;
      // Captured, so that events continue if the touched element is removed.
      root.setPointerCapture(pointerId);
    }
    const now = performance.now();
    touch.speed = (along - touch.distance) / Math.max(1, now - touch.lastAt);
    touch.distance = along;
    touch.lastAt = now;
    element.style.transition = "none";
    element.style.visibility = "visible";
    const place = `${from + way(touch) * (to - from)}px`;
    element.style.transform = isVertical ? `translateY(${place})` : `translateX(${place})`;
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
    const isFarEnough = type === "pointerup" && isFar;
    touch = null;
    if (!pulls) return;
    for (const name of STYLES) element.style.removeProperty(name);
    end(element, isFarEnough);
  };

  /** Keeps the browser from scrolling where a vertical swipe begins. */
  const onTouchMove = (event: TouchEvent) => {
    const y = event.touches[0]?.clientY ?? 0;
    if (touch?.isVertical && (touch.pulls || y > touch.y)) event.preventDefault();
  };

  const events = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp };
  const entries = Object.entries(events) as [keyof typeof events, typeof onUp][];
  for (const [name, listener] of entries) root.addEventListener(name, listener);
  root.addEventListener("touchmove", onTouchMove, { passive: false });
  return () => {
    root.removeEventListener("touchmove", onTouchMove);
    for (const [name, listener] of entries) root.removeEventListener(name, listener);
  };
}
