import { Settings, Users } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Boundary } from "../session/boundary.tsx";
import { IconButton } from "../parts/button.tsx";
import { rest } from "../parts/load-rest.tsx";
import { NARROW, PHONE, useMedia } from "../parts/use-media.ts";
import { messagePath, type RoomRoute, roomPath, threadPath } from "../state/route.ts";
import { keepRecent } from "../state/conversations/recent-rooms.ts";
import { emptyView } from "../state/model/model.ts";
import { DropZone } from "../composer/drop-zone.tsx";
import { lightbox } from "../messages/attachments/lightbox-state.ts";
import { Composer } from "../composer/composer.tsx";
import { Typing } from "../composer/typing.tsx";
import { Members } from "../people/members.tsx";
import { PinLine } from "../pins/pin-line.tsx";
import { ThreadPane } from "../threads/thread-pane.tsx";
import { NotifyMenu } from "./notify-menu.tsx";
import { navigateTo, panel, Redirect, searched } from "../session/navigation.ts";
import { areRepliesFull } from "../session/replies.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { t } from "../words/translate.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

const Lightbox = rest("Lightbox");
const RoomSettings = rest("RoomSettings");
const PinsPanel = rest("PinsPanel");

/** A room: its head, messages, composer and members. */
export function RoomScreen({ room, here }: { room: MyRoom; here: RoomRoute }) {
  const { threadId } = here;
  const messageId = threadId ? null : here.messageId;
  const isPhone = useMedia(PHONE);
  const [membersShown, setMembersShown] = useState(() => !matchMedia(NARROW).matches);
  const [settingsShown, setSettingsShown] = useState(false);
  const view = store.state.value.views[room.id] ?? emptyView;
  const membersButton = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    keepIfSpace(localStore, "snug.room", room.name);
    keepRecent(localStore, room.id);
    store.sync.open(room.id, messageId);
  }, [room.id, messageId]);
  // A reply is folded here: its address leads to its thread.
  const linked = messageId ? view.messages.find(({ id }) => id === messageId) : undefined;
  const isReply = linked?.thread_id && !areRepliesFull.value;
  const rootId = threadId && (store.state.value.views[threadId]?.thread?.id ?? threadId);
  const thread =
    rootId &&
    (rootId === threadId ? (
      <Boundary of={threadId}>
        <ThreadPane key={threadId} room={room} id={threadId} replyId={here.messageId} />
      </Boundary>
    ) : (
      // The address names a reply in place of the root.
      <Redirect to={threadPath(room.name, rootId, here.messageId ?? threadId)} />
    ));
  if (isReply) return <Redirect to={messagePath(room, linked)} />;
  if (thread && isPhone) return thread;
  const hideMembers = () => {
    setMembersShown(false);
    membersButton.current?.querySelector("button")?.focus();
  };
  const isPanelFree = searched.value === null && !threadId;
  const arePinsShown = isPanelFree && panel.value === "pins";
  const areMembersShown = membersShown && isPanelFree && !arePinsShown;
  return (
    <>
      <DropZone roomId={room.id} label={`#${room.name}`} disabled={room.is_archived}>
        <PaneHead title={`#${room.name}`} text={room.description}>
          <span ref={membersButton}>
            <IconButton
              icon={Users}
              label={t("members.count", { count: room.member_count })}
              pressed={areMembersShown}
              onClick={() => {
                setMembersShown(!areMembersShown);
                if (threadId || panel.value !== null) navigateTo(roomPath(room.name));
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
      {thread}
      {arePinsShown && <PinsPanel room={room} />}
      {areMembersShown && (
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
