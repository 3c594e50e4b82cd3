import { quietRest, rest } from "../parts/load-rest.tsx";
import { Boundary } from "../session/boundary.tsx";
import { DialogBoundary } from "../session/dialog-boundary.tsx";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";

const Announcer = quietRest("Announcer");
const OverlayDialog = rest("OverlayDialog");

/** The open dialog, and announcements for screen readers. Their code is loaded after the first paint. */
export function Overlays() {
  return (
    <>
      <Boundary>
        <Announcer />
      </Boundary>
      <OpenDialog />
    </>
  );
}

function OpenDialog() {
  const shown = overlay.value;
  if (!shown || !store.me.value) return null;
  const close = () => {
    // The close event of a dialog arrives late: a dialog that was opened since then stays open.
    if (overlay.value === shown) overlay.value = null;
  };
  return (
    <DialogBoundary key={shown.name} onClose={close}>
      <OverlayDialog overlay={shown} onClose={close} />
    </DialogBoundary>
  );
}
