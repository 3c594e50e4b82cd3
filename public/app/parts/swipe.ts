/** What a finger can pull aside: from where it stands to where it ends, in px to the right. */
export type Pull = { element: HTMLElement; from: number; to: number };

/** Before so much of a way a finger may still mean a tap, or to scroll. */
const SLOP_PX = 10;
/** A flick goes all the way, however short it was: px a millisecond. */
const FLICK = 0.4;
/** A finger that rests before it goes up flicks nothing. */
const REST_MS = 100;
const STYLES = ["transform", "transition", "visibility"];

type Touch = Pull & {
  id: number;
  /** Where the finger came down, and from where on it pulls. */
  x: number;
  y: number;
  pulls: boolean;
  /** Where it was last, when, and how fast. */
  lastX: number;
  lastAt: number;
  speed: number;
};

/**
 * Lets what is pulled sideways follow the finger. Scrolling up and down stays the browser's, as
 * `touch-action` of what is touched has to say.
 * @param begin what the finger that comes down may pull, if anything
 * @param end hears whether it was let go nearer to its end, or flicked there
 * @returns stops it
 */
export function watchSwipes(
  root: HTMLElement,
  begin: (event: PointerEvent) => Pull | null,
  end: (element: HTMLElement, isThere: boolean) => void,
): () => void {
  let touch: Touch | null = null;
  /** How much of the way it has gone, 0 to 1. */
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
      // From here on they come, whatever becomes of what was touched.
      root.setPointerCapture(pointerId);
    }
    const now = performance.now();
    touch.speed = (clientX - touch.lastX) / Math.max(1, now - touch.lastAt);
    touch.lastX = clientX;
    touch.lastAt = now;
    element.style.transition = "none";
    element.style.visibility = "visible";
    element.style.transform = `translateX(${from + way(touch) * (to - from)}px)`;
  };
  const onUp = ({ pointerId, type }: PointerEvent) => {
    if (touch?.id !== pointerId) return;
    const { element, from, to, pulls, lastAt } = touch;
    const speed = performance.now() - lastAt > REST_MS ? 0 : touch.speed;
    const toward = to > from ? speed : -speed;
    const isThere =
      type === "pointerup" && (toward > FLICK || (way(touch) > 0.5 && toward > -FLICK));
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
