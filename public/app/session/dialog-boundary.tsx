import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary.tsx";
import { getRest } from "../parts/load-rest.tsx";
import { t } from "../words/translate.ts";

type DialogBoundaryProps = { of?: unknown; onClose(): void; children: ComponentChildren };

/** Shows an error of a dialog in a dialog that can be closed, or without one until that is loaded. */
export function DialogBoundary({ of, onClose, children }: DialogBoundaryProps) {
  return (
    <Boundary
      of={of}
      frame={(error) => {
        const Dialog = getRest()?.Dialog;
        if (!Dialog) return error;
        return (
          <Dialog title={t("part.failed")} onClose={onClose}>
            {error}
          </Dialog>
        );
      }}
    >
      {children}
    </Boundary>
  );
}
