import { ArrowLeft, X } from "lucide";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { closeOnBack } from "./close-on-back.ts";
import { isEscape } from "./escape.ts";
import { getRest } from "./load-rest.tsx";
import { rememberFocus } from "./return-focus.ts";
import { PHONE, useMedia } from "./use-media.ts";
import { t } from "../words/translate.ts";

type DialogProps = {
  title: string;
  /** For dialogs with sections. They fill the screen on a phone. */
  wide?: boolean;
  /** Set if `onClose` may keep the dialog open: Esc and Back then call it instead of closing the dialog. */
  asksFirst?: boolean;
  onClose(): void;
  children: ComponentChildren;
};

/**
 * Opens a modal dialog while it is rendered, and then returns the focus. It opens before the next
 * key, so that no key goes to the field behind it. On a phone, the browser's Back closes it.
 */
export function useModal(
  ref: RefObject<HTMLDialogElement | null>,
  onClose: () => void,
  asksFirst = false,
): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const returnFocus = rememberFocus();
    const isPhone = matchMedia(PHONE).matches;
    const forget = isPhone ? closeOnBack({ close: () => close.current(), asksFirst }) : null;
    const dialog = ref.current;
    dialog?.showModal();
    // Unless a field asks for it, the focus starts at the title rather than at Close.
    if (dialog && !dialog.querySelector("[autofocus]")) {
      dialog.querySelector<HTMLElement>('h2[tabindex="-1"]')?.focus();
      // A sheet is still below the page, so the browser has scrolled it to the focused element.
      dialog.scrollTop = 0;
    }
    return () => {
      forget?.();
      if (dialog) closeWithInner(dialog);
      const now = document.activeElement;
      // A dialog opened from this dialog may already have the focus.
      const isTaken = now && now !== document.body && !dialog?.contains(now);
      if (!isTaken) returnFocus();
    };
  }, []);
}

/**
 * Closes a dialog that is removed, and the dialogs inside, because nothing outside of an open one can
 * take the focus. Their events would come later, perhaps when another dialog is open.
 */
function closeWithInner(dialog: HTMLDialogElement): void {
  const inner = dialog.querySelectorAll<HTMLDialogElement>("dialog[open]");
  for (const open of [dialog, ...inner].reverse()) {
    open.addEventListener("close", (event) => event.stopImmediatePropagation(), true);
    open.close();
  }
}

/**
 * A native modal dialog. Esc and a click outside close it. On a phone it is a sheet, which a swipe
 * down closes, too.
 */
export function Dialog({ title, wide, asksFirst, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isPhone = useMedia(PHONE);
  const isSheet = isPhone && !wide;
  useModal(ref, onClose, asksFirst);
  useSwipeDown(ref, onClose);
  return (
    <dialog
      ref={ref}
      class={wide ? "dialog wide" : isSheet ? "dialog sheet" : "dialog"}
      aria-labelledby={id}
      onClose={() => {
        // Only the first of two presses of a phone's Back is cancelable.
        if (asksFirst) ref.current?.showModal();
        onClose();
      }}
      // Before the next key: the browser's own `close` may come after it.
      onKeyDown={(event) => {
        if (!isEscape(event, event.currentTarget)) return;
        event.preventDefault();
        onClose();
      }}
      // Fired by the back button of a phone, or by Esc where no element has the focus.
      onCancel={(event) => {
        if (!asksFirst || event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(e) => e.target === e.currentTarget && onClose()}
    >
      {isSheet && <Grip />}
      <header class="row between gap-12">
        <h2 id={id} dir="auto" tabIndex={-1}>
          {title}
        </h2>
        {/* A wide dialog looks like a screen on a phone, with an arrow to go back. */}
        <IconButton icon={isPhone && wide ? ArrowLeft : X} label={t("close")} onClick={onClose} />
      </header>
      <div class="body">{children}</div>
    </dialog>
  );
}

export function useSwipeDown(ref: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(
    () => (ref.current ? getRest()?.watchSheet(ref.current, () => close.current()) : undefined),
    [],
  );
}

/** Shows that a sheet can be swiped down. */
export function Grip() {
  return <span class="grip absolute" aria-hidden="true" />;
}
