import { X } from "lucide";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { isEscape } from "./escape.ts";
import { rememberFocus } from "./return-focus.ts";
import { t } from "../words/translate.ts";

type DialogProps = {
  title: string;
  /** For dialogs with sections; full screen on a phone. */
  wide?: boolean;
  /** Set if `onClose` may refuse to close: Esc then calls it, too, and closes nothing by itself. */
  asksFirst?: boolean;
  onClose(): void;
  children: ComponentChildren;
};

/**
 * Opens a modal dialog while it is rendered; then the focus returns to where it was. It is open
 * before the next key, so that no key goes to the field behind it.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const returnFocus = rememberFocus();
    const dialog = ref.current;
    dialog?.showModal();
    // Without a field of its own that asks for it, the focus begins at the title, not on Close.
    if (dialog && !dialog.querySelector("[autofocus]")) {
      dialog.querySelector<HTMLElement>('h2[tabindex="-1"]')?.focus();
    }
    return () => {
      const now = document.activeElement;
      // A dialog that was opened from it may have the focus already.
      const isTaken = now && now !== document.body && !dialog?.contains(now);
      if (!isTaken) returnFocus();
    };
  }, []);
}

/** A native modal dialog. Esc and a click outside close it. */
export function Dialog({ title, wide, asksFirst, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModal(ref);
  return (
    <dialog
      ref={ref}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={(event) => {
        if (!asksFirst || !isEscape(event, event.currentTarget)) return;
        event.preventDefault();
        onClose();
      }}
      // By the back button of a phone, or by Esc where no element has the focus.
      onCancel={(event) => {
        if (!asksFirst || event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(e) => e.target === e.currentTarget && onClose()}
    >
      <header>
        <h2 id={id} dir="auto" tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon={X} label={t("close")} onClick={onClose} />
      </header>
      <div class="body">{children}</div>
    </dialog>
  );
}
