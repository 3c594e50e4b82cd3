import type { MyRoom } from "../../../src/wire/models.ts";
import { openSearch } from "../session/search-address.ts";
import { background, navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import { overlay } from "../session/overlay.ts";
import type { Choice } from "../state/search/choices.ts";
import { roomByName } from "../state/model/model.ts";
import { markAllRead } from "../session/mark-read.ts";
import { openDirectWith } from "../session/open-direct.ts";
import { t } from "../words/translate.ts";

/** The actions of the switcher. */
export function actionChoices(): Choice[] {
  const to = (label: string, path: string): Choice => ({
    kind: "action",
    key: path,
    label,
    run: () => navigateTo(path),
  });
  const here = background.value.route;
  const room = here.name === "room" ? roomByName(store.state.value, here.room) : undefined;
  return [
    ...(room ? [jumpIn(room)] : []),
    {
      kind: "action",
      key: "new-message",
      label: t("direct.new"),
      run: () => {
        overlay.value = { name: "new-message" };
      },
    },
    { kind: "action", key: "notes", label: t("direct.notes"), run: () => openDirectWith([]) },
    to(t("shell.later"), "/later"),
    to(t("shell.drafts"), "/drafts"),
    to(t("shell.browse"), "/browse"),
    {
      kind: "action",
      key: "create-room",
      label: t("create.title"),
      run: () => {
        overlay.value = { name: "create-room" };
      },
    },
    {
      kind: "action",
      key: "read-all",
      label: t("switcher.read-all"),
      run: () => reportOutcome(markAllRead(), () => t("switcher.all-read")),
    },
    to(t("switcher.profile"), "/profile"),
    to(t("switcher.appearance"), "/profile/appearance"),
    to(t("switcher.notifications"), "/profile/notifications"),
    to(t("switcher.security"), "/profile/security"),
    ...(store.me.value?.is_site_admin
      ? [to(t("shell.invite"), "/admin/invites"), to(t("shell.administration"), "/admin")]
      : []),
    {
      kind: "action",
      key: "shortcuts",
      label: t("shortcuts.title"),
      run: () => {
        overlay.value = { name: "shortcuts" };
      },
    },
  ];
}

/** The last row: searches messages for the typed text. */
export function searchChoice(query: string): Choice {
  const label = t("switcher.search", { query });
  return { kind: "search", key: "search", label, run: () => openSearch(query) };
}

function jumpIn(room: MyRoom): Choice {
  return {
    kind: "action",
    key: "jump",
    label: t("jump.title"),
    run: () => {
      overlay.value = { name: "jump", room };
    },
  };
}
