import type { MyRoom } from "../../../src/wire/models.ts";
import type { Conversation, DirectRoom } from "../state/model/conversation.ts";
import { withMembership } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { changeMembership } from "./membership.ts";
import { navigateTo } from "./navigation.ts";
import { openConversation } from "./open-conversation.ts";
import { askToConfirm } from "./overlay.ts";
import { store } from "./store.ts";
import { reportOutcome, showError } from "./toasts.ts";

export async function joinRoom({ id, name }: MyRoom): Promise<void> {
  await store.call("POST /api/rooms/:id/join", { params: { id } });
  navigateTo(roomPath(name));
}

/** Hides a conversation until its next message. */
export function hideDirect({ id }: DirectRoom): void {
  const isOpen = openConversation.value?.id === id;
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

/**
 * Adds a room or conversation to the favourites or removes it, before the service has confirmed
 * the change.
 */
export function pinConversation({ id, kind }: Conversation, pinned: boolean): void {
  const pinned_at = pinned ? new Date().toISOString() : null;
  const change = store.change(
    (state) => withMembership(state, id, { pinned_at }),
    () => changeMembership(id, { pinned }),
  );
  // A room visibly moves to the favourites, or away from them.
  if (kind === "room") change.catch(showError);
  else reportOutcome(change, () => t(pinned ? "direct.is-pinned" : "direct.is-unpinned"));
}

/** Sets whether all replies in a room notify the reader, or only those in followed threads. */
export function notifyOfReplies({ id, name }: MyRoom, isAll: boolean): void {
  reportOutcome(changeMembership(id, { thread_push: isAll ? "all" : "followed" }), () =>
    t(isAll ? "notify.replies-on" : "notify.replies-off", { room: name }),
  );
}

/** Asks first: a private room can only be joined again by an invitation. */
export function askToLeaveRoom({ id, name, privacy }: MyRoom): void {
  askToConfirm({
    title: t("room.leave-title", { room: name }),
    text: t(privacy === "open" ? "room.leave-open" : "room.leave-private"),
    action: t("room.leave"),
    onConfirm: async () => {
      await store.call("POST /api/rooms/:id/leave", { params: { id } });
      navigateTo("/browse");
    },
  });
}

export function askToLeaveDirect({ id }: DirectRoom): void {
  askToConfirm({
    title: t("direct.leave-title"),
    text: t("direct.leave-text"),
    action: t("direct.leave"),
    onConfirm: async () => {
      await store.call("POST /api/direct/:id/leave", { params: { id } });
      navigateTo("/direct");
    },
  });
}
