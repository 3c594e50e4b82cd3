import { watchCopies } from "./messages/copy-messages.ts";
import { startPersonalSync } from "./session/start-personal-sync.ts";
import { watchServiceWorker } from "./session/start-worker.ts";
import { watchTheme } from "./session/theme.ts";
import { watchTimeZone } from "./session/time-zone.ts";
import { watchNames } from "./shell/conversation-menu.tsx";

/**
 * Code that the first screen does not need, loaded as one file (`parts/load-rest.tsx`): dialogs,
 * panels, and all screens but rooms. Code that few people use has its own files (`lazy`).
 */
export { Activity } from "./activity/activity.tsx";
export { askBroadcast } from "./composer/broadcast.tsx";
export { Offline, OutsideRoom } from "./conversations/outside-room.tsx";
export { WritingAid } from "./messages/draft-preview.tsx";
export { DropOver, UploadTray } from "./composer/upload-tray.tsx";
export { htmlToMarkdown } from "./composer/html-to-markdown.ts";
export { PasteOffer, pasteText } from "./composer/paste.tsx";
export { Share } from "./composer/share.tsx";
export { sendFile } from "./connection/upload.ts";
export { DirectHome } from "./conversations/direct-home.tsx";
export { NewDirect } from "./conversations/new-direct.tsx";
export { NotifyMenuList } from "./conversations/notify-menu-list.tsx";
export { PanelContent } from "./conversations/panel-content.tsx";
export { DraftOffer } from "./drafts/draft-offer.tsx";
export { Drafts } from "./drafts/drafts-page.tsx";
export { describeFailure } from "./drafts/scheduled-row.tsx";
export { remindMe } from "./drafts/remind-me.ts";
export { SendTimes } from "./drafts/send-times.tsx";
export { Later } from "./later/later.tsx";
export { Blur } from "./messages/attachments/blur.tsx";
export { Lightbox } from "./messages/attachments/lightbox.tsx";
export { EditForm } from "./messages/edit-form.tsx";
export { MessageSwipes } from "./messages/message-swipes.tsx";
export { MessageTools, openMessageMenu, reactToNewest } from "./messages/message-tools.tsx";
export { ContextMenu, MenuList } from "./parts/menu-list.tsx";
export { insertAtCaret } from "./parts/edit-text-area.ts";
export { EmojiPicker } from "./parts/emoji/picker.tsx";
export { leaveSheetEntry } from "./parts/close-on-back.ts";
export { watchSwipes } from "./parts/swipe.ts";
export { watchSheet } from "./parts/use-swipe-away.ts";
export { Tooltips } from "./parts/tooltips.tsx";
export { Browse } from "./conversations/browse.tsx";
export { searchHere } from "./session/search-address.ts";
export { Search } from "./search/search.tsx";
export { FormatBar } from "./composer/format-bar.tsx";
export { ThreadMenu } from "./threads/thread-menu.tsx";
export { SectionMenu } from "./sections/section-menu.tsx";
export { hideDirect } from "./session/membership-actions.ts";
export { saveToggledSection } from "./session/own-sections.ts";
export { Dialog } from "./parts/dialog.tsx";
export { PinnedUpload } from "./pins/pin-list.tsx";
export { Announcer } from "./shell/announcer.tsx";
export { OverlayDialog } from "./shell/dialogs.tsx";
export { EmptyScreen, Replaced } from "./shell/empty-screen.tsx";
export { FactorReminder } from "./shell/factor-reminder.tsx";
export { openRoomBeside } from "./shell/open-room-beside.ts";
export { OwnMenu } from "./shell/own-menu.tsx";
export { ViewMenuList } from "./shell/view-menu-list.tsx";
export { ConversationMenu, openConversationMenu } from "./shell/conversation-menu.tsx";
export { RowMoves } from "./shell/row-moves.tsx";
export { SidebarEdge } from "./shell/sidebar-edge.tsx";
export { SkipLinks } from "./shell/skip-links.tsx";
export { You } from "./shell/you.tsx";
export { Toasts } from "./shell/toast-list.tsx";
export { UnreadEdges } from "./shell/unread-edges.tsx";
export { toggleReaction } from "./state/timeline/react.ts";
export { Uploads } from "./state/composer/uploads.ts";
export { Threads } from "./threads/threads.tsx";
export { TitleDialog } from "./threads/thread-menu.tsx";

/** Starts what works on every screen, once the first one is shown. */
export function startLater(): void {
  watchTheme();
  startPersonalSync();
  watchCopies();
  watchNames();
  watchTimeZone();
  watchServiceWorker();
}
