import { useEffect, useRef, useState } from "preact/hooks";
import { Composer } from "../composer/composer.tsx";
import { DropZone } from "../composer/drop-zone.tsx";
import { Typing } from "../composer/typing.tsx";
import { localStore, storeIfSpace } from "../connection/storage.ts";
import { lightbox } from "../messages/attachments/image.tsx";
import { rest } from "../parts/load-rest.tsx";
import { labelOf } from "../parts/place-label.ts";
import { NARROW, ONE_PANE, PHONE, useMedia } from "../parts/use-media.ts";
import { PinLine } from "../pins/pin-line.tsx";
import { Boundary } from "../session/boundary.tsx";
import { withName } from "../session/direct.ts";
import {
  leaveTo,
  navigateTo,
  panel,
  Redirect,
  searched,
  useScreenTitle,
} from "../session/navigation.ts";
import { areRepliesFull } from "../session/replies.ts";
import { store } from "../session/store.ts";
import { addRecentRoom } from "../state/conversations/recent-rooms.ts";
import type { Conversation } from "../state/model/conversation.ts";
import { emptyView } from "../state/model/model.ts";
import { type PanelTab, tabOf, RoomPanel } from "./room-panel.tsx";
import { messagePath, placePath, threadPath } from "../state/route.ts";
import { ThreadPane } from "../threads/thread-pane.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { t } from "../words/translate.ts";
import { ConversationControls, ConversationHead, describeEnd } from "./conversation-head.tsx";

const Lightbox = rest("Lightbox");

type ScreenProps = {
  conversation: Conversation;
  /** The id of the message in the address, in the conversation or in the thread. */
  messageId: string | null;
  threadId?: string | null;
};

/** A room or a direct conversation: its head, messages and composer, and the panel beside them. */
export function ConversationScreen(props: ScreenProps) {
  const { conversation, threadId = null } = props;
  const room = conversation.kind === "direct" ? withName(conversation) : conversation;
  const messageId = threadId ? null : props.messageId;
  const isPhone = useMedia(PHONE);
  // The panel covers the room on a narrow page.
  const isCovered = useMedia(ONE_PANE);
  const view = store.state.value.views[room.id] ?? emptyView;
  useOpening(room, messageId);
  const { tab, toggle, close, membersButton } = usePanel(room, threadId);
  // The room folds this reply, so the reply's address leads to its thread.
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
      // The address has a reply's id in place of the root's.
      <Redirect to={threadPath(room.name, rootId, props.messageId ?? threadId)} />
    ));
  if (isReply) return <Redirect to={messagePath(room, linked)} />;
  if (thread && isPhone) return thread;
  return (
    <>
      <DropZone
        roomId={room.id}
        label={labelOf(room)}
        disabled={room.is_archived}
        // Covered content must not be reachable by keyboard (WCAG 2.4.11).
        inert={isCovered && (tab !== null || Boolean(thread))}
      >
        <ConversationHead room={room} door={{ isOpen: tab !== null, onToggle: () => toggle() }}>
          <ConversationControls
            room={room}
            tab={tab}
            onToggle={toggle}
            membersButton={membersButton}
          />
        </ConversationHead>
        {room.is_archived && room.kind === "room" && (
          <div class="banner center row small" role="status">
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
          <p class="closed-line border-top center muted words">{describeEnd(room)}</p>
        )}
        {lightbox.value && <Lightbox messages={view.messages} />}
      </DropZone>
      {thread}
      {tab && (
        <Boundary>
          <RoomPanel room={room} view={view} tab={tab} fallback={membersButton} onClose={close} />
        </Boundary>
      )}
    </>
  );
}

/**
 * The panel beside a conversation: opened by the address, or a room's members if there is space and
 * the reader left them open. A thread or the search replaces it.
 */
function usePanel(room: Conversation, threadId: string | null) {
  const isKept = room.kind === "room" && !matchMedia(NARROW).matches;
  const [isFree, setFree] = useState(() => isKept && areMembersShown());
  const membersButton = useRef<HTMLSpanElement>(null);
  const addressTab = tabOf(panel.value, room) ?? (isFree ? "members" : null);
  const tab = searched.value === null && !threadId ? addressTab : null;
  // A thread or the search is closed by changing the address.
  const path = threadId ? placePath(room) : location.pathname;
  useEffect(() => {
    if (tab === "members" && isKept) showMembers(true);
  }, [tab]);
  const close = () => {
    if (tab === "members" && isKept) showMembers(false);
    setFree(false);
    if (panel.value !== null) void leaveTo(path);
  };
  /**
   * Opens a tab, or closes it if it is open; without a tab, closes the open one or opens the
   * default.
   */
  const toggle = (requestedTab?: PanelTab) => {
    if (tab && (!requestedTab || tab === requestedTab)) close();
    else navigateTo(`${path}?panel=${requestedTab ?? "about"}`, panel.value !== null);
  };
  return { tab, toggle, close, membersButton };
}

/** Opens the conversation in the store, and titles a direct conversation's page with its people. */
function useOpening({ kind, id, name }: Conversation, messageId: string | null): void {
  useEffect(() => {
    if (kind === "room") storeIfSpace(localStore, "snug.room", name);
    addRecentRoom(localStore, id);
    store.sync.open(id, messageId);
  }, [id, messageId]);
  useEffect(() => (kind === "direct" ? store.sync.members.watch(id) : undefined), [id]);
  useScreenTitle(kind === "direct" ? name : null);
}

const MEMBERS_KEY = "snug.members";

/** Whether rooms open with their members on this device, because the reader left them open. */
const areMembersShown = () => localStore.getItem(MEMBERS_KEY) !== null;

function showMembers(isShown: boolean): void {
  storeIfSpace(localStore, MEMBERS_KEY, isShown ? "1" : null);
}
