import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary.tsx";
import { Dialog } from "./dialog.tsx";
import { t } from "../words/translate.ts";

type DialogBoundaryProps = { of?: unknown; onClose(): void; children: ComponentChildren };

/** Around what is a dialog: a fault of it is a dialog too, and closing it is the way back. */
export function DialogBoundary({ of, onClose, children }: DialogBoundaryProps) {
  return (
    <Boundary
      of={of}
      frame={(fault) => (
        <Dialog title={t("part.failed")} onClose={onClose}>
          {fault}
        </Dialog>
      )}
    >
      {children}
    </Boundary>
  );
}
