import { openSearch } from "../session/search-address.ts";
import { background, navigateTo } from "../session/navigation.ts";
import { markAllRead, markRead } from "../session/mark-read.ts";
import { markUnread } from "../session/mark-unread.ts";
import { muteConversation } from "../session/membership.ts";
import { openDirectWith } from "../session/direct.ts";
import { type Overlay, overlay } from "../session/overlay.ts";
import { inAnHour, pausedUntil, pauseUntil, tomorrow } from "../session/pause-notifications.ts";
import { store } from "../session/store.ts";
import { choosePreset, followDevice, PRESETS } from "../session/theme.ts";
import { reportOutcome } from "../session/toasts.ts";
import { labelOf } from "../parts/place-label.ts";
import { fullTimeOf } from "../parts/times.ts";
import { conversationById, roomByName } from "../state/model/model.ts";
import type { Choice } from "../state/search/choices.ts";
import { t } from "../words/translate.ts";

/** The actions of the switcher: first what concerns the open room or conversation. */
export function actionChoices(): Choice[] {
  return [...hereChoices(), ...createChoices(), ...placeChoices(), ...ownChoices()];
}

function toAction(key: string, label: string, run: () => void): Choice {
  return { kind: "action", key, label, run };
}

function toDialog(key: string, label: string, dialog: Overlay): Choice {
  return toAction(key, label, () => {
    overlay.value = dialog;
  });
}

const toPlace = (label: string, path: string) => toAction(path, label, () => navigateTo(path));

/** What can be done with the room or conversation that is open. */
function hereChoices(): Choice[] {
  const { route } = background.value;
  const state = store.state.value;
  const room =
    route.name === "room"
      ? roomByName(state, route.room)
      : route.name === "direct" && route.id
        ? conversationById(state, route.id)
        : undefined;
  if (!room?.membership) return [];
  const { unread, notify } = room.membership;
  const label = labelOf(room);
  const newest = state.views[room.id]?.messages.findLast(({ deleted_at }) => !deleted_at);
  const choices: Choice[] = [];
  if (unread)
    choices.push(
      toAction("mark-read", t("switcher.mark-read", { room: label }), () => markRead(room)),
    );
  else if (newest)
    choices.push(
      toAction("mark-unread", t("switcher.mark-unread", { room: label }), () => markUnread(newest)),
    );
  const isMuted = notify === "none";
  choices.push(
    toAction("mute", t(isMuted ? "switcher.unmute" : "switcher.mute", { room: label }), () =>
      muteConversation(room, !isMuted),
    ),
  );
  if (room.kind === "room")
    choices.push(
      toDialog("jump", t("jump.title"), { name: "jump", room }),
      toDialog("room-settings", t("switcher.room-settings", { room: label }), {
        name: "room-settings",
        roomId: room.id,
      }),
    );
  return choices;
}

function createChoices(): Choice[] {
  return [
    toDialog("new-message", t("direct.new"), { name: "new-message" }),
    toAction("notes", t("direct.notes"), () => openDirectWith([])),
    toDialog("create-room", t("create.title"), { name: "create-room" }),
  ];
}

function placeChoices(): Choice[] {
  return [
    toPlace(t("shell.activity"), "/activity"),
    toPlace(t("shell.threads"), "/threads"),
    toPlace(t("direct.title"), "/direct"),
    toPlace(t("shell.later"), "/later"),
    toPlace(t("shell.drafts"), "/drafts"),
    toPlace(t("shell.browse"), "/browse"),
    toAction("read-all", t("switcher.read-all"), () =>
      reportOutcome(markAllRead(), () => t("switcher.all-read")),
    ),
    toPlace(t("switcher.profile"), "/profile"),
    toPlace(t("switcher.appearance"), "/profile/appearance"),
    toPlace(t("switcher.notifications"), "/profile/notifications"),
    toPlace(t("switcher.security"), "/profile/security"),
    ...(store.me.value?.is_site_admin
      ? [toPlace(t("shell.invite"), "/admin/invites"), toPlace(t("shell.administration"), "/admin")]
      : []),
  ];
}

/** What changes how Snug looks and notifies, and the way out. */
function ownChoices(): Choice[] {
  const pause = (time: Date | null, done: () => string) => () =>
    reportOutcome(pauseUntil(time), done);
  const pauseAt = (time: Date) =>
    pause(time, () => t("switcher.paused", { when: fullTimeOf(time.toISOString()) }));
  return [
    ...(pausedUntil()
      ? [
          toAction(
            "resume",
            t("switcher.resume"),
            pause(null, () => t("switcher.resumed")),
          ),
        ]
      : [
          toAction("pause-hour", t("switcher.pause-hour"), pauseAt(inAnHour())),
          toAction("pause-tomorrow", t("switcher.pause-tomorrow"), pauseAt(tomorrow())),
        ]),
    ...PRESETS.map((theme) =>
      toAction(`theme-${theme}`, t(`switcher.theme-${theme}`), () =>
        reportOutcome(choosePreset(theme), () => t("switcher.themed")),
      ),
    ),
    toAction("theme-device", t("switcher.theme-device"), () =>
      reportOutcome(followDevice(), () => t("switcher.themed")),
    ),
    toDialog("shortcuts", t("shortcuts.title"), { name: "shortcuts" }),
    toDialog("sign-out", t("sign-out"), { name: "sign-out" }),
  ];
}

/** The last row: searches messages for the typed text. */
export function searchChoice(query: string): Choice {
  const label = t("switcher.search", { query });
  return { kind: "search", key: "search", label, run: () => openSearch(query) };
}
