import { Settings, Users } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { Typing } from "../composer/typing.tsx";
import { keepIfSpace, localStore } from "../connection/storage.ts";
import { lightbox } from "../messages/attachments/lightbox-state.ts";
import { IconButton } from "../parts/button.tsx";
import { rest } from "../parts/load-rest.tsx";
import { labelOf } from "../parts/place-label.ts";
import { NARROW, PHONE, useMedia } from "../parts/use-media.ts";
import { Members } from "../people/members.tsx";
import { PinLine } from "../pins/pin-line.tsx";
import { Boundary } from "../session/boundary.tsx";
import { withName } from "../session/direct.ts";
import { navigateTo, panel, Redirect, screenTitle, searched } from "../session/navigation.ts";
import { overlay } from "../session/overlay.ts";
import { areRepliesFull } from "../session/replies.ts";
import { store } from "../session/store.ts";
import { keepRecent } from "../state/conversations/recent-rooms.ts";
import type { Conversation } from "../state/model/conversation.ts";
import { emptyView } from "../state/model/model.ts";
import { messagePath, roomPath, threadPath } from "../state/route.ts";
import { ThreadPane } from "../threads/thread-pane.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { t } from "../words/translate.ts";
import { ConversationHead, describeEnd, DirectControls, NotifyMenu } from "./conversation-head.tsx";

const Lightbox = rest("Lightbox");
const PinsPanel = rest("PinsPanel");

type ScreenProps = {
  conversation: Conversation;
  /** The message of the address: in the conversation, or in the thread. */
  messageId: string | null;
  threadId?: string | null;
};

/** A room or a direct conversation: its head, messages and composer, and what is beside them. */
export function ConversationScreen(props: ScreenProps) {
  const { conversation, threadId = null } = props;
  const room = conversation.kind === "direct" ? withName(conversation) : conversation;
  const messageId = threadId ? null : props.messageId;
  const isPhone = useMedia(PHONE);
  const [membersShown, setMembersShown] = useState(() => !matchMedia(NARROW).matches);
  const view = store.state.value.views[room.id] ?? emptyView;
  const membersButton = useRef<HTMLSpanElement>(null);
  useOpening(room, messageId);
  // A reply is folded here: its address leads to its thread.
  const linked = messageId ? view.messages.find(({ id }) => id === messageId) : undefined;
  const isReply = linked?.thread_id && !areRepliesFull.value;
  const rootId = threadId && (store.state.value.views[threadId]?.thread?.id ?? threadId);
  const thread =
    rootId &&
    (rootId === threadId ? (
      <Boundary of={threadId}>
        <ThreadPane key={threadId} room={room} id={threadId} replyId={props.messageId} />
      </Boundary>
    ) : (
      // The address names a reply in place of the root.
      <Redirect to={threadPath(room.name, rootId, props.messageId ?? threadId)} />
    ));
  if (isReply) return <Redirect to={messagePath(room, linked)} />;
  if (thread && isPhone) return thread;
  const hideMembers = () => {
    setMembersShown(false);
    membersButton.current?.querySelector("button")?.focus();
  };
  const isPanelFree = searched.value === null && !threadId;
  const arePinsShown = isPanelFree && panel.value === "pins";
  const areMembersShown = room.kind === "room" && membersShown && isPanelFree && !arePinsShown;
  return (
    <>
      <DropZone roomId={room.id} label={labelOf(room)} disabled={room.is_archived}>
        <ConversationHead room={room}>
          {room.kind === "direct" ? (
            <DirectControls room={room} />
          ) : (
            <>
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
                onClick={() => {
                  overlay.value = { name: "room-settings", roomId: room.id };
                }}
              />
            </>
          )}
        </ConversationHead>
        {room.is_archived && room.kind === "room" && (
          <div class="banner row small" role="status">
            {t("room.archived")}
          </div>
        )}
        {room.newest_pin && <PinLine room={room} />}
        <Boundary>
          <Timeline room={room} view={view} messageId={messageId} />
        </Boundary>
        <Typing view={view} />
        {!room.is_archived && <Composer room={room} />}
        {room.is_archived && room.kind === "direct" && (
          <p class="closed-line">{describeEnd(room)}</p>
        )}
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
    </>
  );
}

/** Opens it in the store, and names the page after the people of a direct conversation. */
function useOpening({ kind, id, name }: Conversation, messageId: string | null): void {
  useEffect(() => {
    if (kind === "room") keepIfSpace(localStore, "snug.room", name);
    keepRecent(localStore, id);
    store.sync.open(id, messageId);
  }, [id, messageId]);
  useEffect(() => (kind === "direct" ? store.sync.members.watch(id) : undefined), [id]);
  useEffect(() => {
    if (kind === "room") return;
    screenTitle.value = name;
    return () => {
      screenTitle.value = null;
    };
  }, [name]);
}
