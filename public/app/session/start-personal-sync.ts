import { effect, untracked } from "@preact/signals";
import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Saved } from "../../../src/wire/saved-messages.ts";
import { realClock } from "../connection/clock.ts";
import { importFormerDrafts } from "../state/drafts/former-drafts.ts";
import { WritingMark } from "../state/drafts/writing-mark.ts";
import { DraftSync } from "../state/drafts/draft-sync.ts";
import { copyText } from "./copy-text.ts";
import { saveAttachments, forgetAttachments, showAttachments } from "./draft-attachments.ts";
import { navigateTo } from "./navigation.ts";
import { storage, store } from "./store.ts";
import { watchExpiry } from "../state/expiry.ts";
import { deviceDrafts, draftSync } from "./write-draft.ts";
import { showToast } from "./toasts.ts";
import { describeContent } from "./conversation-label.tsx";
import { t } from "../words/translate.ts";
import { NARROW, PHONE } from "../parts/use-media.ts";

const writing = new WritingMark(storage);
/** Most clicks are released sooner. */
const CLICK_MS = 300;
const JUST_NOW_MS = 60_000;

/**
 * Loads the saved messages, scheduled messages and drafts of the signed-in person, and keeps them
 * up to date.
 */
export function startPersonalSync(): void {
  effect(() => {
    const userId = store.phase.value === "signed-in" ? store.me.value?.id : undefined;
    untracked(() => begin(userId));
  });
  saveAttachments();
  store.attach((deps) =>
    watchExpiry({
      ...deps,
      expire: (now) => store.expire(now),
      onMuteEnded: () => store.lists.refreshActivity(),
    }),
  );
  effect(() => {
    // A message was posted or discarded, so its draft is no longer waiting.
    if (store.unsent.value) untracked(() => draftSync.value?.followPosted());
  });
  store.onEvent((event) => {
    draftSync.value?.onEvent(event);
    announce(event);
  });
  const leave = followFocus();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) void draftSync.value?.flush();
  });
  addEventListener("pagehide", () => {
    leave();
    void draftSync.value?.flush();
  });
}

let userOf: string | undefined;

function begin(userId: string | undefined): void {
  if (userId === userOf) return;
  if (userOf) forgetAttachments();
  userOf = userId;
  draftSync.value?.stop();
  if (!userId) {
    draftSync.value = null;
    return;
  }
  importFormerDrafts(storage, userId, deviceDrafts.peek());
  const next = new DraftSync({
    api: store.api,
    clock: realClock,
    drafts: deviceDrafts.peek(),
    device: nameDevice(),
    newId: () => crypto.randomUUID(),
    isWriting: (key) => writing.has(key),
    isPosting: (id) => store.unsent.peek().some(({ client_id }) => client_id === id),
    onAttachments: showAttachments,
    hasRoom(roomId) {
      const { conversations } = store.state.value;
      return !conversations || roomId in conversations;
    },
    onDeleted: (text) => showToast(t("drafts.deleted"), () => copyText(text), t("copy-value")),
  });
  draftSync.value = next;
  next.load();
  store.lists.loadWhole();
}

/**
 * A draft is not merged while it is being written, and is saved when it loses the focus.
 * @returns a function that reports that the focused draft is left
 */
function followFocus(): () => void {
  const keyOf = (target: EventTarget | null) =>
    target instanceof HTMLElement ? (target.closest("form")?.dataset.draft ?? null) : null;
  const leave = (key: string, sync = draftSync.value) => {
    writing.end(key);
    // Not the draft of someone who has signed out since.
    if (sync === draftSync.value) sync?.left(key);
  };
  const enter = () => {
    const key = document.hasFocus() ? keyOf(document.activeElement) : null;
    if (key) writing.begin(key);
  };
  document.addEventListener("focusin", enter);
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const key = keyOf(target);
    if (!key || keyOf(relatedTarget) === key) return;
    // Delayed, because hiding the offer at once would move a button away from the pointer that is
    // pressing it.
    const sync = draftSync.value;
    setTimeout(() => keyOf(document.activeElement) !== key && leave(key, sync), CLICK_MS);
  });
  const leaveFocused = () => {
    const key = keyOf(document.activeElement);
    if (key) leave(key);
  };
  addEventListener("focus", enter);
  addEventListener("blur", leaveFocused);
  enter();
  return leaveFocused;
}

/** Announces a due reminder or a failed scheduled message in a toast. */
function announce(event: ServerEvent): void {
  if (event.type === "scheduled_failed") {
    showToast(t("scheduled.failed-toast"), () => navigateTo("/drafts"), t("kept.show"));
  } else if (event.type === "saved" && event.saved && isJustDue(event.saved)) {
    const text = t("later.due-toast", { text: describeContent(event.saved.message) });
    showToast(text, () => navigateTo("/later"), t("kept.show"));
  }
}

const reminded = new Set<string>();

function isJustDue({ message, reminded_at, done_at }: Saved): boolean {
  if (!reminded_at || done_at) return false;
  const key = `${message.id} ${reminded_at}`;
  const isNew = !reminded.has(key) && Date.now() - Date.parse(reminded_at) < JUST_NOW_MS;
  reminded.add(key);
  return isNew;
}

/** The kind of this device, which the service stores with drafts. */
export function nameDevice(): "phone" | "tablet" | "computer" {
  if (matchMedia(PHONE).matches) return "phone";
  const isTouched = matchMedia("(pointer: coarse)").matches;
  return isTouched && matchMedia(NARROW).matches ? "tablet" : "computer";
}
