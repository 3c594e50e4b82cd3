import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { describeShortcut } from "./menu-list.tsx";
import { keepBeside } from "./use-popover.ts";

const DELAY_MS = 400;
/** The time to move the pointer from an element to its tooltip (WCAG 1.4.13). */
const GRACE_MS = 120;

const ownerOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;

/**
 * Shows the tooltip of the hovered or keyboard-focused element: its `data-tooltip`, and the
 * shortcut in `aria-keyshortcuts`. Any key hides it, and touch screens never show it. Screen
 * readers ignore it, because the elements have their own accessible names and descriptions.
 */
export function Tooltips() {
  const [owner, setOwner] = useState<HTMLElement | null>(null);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => watchOwners(setOwner, ref), []);
  useLayoutEffect(() => {
    if (!owner || !ref.current) return;
    ref.current.showPopover();
    return keepBeside(ref.current, owner);
  }, [owner]);
  if (!owner) return null;
  const shortcut = owner.getAttribute("aria-keyshortcuts");
  return (
    <div
      key={owner.dataset.tooltip}
      ref={ref}
      class="tooltip tiny rounded words"
      popover="manual"
      aria-hidden="true"
    >
      {owner.dataset.tooltip}
      {shortcut && <kbd>{describeShortcut(shortcut)}</kbd>}
    </div>
  );
}

/**
 * Calls back with the element whose tooltip should appear, and with null when it should disappear.
 */
function watchOwners(
  onChange: (owner: HTMLElement | null) => void,
  tooltip: { current: HTMLElement | null },
): () => void {
  let current: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (owner: HTMLElement | null) => {
    clearTimeout(timer);
    current = owner?.isConnected ? owner : null;
    onChange(current);
  };
  const setAfter = (owner: HTMLElement | null, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => set(owner), ms);
  };
  const hide = () => set(null);
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === "touch") return hide();
    if (target instanceof Node && tooltip.current?.contains(target)) return clearTimeout(timer);
    const owner = ownerOf(target);
    // A button that has just opened something does not show its tooltip.
    const isOpen = owner?.getAttribute("aria-expanded") === "true";
    if (owner && !isOpen) setAfter(owner, current ? 0 : DELAY_MS);
    else if (current) setAfter(null, GRACE_MS);
    else clearTimeout(timer);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const isByKeyboard = target instanceof Element && target.matches(":focus-visible");
    const owner = isByKeyboard && target.matches("[data-tooltip]") ? ownerOf(target) : null;
    if (owner) setAfter(owner, DELAY_MS);
    else hide();
  };
  const stop = new AbortController();
  const on = { signal: stop.signal, capture: true, passive: true };
  document.addEventListener("pointerover", onPointerOver, on);
  document.addEventListener("pointerdown", hide, on);
  document.addEventListener("pointerleave", hide, { ...on, capture: false });
  document.addEventListener("focusin", onFocusIn, on);
  document.addEventListener("keydown", hide, on);
  document.addEventListener("scroll", () => current && hide(), on);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
