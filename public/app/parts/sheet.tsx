import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useModal } from "./dialog.tsx";

type SheetProps = { label: string; onClose(): void; children: ComponentChildren };

/** A dialog that comes up from the lower edge, where the thumb is. Esc and a tap outside close it. */
export function Sheet({ label, onClose, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  /** The finger that brought it out may still be down: only one that comes down outside counts. */
  const cameDown = useRef(false);
  useModal(ref);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog has Esc
    <dialog
      ref={ref}
      class="sheet"
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        cameDown.current = event.target === event.currentTarget;
      }}
      onClick={(event) => event.target === event.currentTarget && cameDown.current && onClose()}
    >
      <div class="body">{children}</div>
    </dialog>
  );
}
