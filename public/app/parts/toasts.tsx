import { closeToast, toasts } from "../app.ts";

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
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
            {undo ? "Undo" : "Close"}
          </button>
        </div>
      ))}
    </div>
  );
}
