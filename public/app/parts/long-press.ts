import type { Anchor } from "./use-popover.ts";

const HOLD_MS = 500;
const MAX_MOVE = 10;

type On<E> = E & { currentTarget: HTMLElement };
/** The current touch: its position, and its timer. */
type Press = { x: number; y: number; timer: ReturnType<typeof setTimeout>; done: boolean };
let press: Press | null = null;

/**
 * Handlers for elements with a long press: half a second without moving, or until the browser would
 * show its own menu. Text fields keep the browser's behaviour.
 * @param onMenu a right click, or the menu key
 */
export function longPress(
  onPress: (element: HTMLElement) => void,
  onMenu?: (event: MouseEvent) => void,
) {
  const fire = (element: HTMLElement) => {
    if (!press || press.done) return;
    press.done = true;
    clearTimeout(press.timer);
    swallowClick();
    onPress(element);
  };
  const drop = () => clearTimeout(press?.timer);
  return {
    onPointerDown(event: On<PointerEvent>) {
      drop();
      press = null;
      const { currentTarget: element, pointerType, clientX: x, clientY: y } = event;
      if (pointerType !== "touch" || !event.isPrimary || isField(event)) return;
      press = { x, y, timer: setTimeout(() => fire(element), HOLD_MS), done: false };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (press && Math.hypot(clientX - press.x, clientY - press.y) > MAX_MOVE) drop();
    },
    onPointerUp: drop,
    onPointerCancel: drop,
    onContextMenu(event: On<MouseEvent>) {
      if (!press) return onMenu?.(event);
      if (isField(event)) return;
      event.preventDefault();
      fire(event.currentTarget);
    },
  };
}

/**
 * Handlers of a row that has a menu: a long press and the menu key open it at the row, a right
 * click at the pointer. With Shift, a right click opens the browser's menu.
 */
export function menuHandlers(open: (anchor: Anchor) => void) {
  // A touch counts as a pressed button.
  const openReleased = (row: HTMLElement) => whenReleased({ buttons: 1 }, () => open(row));
  return {
    onKeyDown(event: On<KeyboardEvent>) {
      if (event.key !== "ContextMenu" && !(event.shiftKey && event.key === "F10")) return;
      event.preventDefault();
      open(event.currentTarget);
    },
    ...longPress(openReleased, (event) => {
      if (event.shiftKey) return;
      event.preventDefault();
      const anchor = pointOf(event);
      whenReleased(event, () => open(anchor));
    }),
  };
}

function isField({ target }: Event): boolean {
  return target instanceof Element && target.closest("textarea, input") !== null;
}

/** Suppresses the click that follows a long press. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    // A click by keyboard has a `detail` of 0.
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", swallow, true);
  const stop = () => document.removeEventListener("click", swallow, true);
  document.addEventListener("pointerdown", stop, { capture: true, once: true });
}

/** The position of the pointer, for a menu that opens there. */
export function pointOf({ clientX, clientY }: MouseEvent): Anchor {
  const point = new DOMRect(clientX, clientY, 0, 0);
  return { getBoundingClientRect: () => point };
}

/**
 * Opens a menu once the button or the finger that requested it is released, because browsers close
 * a popover at the end of a click that started before it opened. Some systems request menus on
 * press, others on release.
 */
export function whenReleased({ buttons }: Pick<MouseEvent, "buttons">, open: () => void): void {
  if (buttons === 0) {
    open();
    return;
  }
  const stop = new AbortController();
  const onEnd = () => {
    stop.abort();
    setTimeout(open);
  };
  const options = { capture: true, signal: stop.signal };
  document.addEventListener("pointerup", onEnd, options);
  document.addEventListener("pointercancel", onEnd, options);
}
