import { useEffect, useRef } from "preact/hooks";
import { closeToast, toasts } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

/** Toasts are in the top layer, so that a dialog does not cover them. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.hidePopover();
    if (toasts.value.length > 0) ref.current?.showPopover();
  }, [toasts.value]);
  return (
    <div ref={ref} class="toasts" popover="manual" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          <button
            type="button"
            onClick={() => {
              undo?.();
              closeToast(id);
            }}
          >
            {undo ? t("undo") : t("close")}
          </button>
        </div>
      ))}
    </div>
  );
}
