import { useEffect, useRef } from "preact/hooks";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { Boundary, DialogBoundary } from "../session/boundary.tsx";
import { background } from "../session/navigation.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";

const Announcer = quietRest("Announcer");
const OverlayDialog = rest("OverlayDialog");
const ContextMenu = quietRest("ContextMenu");
const Tooltips = quietRest("Tooltips");

/** The open dialog or context menu, tooltips, and announcements for screen readers, loaded after the first paint. */
export function Overlays() {
  return (
    <>
      <Boundary>
        <Announcer />
      </Boundary>
      <OpenDialog />
      <Boundary>
        <ContextMenu />
        <Tooltips />
      </Boundary>
    </>
  );
}

function OpenDialog() {
  const current = overlay.value;
  if (!current || !store.me.value) return null;
  const close = () => {
    // The close event of a dialog arrives late: a dialog that was opened since stays open.
    if (overlay.value === current) overlay.value = null;
  };
  return (
    <DialogBoundary key={current.name === "person" ? current : current.name} onClose={close}>
      <OverlayDialog overlay={current} onClose={close} />
      <CloseOnNavigation key={current} onLeave={close} />
    </DialogBoundary>
  );
}

/**
 * Closes a dialog when the reader leaves the screen on which it was opened. The search only changes
 * the query, so it does not count, nor does a redirect, as from "/" to the first room.
 */
function CloseOnNavigation({ onLeave }: { onLeave(): void }) {
  const { path, visit } = background.value;
  const place = placeOf(path);
  const opened = useRef({ place, visit });
  if (visit === opened.current.visit) opened.current.place = place;
  const isLeft = place !== opened.current.place;
  useEffect(() => {
    if (isLeft) onLeave();
  }, [isLeft]);
  return null;
}

const placeOf = (path: string) => path.split("?")[0];
