import { Settings, Users } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Boundary } from "../session/boundary.tsx";
import { IconButton } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { keepRecent } from "../state/recent-rooms.ts";
import { emptyView } from "../state/model.ts";
import { DropZone } from "../composer/drop-zone.tsx";
import { lightbox } from "../messages/attachments/lightbox-state.ts";
import { Composer } from "../composer/composer.tsx";
import { navigate, panel, searched } from "../session/navigation.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { t } from "../words/translate.ts";

const Typing = lazy("deferred", () => import("../composer/typing.tsx").then((m) => m.Typing), {
  placeholder: <p class="typing" />,
  quiet: true,
});
const Lightbox = lazy("deferred", () =>
  import("../messages/attachments/lightbox.tsx").then((m) => m.Lightbox),
);
/** The placeholder has the size of the list, so that nothing moves when it is loaded. */
const Members = lazy("deferred", () => import("../people/members.tsx").then((m) => m.Members), {
  placeholder: <aside class="members" aria-busy="true" />,
  quiet: true,
});
const RoomSettings = lazy("deferred", () =>
  import("./room-settings.tsx").then((m) => m.RoomSettings),
);
const NotifyMenu = lazy("deferred", () => import("./notify-menu.tsx").then((m) => m.NotifyMenu), {
  quiet: true,
  placeholder: <span class="icon-button" />,
});
/** The placeholder has the height of the line. */
const PinLine = lazy("deferred", () => import("../pins/pins.ts").then((m) => m.PinLine), {
  quiet: true,
  placeholder: <aside class="pin-line" aria-busy="true" />,
});
const PinsPanel = lazy("deferred", () => import("../pins/pins.ts").then((m) => m.PinsPanel));
const WIDE = "(min-width: 901px)";

/** A room: its head, messages, composer and members. */
export function RoomScreen({ room, messageId }: { room: MyRoom; messageId: string | null }) {
  const [membersShown, setMembersShown] = useState(() => matchMedia(WIDE).matches);
  const [settingsShown, setSettingsShown] = useState(false);
  const view = store.state.value.views[room.id] ?? emptyView;
  const membersButton = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    localStorage.setItem("snug.room", room.name);
    keepRecent(localStorage, room.id);
    store.sync.open(room.id, messageId);
  }, [room.id, messageId]);
  const hideMembers = () => {
    setMembersShown(false);
    membersButton.current?.querySelector("button")?.focus();
  };
  return (
    <>
      <DropZone roomId={room.id} label={`#${room.name}`} disabled={room.is_archived}>
        <PaneHead title={`#${room.name}`} text={room.description}>
          <span ref={membersButton}>
            <IconButton
              icon={Users}
              label={t("members.count", { count: room.member_count })}
              pressed={membersShown && searched.value === null && panel.value === null}
              onClick={() => {
                setMembersShown(!membersShown || panel.value !== null);
                if (panel.value !== null) navigate(location.pathname);
              }}
            />
          </span>
          <NotifyMenu room={room} />
          <IconButton
            icon={Settings}
            label={t("room.settings")}
            onClick={() => setSettingsShown(true)}
          />
        </PaneHead>
        {room.is_archived && (
          <div class="banner" role="status">
            {t("room.archived")}
          </div>
        )}
        {room.newest_pin && <PinLine room={room} />}
        <Boundary>
          <Timeline room={room} view={view} messageId={messageId} />
        </Boundary>
        <Typing view={view} />
        {!room.is_archived && <Composer room={room} />}
        {lightbox.value && <Lightbox messages={view.messages} />}
      </DropZone>
      {panel.value === "pins" && searched.value === null && <PinsPanel room={room} />}
      {membersShown && searched.value === null && panel.value === null && (
        <Boundary>
          <button
            type="button"
            class="sheet-scrim"
            aria-label={t("members.close")}
            tabIndex={-1}
            onClick={hideMembers}
          />
          <Members room={room} view={view} onClose={hideMembers} />
        </Boundary>
      )}
      {settingsShown && (
        <RoomSettings room={room} view={view} onClose={() => setSettingsShown(false)} />
      )}
    </>
  );
}
