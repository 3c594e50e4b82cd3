import type { CallInput } from "../../../src/snug-client/calls.ts";
import type { MyRoom, Notify } from "../../../src/wire/models.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { background, navigateTo } from "./navigation.ts";
import { store } from "./store.ts";
import { reportOutcome } from "./toasts.ts";
import { t } from "../words/translate.ts";

type Change = CallInput<"PATCH /api/rooms/:id/membership">["body"];

/** Changes what I have chosen for a room or direct conversation. */
export function changeMembership(id: string, body: Change): Promise<unknown> {
  return store.call("PATCH /api/rooms/:id/membership", { params: { id }, body });
}

/** Hides a conversation until its next message. */
export function hideDirect({ id }: DirectRoom): void {
  const here = background.value.route;
  const isOpen = here.name === "direct" && here.id === id;
  const hide = async () => {
    await changeMembership(id, { hidden: true });
    if (isOpen) navigateTo("/direct");
  };
  reportOutcome(
    hide(),
    () => t("direct.is-hidden"),
    () => {
      reportOutcome(changeMembership(id, { hidden: false }), () => t("direct.is-shown"));
    },
  );
}

/** Adds a conversation to the favourites or removes it, and shows a toast. */
export function pinDirect({ id }: DirectRoom, pinned: boolean): void {
  reportOutcome(changeMembership(id, { pinned }), () =>
    t(pinned ? "direct.is-pinned" : "direct.is-unpinned"),
  );
}

/** Sets which messages of a conversation notify, and shows a toast. */
export function notifyOfDirect({ id }: DirectRoom, notify: Notify): void {
  reportOutcome(changeMembership(id, { notify }), () => t(`direct.notify-${notify}-done`));
}

/** Mutes a room or conversation, or ends that, and shows a toast with Undo. */
export function muteConversation({ id, name, membership }: MyRoom, isMuted: boolean): void {
  const set = (notify: Notify) => changeMembership(id, { notify });
  const before = membership?.notify ?? "all";
  reportOutcome(
    set(isMuted ? "none" : "all"),
    () => t(isMuted ? "room-menu.muted" : "room-menu.unmuted", { room: name }),
    () => reportOutcome(set(before), () => t("room-menu.undone")),
  );
}
