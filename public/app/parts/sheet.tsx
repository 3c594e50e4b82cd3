import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Grip, useModal, useSwipeDown } from "./dialog.tsx";

type SheetProps = {
  label: string;
  isTitled?: boolean;
  onClose(): void;
  children: ComponentChildren;
};

/** A dialog at the bottom of the screen. Esc, Back, a tap outside and a swipe down close it. */
export function Sheet({ label, isTitled, onClose, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  /** Whether the tap started outside: the touch that opened the sheet may still be down. */
  const startedOutside = useRef(false);
  useModal(ref, onClose);
  useSwipeDown(ref, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog handles Esc
    <dialog
      ref={ref}
      class="sheet"
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        startedOutside.current = event.target === event.currentTarget;
      }}
      onClick={(event) =>
        event.target === event.currentTarget && startedOutside.current && onClose()
      }
    >
      <Grip />
      {isTitled && (
        <p class="sheet-title truncate muted small strong" aria-hidden="true" dir="auto">
          {label}
        </p>
      )}
      <div class="body">{children}</div>
    </dialog>
  );
}
