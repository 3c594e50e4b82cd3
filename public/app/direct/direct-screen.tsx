import { useEffect } from "preact/hooks";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { Typing } from "../composer/typing.tsx";
import { lightbox } from "../messages/attachments/lightbox-state.ts";
import { rest } from "../parts/load-rest.tsx";
import { PinLine } from "../pins/pin-line.tsx";
import { nameOf } from "../session/person.tsx";
import { Boundary } from "../session/boundary.tsx";
import { panel, screenTitle, searched } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { type DirectRoom, partnersOf } from "../state/model/direct-room.ts";
import { emptyView } from "../state/model/model.ts";
import { keepRecent } from "../state/conversations/recent-rooms.ts";
import { Timeline } from "../timeline/timeline.tsx";
import { DirectHead } from "./direct-head.tsx";
import { withName } from "../session/direct-name.ts";
import { t } from "../words/translate.ts";
import { localStore } from "../connection/storage.ts";

const Lightbox = rest("Lightbox");

const PinsPanel = rest("PinsPanel");

/** A conversation: its head, messages and composer. */
export function DirectScreen({ room, messageId }: { room: DirectRoom; messageId: string | null }) {
  const named = withName(room);
  const view = store.state.value.views[room.id] ?? emptyView;
  useEffect(() => {
    keepRecent(localStore, room.id);
    store.sync.open(room.id, messageId);
  }, [room.id, messageId]);
  useEffect(() => store.sync.members.watch(room.id), [room.id]);
  useEffect(() => {
    screenTitle.value = named.name;
    return () => {
      screenTitle.value = null;
    };
  }, [named.name]);
  return (
    <>
      <DropZone roomId={room.id} label={named.name} disabled={room.is_archived}>
        <DirectHead room={named} />
        {room.newest_pin && <PinLine room={named} />}
        <Boundary>
          <Timeline room={named} view={view} messageId={messageId} />
        </Boundary>
        <Typing view={view} />
        {room.is_archived ? (
          <p class="closed-line">{describeEnd(room)}</p>
        ) : (
          <Composer room={named} />
        )}
        {lightbox.value && <Lightbox messages={view.messages} />}
      </DropZone>
      {panel.value === "pins" && searched.value === null && <PinsPanel room={named} />}
    </>
  );
}

/** Why nothing can be written. */
function describeEnd({ direct }: DirectRoom): string {
  const [partner] = partnersOf(direct, store.me.value?.id);
  if (direct.kind === "group" || !partner) return t("direct.all-left");
  return t("direct.deactivated", { name: nameOf(partner) });
}
