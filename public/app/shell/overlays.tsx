import { store } from "../session/store.ts";
import { overlay } from "../session/overlay.ts";
import { Boundary } from "../session/boundary.tsx";
import { DialogBoundary } from "../session/dialog-boundary.tsx";
import { lazy } from "../parts/lazy.tsx";

const Announcer = lazy("deferred", () => import("./announcer.tsx").then((m) => m.Announcer), {
  quiet: true,
});
const Switcher = lazy("deferred", () => import("../switcher/switcher.tsx").then((m) => m.Switcher));
const Shortcuts = lazy("deferred", () => import("./shortcuts.tsx").then((m) => m.Shortcuts));
const CreateRoom = lazy("deferred", () =>
  import("../rooms/create-room.tsx").then((m) => m.CreateRoom),
);
const PersonCard = lazy("deferred", () =>
  import("../people/person-card.tsx").then((m) => m.PersonCard),
);
const JumpDialog = lazy("deferred", () =>
  import("../timeline/jump-dialog.tsx").then((m) => m.JumpDialog),
);
const MessageSheet = lazy("deferred", () =>
  import("../messages/message-sheet.tsx").then((m) => m.MessageSheet),
);

/** What is called from anywhere, and what is said aloud. */
export function Overlays() {
  return (
    <>
      <Boundary>
        <Announcer />
      </Boundary>
      <Called />
    </>
  );
}

/** The switcher, the shortcuts, a new room, somebody's card, another day. */
function Called() {
  const shown = overlay.value;
  if (!shown || !store.me.value) return null;
  const close = () => {
    // A dialog tells a moment late that it was closed: what was called since then stays.
    if (overlay.value === shown) overlay.value = null;
  };
  return (
    <DialogBoundary key={shown.name} onClose={close}>
      {shown.name === "switcher" && <Switcher onClose={close} />}
      {shown.name === "shortcuts" && <Shortcuts onClose={close} />}
      {shown.name === "create-room" && <CreateRoom onClose={close} />}
      {shown.name === "jump" && <JumpDialog room={shown.room} onClose={close} />}
      {shown.name === "message" && <MessageSheet {...shown} onClose={close} />}
      {shown.name === "person" && <PersonCard user={shown.user} onClose={close} />}
    </DialogBoundary>
  );
}
