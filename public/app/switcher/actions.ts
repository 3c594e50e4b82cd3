import {
  Bell,
  BellOff,
  Bookmark,
  BookOpen,
  CalendarDays,
  CircleDashed,
  CircleUser,
  Compass,
  FileText,
  FolderInput,
  FolderPlus,
  type IconNode,
  Info,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  MailCheck,
  MailOpen,
  MessageSquareText,
  MessagesSquare,
  Moon,
  NotebookPen,
  Palette,
  Pencil,
  Pin,
  Plus,
  Settings,
  Shield,
  SquarePen,
  Star,
  StarOff,
  UserPlus,
  Users,
} from "lucide";
import { openSearch } from "../session/search-address.ts";
import { MAX_SECTIONS } from "../../../src/wire/limits.ts";
import {
  askToLeaveDirect,
  askToLeaveRoom,
  pinConversation,
} from "../session/membership-actions.ts";
import { navigateTo, panel } from "../session/navigation.ts";
import { ownSections } from "../session/sidebar-items.ts";
import { placePath } from "../state/route.ts";
import { markAllRead, markRead } from "../session/mark-read.ts";
import { markUnread } from "../session/mark-unread.ts";
import { setNotifications, unmute } from "../session/muting.ts";
import { nameOfPlace, openDirectWith } from "../session/direct.ts";
import { openDialog, type Overlay } from "../session/overlay.ts";
import { appearOffline, selectTheme, pauseNotifications } from "../session/own-actions.ts";
import { inAnHour, pausedUntil, tomorrow } from "../session/pause-notifications.ts";
import { openConversation } from "../session/open-conversation.ts";
import { store } from "../session/store.ts";
import { PRESETS } from "../session/theme.ts";
import { reportOutcome } from "../session/toasts.ts";
import { type Conversation, directOf } from "../state/model/conversation.ts";
import { isMuted } from "../state/model/unread.ts";
import { roomList } from "../state/model/model.ts";
import type { Choice } from "../state/search/choices.ts";
import { t } from "../words/translate.ts";

/**
 * What is offered before anything is typed: ending a pause and inviting people; for someone without
 * rooms also finding a room and writing to someone.
 */
export function firstActions(): Choice[] {
  const isNew = roomList(store.state.value).length === 0;
  return [
    ...(isNew ? [browseChoice(), newMessageChoice()] : []),
    ...(pausedUntil() ? [resumeChoice()] : []),
    ...(store.me.value?.is_site_admin ? [inviteChoice()] : []),
  ];
}

/** The shortcuts of actions by the keys of their choices. */
const SHORTCUTS: Record<string, string> = {
  "new-message": "Control+Shift+K",
  "/activity": "Control+Shift+A",
  "/threads": "Control+Shift+L",
  "read-all": "Shift+Escape",
  shortcuts: "Control+/",
};

/** The actions of the switcher, starting with those on the open room or conversation. */
export function actionChoices(): Choice[] {
  return [...hereChoices(), ...createChoices(), ...placeChoices(), ...ownChoices()];
}

function toAction(
  icon: IconNode,
  key: string,
  label: string,
  run: () => void,
  synonym?: string,
): Choice {
  return { kind: "action", icon, key, label, synonym, shortcut: SHORTCUTS[key], run };
}

function toDialog(icon: IconNode, key: string, label: string, dialog: Overlay): Choice {
  return toAction(icon, key, label, () => openDialog(dialog));
}

const toPlace = (icon: IconNode, label: string, path: string) =>
  toAction(icon, path, label, () => navigateTo(path));

function hereChoices(): Choice[] {
  const room = openConversation.value;
  if (!room?.membership) return [];
  const { unread } = room.membership;
  const label = nameOfPlace(room);
  const newest = store.state.value.views[room.id]?.messages.findLast(
    ({ deleted_at }) => !deleted_at,
  );
  const choices: Choice[] = [];
  if (unread)
    choices.push(
      toAction(MailCheck, "mark-read", t("switcher.mark-read", { room: label }), () =>
        markRead(room),
      ),
    );
  else if (newest)
    choices.push(
      toAction(MailOpen, "mark-unread", t("switcher.mark-unread", { room: label }), () =>
        markUnread(newest),
      ),
    );
  choices.push(
    ...muteChoices(room, label),
    ...arrangeChoices(room, label),
    toAction(
      CalendarDays,
      "jump",
      t("jump.title"),
      () => openDialog({ name: "jump", room }),
      t("switcher.jump-words"),
    ),
    ...panelChoices(room, label),
    ...leaveChoices(room, label),
  );
  return choices;
}

/** Moves the conversation in the sidebar. */
function arrangeChoices(room: Conversation, label: string): Choice[] {
  if (room.kind === "room" && room.is_archived) return [];
  const isPinned = room.membership?.pinned_at != null;
  const pinLabel =
    room.kind === "direct"
      ? t(isPinned ? "direct.unpin" : "direct.pin")
      : t(isPinned ? "switcher.unpin" : "switcher.pin", { room: label });
  return [
    toAction(
      isPinned ? StarOff : Star,
      "pin",
      pinLabel,
      () => pinConversation(room, !isPinned),
      t("switcher.pin-words"),
    ),
    toDialog(FolderInput, "section", t("switcher.section", { room: label }), {
      name: "move-to-section",
      roomId: room.id,
    }),
  ];
}

/** Opens a tab of the panel beside the conversation. */
function panelChoices(room: Conversation, label: string): Choice[] {
  const values = { room: label };
  const open = (tab: string) => () =>
    navigateTo(`${placePath(room)}?panel=${tab}`, panel.value !== null);
  const isGroup = room.kind === "room" || room.direct.kind === "group";
  const choices = [
    toAction(Info, "about", t("switcher.about", values), open("about"), t("switcher.about-words")),
    toAction(Pin, "pins", t("switcher.pins", values), open("pins"), t("panel.pins")),
    toAction(FileText, "files", t("switcher.files", values), open("files"), t("panel.files")),
  ];
  if (isGroup)
    choices.push(toAction(Users, "members", t("switcher.members", values), open("members")));
  if (room.kind !== "room") return choices;
  if (room.membership?.role !== "member" && !room.is_archived)
    choices.push(toAction(Pencil, "topic", t("switcher.topic", values), open("settings")));
  choices.push(
    toDialog(Settings, "room-settings", t("switcher.room-settings", values), {
      name: "room-settings",
      roomId: room.id,
    }),
  );
  return choices;
}

/** Leaves a room or a group, after a question; an owner cannot leave a room. */
function leaveChoices(room: Conversation, label: string): Choice[] {
  const isOwner = room.kind === "room" && room.membership?.role === "owner";
  if (isOwner || (room.kind === "direct" && room.direct.kind !== "group")) return [];
  const leave = () => (room.kind === "room" ? askToLeaveRoom(room) : askToLeaveDirect(room));
  return [toAction(LogOut, "leave", t("switcher.leave", { room: label }), leave)];
}

function muteChoices(room: Conversation, label: string): Choice[] {
  const values = { room: label };
  if (directOf(room)?.kind === "self") return [];
  if (isMuted(room.membership))
    return [toAction(Bell, "mute", t("switcher.unmute", values), () => unmute(room))];
  const muteUntil = (end: Date) => setNotifications(room, { muted_until: end.toISOString() });
  return [
    toAction(BellOff, "mute", t("switcher.mute", values), () =>
      setNotifications(room, { notify: "none" }),
    ),
    toAction(BellOff, "mute-hour", t("switcher.mute-hour", values), () => muteUntil(inAnHour())),
    toAction(BellOff, "mute-tomorrow", t("switcher.mute-tomorrow", values), () =>
      muteUntil(tomorrow()),
    ),
  ];
}

const inviteChoice = () => toPlace(UserPlus, t("invite-people"), "/admin/invites");

/** Ends a pause, and is also found by that word. */
const resumeChoice = () =>
  toAction(Bell, "resume", t("switcher.resume"), () => pauseNotifications(null), t("pause.title"));

const browseChoice = () => toPlace(Compass, t("shell.browse"), "/browse");

const newMessageChoice = () =>
  toDialog(SquarePen, "new-message", t("direct.new"), { name: "new-message" });

function createChoices(): Choice[] {
  return [
    newMessageChoice(),
    toAction(NotebookPen, "notes", t("direct.notes"), () => openDirectWith([])),
    toDialog(Plus, "create-room", t("create.title"), { name: "create-room" }),
    ...(ownSections.value.length < MAX_SECTIONS
      ? [toDialog(FolderPlus, "new-section", t("sections.new"), { name: "section" })]
      : []),
  ];
}

function placeChoices(): Choice[] {
  return [
    toPlace(Bell, t("shell.activity"), "/activity"),
    toPlace(MessageSquareText, t("shell.threads"), "/threads"),
    toPlace(MessagesSquare, t("direct.title"), "/direct"),
    toPlace(Bookmark, t("shell.later"), "/later"),
    toPlace(Pencil, t("shell.drafts"), "/drafts"),
    browseChoice(),
    toAction(MailCheck, "read-all", t("switcher.read-all"), () =>
      reportOutcome(markAllRead(), () => t("switcher.all-read")),
    ),
    toPlace(CircleUser, t("profile.title"), "/profile"),
    toAction(Languages, "language", t("switcher.language"), () =>
      navigateTo("/profile/appearance"),
    ),
    toPlace(Palette, t("switcher.appearance"), "/profile/appearance"),
    toPlace(Bell, t("switcher.notifications"), "/profile/notifications"),
    toPlace(KeyRound, t("switcher.security"), "/profile/security"),
    ...(store.me.value?.is_site_admin
      ? [inviteChoice(), toPlace(Shield, t("admin.title"), "/admin")]
      : []),
  ];
}

/** Actions on the appearance and notifications, and signing out. */
function ownChoices(): Choice[] {
  const pauses = pausedUntil()
    ? [resumeChoice()]
    : [
        toAction(Moon, "pause-hour", t("switcher.pause-hour"), () =>
          pauseNotifications(inAnHour()),
        ),
        toAction(Moon, "pause-tomorrow", t("switcher.pause-tomorrow"), () =>
          pauseNotifications(tomorrow()),
        ),
      ];
  const isHidden = store.me.value?.appear_offline === true;
  const offline = t(isHidden ? "switcher.appear-online" : "appear-offline");
  return [
    ...pauses,
    toAction(
      CircleDashed,
      "offline",
      offline,
      () => appearOffline(!isHidden),
      t("switcher.offline-words"),
    ),
    ...PRESETS.map((theme) =>
      toAction(Palette, `theme-${theme}`, t(`switcher.theme-${theme}`), () => selectTheme(theme)),
    ),
    toAction(Palette, "theme-device", t("switcher.theme-device"), () => selectTheme(null)),
    toDialog(Keyboard, "shortcuts", t("shortcuts.title"), { name: "shortcuts" }),
    toAction(
      BookOpen,
      "guide",
      t("shortcuts.docs"),
      () => void window.open("/docs/use", "_blank", "noopener"),
      t("switcher.guide-words"),
    ),
    toDialog(LogOut, "sign-out", t("sign-out"), { name: "sign-out" }),
  ];
}

/** The last row, which searches messages for the typed text. */
export function searchChoice(query: string): Choice {
  const label = t("switcher.search", { query });
  return { kind: "search", key: "search", label, run: () => openSearch(query) };
}
