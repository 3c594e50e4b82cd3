import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useModal } from "./dialog.tsx";

type SheetProps = { label: string; onClose(): void; children: ComponentChildren };

/** A dialog at the lower edge of the screen. Esc and a tap outside close it. */
export function Sheet({ label, onClose, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  /** Whether the tap started outside: the touch that opened the sheet may still be down. */
  const startedOutside = useRef(false);
  useModal(ref);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog has Esc
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
      <div class="body">{children}</div>
    </dialog>
  );
}
