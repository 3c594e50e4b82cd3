import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { t } from "../words/translate.ts";

type DialogBoundaryProps = { of?: unknown; onClose(): void; children: ComponentChildren };

/** Shows the errors of a dialog in a dialog, which can be closed. */
export function DialogBoundary({ of, onClose, children }: DialogBoundaryProps) {
  return (
    <Boundary
      of={of}
      frame={(error) => (
        <Dialog title={t("part.failed")} onClose={onClose}>
          {error}
        </Dialog>
      )}
    >
      {children}
    </Boundary>
  );
}
