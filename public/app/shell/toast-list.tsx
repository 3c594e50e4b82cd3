import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { closeToast, type Toast, toasts } from "../session/toasts.ts";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { t } from "../words/translate.ts";

/** The same as the time in which a deletion can be undone. */
const TOAST_MS = 5_000;
/** For a toast with an action other than Undo. */
const ACTION_MS = 15_000;

/**
 * Toasts are in the top layer, so that a dialog does not cover them: above the composer, and on a
 * phone below the head.
 */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const all = toasts.value;
  const isPhone = useMedia(PHONE);
  // The newest toast is shown and, except on a phone, all with an action. Two or more others are
  // folded into one line.
  const others = all.slice(0, -1).filter(({ label }) => isPhone || label === undefined);
  const folded = isUnfolded || others.length < 2 ? [] : others;
  useEffect(() => {
    ref.current?.hidePopover();
    if (all.length > 0) ref.current?.showPopover();
    else setUnfolded(false);
  }, [all]);
  return (
    <div
      ref={ref}
      class="toasts scroll"
      popover="manual"
      role="status"
      aria-live="polite"
      {...useFocusBefore(ref)}
    >
      {folded.length > 0 && (
        <button
          type="button"
          class="toast gap-16 rounded raised row more small strong"
          onClick={() => setUnfolded(true)}
        >
          {t("toasts.more", { count: folded.length })}
        </button>
      )}
      {all.map((toast) => (
        <OneToast key={toast.id} toast={toast} isFolded={folded.includes(toast)} />
      ))}
    </div>
  );
}

/** A toast. Its timer runs even while it is folded. */
function OneToast({ toast, isFolded }: { toast: Toast; isFolded: boolean }) {
  const { id, text, undo, label } = toast;
  useEffect(() => {
    const timer = setTimeout(() => closeToast(id), label ? ACTION_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [id]);
  if (isFolded) return null;
  return (
    <div class="toast gap-16 rounded raised row">
      <span>{text}</span>
      <button
        type="button"
        class="bold rounded"
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

/**
 * Returns the focus to where it was before a toast's button got it, when that button is removed.
 */
function useFocusBefore(ref: { current: HTMLElement | null }) {
  const before = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    // The button's action may move the focus itself before then.
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
