import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { closeToast, toasts } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

/** Toasts are in the top layer, so that a dialog does not cover them. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  /** The element that had the focus before a button of a toast. */
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    ref.current?.hidePopover();
    if (toasts.value.length > 0) ref.current?.showPopover();
  }, [toasts.value]);
  useLayoutEffect(() => {
    // The button with the focus is gone. Its action may have moved the focus by then.
    const timer = setTimeout(() => {
      if (!before.current || document.activeElement !== document.body) return;
      const target = before.current.isConnected ? before.current : document.querySelector("main");
      before.current = null;
      target?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [toasts.value]);
  return (
    <div
      onFocusIn={({ relatedTarget, currentTarget }) => {
        const isOutside =
          relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget);
        if (isOutside) before.current = relatedTarget;
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        const isOutside =
          relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget);
        if (isOutside) before.current = null;
      }}
      ref={ref}
      class="toasts"
      popover="manual"
      role="status"
      aria-live="polite"
    >
      {toasts.value.map(({ id, text, undo, label }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          <button
            type="button"
            onClick={() => {
              undo?.();
              closeToast(id);
            }}
          >
            {undo ? (label ?? t("undo")) : t("close")}
          </button>
        </div>
      ))}
    </div>
  );
}
