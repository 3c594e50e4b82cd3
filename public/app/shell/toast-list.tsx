import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { closeToast, type Toast, toasts } from "../session/toasts.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { t } from "../words/translate.ts";

/** As long as what was deleted can be taken back. */
const TOAST_MS = 5_000;
/** A toast with another action than undo. */
const ACTION_MS = 15_000;
/** The newest are shown; those before them are counted, and one press away. */
const MAX_SHOWN = 3;
const MAX_ON_PHONE = 1;

/** Toasts are in the top layer, so that a dialog does not cover them, and above the composer. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const all = toasts.value;
  const max = useMedia(PHONE) ? MAX_ON_PHONE : MAX_SHOWN;
  const folded = isUnfolded ? 0 : Math.max(0, all.length - max);
  useEffect(() => {
    ref.current?.hidePopover();
    if (all.length > 0) ref.current?.showPopover();
    else setUnfolded(false);
  }, [all]);
  return (
    <div
      ref={ref}
      class="toasts"
      popover="manual"
      role="status"
      aria-live="polite"
      {...useFocusBefore(ref)}
    >
      {folded > 0 && (
        <button type="button" class="toast row more" onClick={() => setUnfolded(true)}>
          {t("toasts.more", { count: folded })}
        </button>
      )}
      {all.map((toast, i) => (
        <OneToast key={toast.id} toast={toast} isFolded={i < folded} />
      ))}
    </div>
  );
}

/** Its time runs while it is folded, too. */
function OneToast({ toast, isFolded }: { toast: Toast; isFolded: boolean }) {
  const { id, text, undo, label } = toast;
  useEffect(() => {
    const timer = setTimeout(() => closeToast(id), label ? ACTION_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [id]);
  if (isFolded) return null;
  return (
    <div class="toast row">
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
  );
}

/** Gives the focus back to what had it before a button of a toast, when that button is gone. */
function useFocusBefore(ref: { current: HTMLElement | null }) {
  const before = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    // What the button did may choose a place of its own until then.
    const timer = setTimeout(() => {
      if (!before.current || document.activeElement !== document.body) return;
      const target = before.current.isConnected ? before.current : document.querySelector("main");
      before.current = null;
      target?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [toasts.value]);
  const follow = ({ type, relatedTarget: other }: FocusEvent) => {
    if (!(other instanceof HTMLElement) || ref.current?.contains(other)) return;
    before.current = type === "focusin" ? other : null;
  };
  return { onFocusIn: follow, onFocusOut: follow };
}
