import { effect, untracked } from "@preact/signals";
import type { ServerEvent } from "../../../src/wire/events.ts";
import type { Saved } from "../../../src/wire/saved-messages.ts";
import { realClock } from "../connection/clock.ts";
import { importFormerDrafts } from "../state/drafts/former-drafts.ts";
import { Keeping } from "../state/drafts/keeping.ts";
import { copyText } from "./copy-text.ts";
import { nameDevice } from "./device.ts";
import { countKept } from "./count-kept.ts";
import { followParts, forgetParts, showParts } from "./draft-parts.ts";
import { keeping } from "./kept-lists.ts";
import { navigateTo } from "./navigation.ts";
import { storage, store } from "./store.ts";
import { deviceDrafts } from "./write-draft.ts";
import { showToast } from "./toasts.ts";
import { describeKept } from "./describe-kept.ts";
import { t } from "../words/translate.ts";
import { keepIfSpace } from "../connection/storage.ts";

/** The lock that marks a draft as being written, for all tabs of this browser. */
const WRITING_KEY = "snug.writing";
/** Longer than most clicks take from press to release. */
const CLICK_MS = 300;
const JUST_NOW_MS = 60_000;

/**
 * Loads the saved messages, scheduled messages and drafts of the person who is signed in, and keeps
 * them up to date.
 */
export function startKeeping(): void {
  effect(() => {
    const userId = store.phase.value === "signed-in" ? store.me.value?.id : undefined;
    untracked(() => begin(userId));
  });
  countKept();
  followParts();
  effect(() => {
    // A message was posted or discarded: it does not wait any more.
    if (store.unsent.value) untracked(() => keeping.value?.drafts.followPosted());
  });
  store.onEvent((event) => {
    keeping.value?.hear(event);
    announce(event);
  });
  const leave = followFocus();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) void keeping.value?.drafts.flush();
  });
  addEventListener("pagehide", () => {
    leave();
    void keeping.value?.drafts.flush();
  });
}

let userOf: string | undefined;

function begin(userId: string | undefined): void {
  if (userId === userOf) return;
  if (userOf) forgetParts();
  userOf = userId;
  keeping.value?.stop();
  if (!userId) {
    keeping.value = null;
    return;
  }
  importFormerDrafts(storage, userId, deviceDrafts.peek());
  const next = new Keeping({
    api: store.api,
    clock: realClock,
    drafts: deviceDrafts.peek(),
    device: nameDevice(),
    newId: () => crypto.randomUUID(),
    isWriting: (key) => storage.getItem(WRITING_KEY) === key,
    isPosting: (id) => store.unsent.peek().some(({ client_id }) => client_id === id),
    onParts: showParts,
    hasRoom(roomId) {
      const { conversations } = store.state.value;
      return !conversations || roomId in conversations;
    },
    onDeleted: (text) => showToast(t("drafts.deleted"), () => copyText(text), t("copy-value")),
  });
  keeping.value = next;
  next.load();
}

/**
 * Drafts are left alone while someone writes them, and saved when the focus goes.
 * @returns a function that leaves the draft with the focus
 */
function followFocus(): () => void {
  const keyOf = (target: EventTarget | null) =>
    target instanceof HTMLElement ? (target.closest("form")?.dataset.draft ?? null) : null;
  const leave = (key: string, mine = keeping.value) => {
    if (storage.getItem(WRITING_KEY) === key) storage.removeItem(WRITING_KEY);
    // Not the draft of someone who has signed out since.
    if (mine === keeping.value) mine?.drafts.left(key);
  };
  const enter = () => {
    const key = document.hasFocus() ? keyOf(document.activeElement) : null;
    if (key) keepIfSpace(storage, WRITING_KEY, key);
  };
  document.addEventListener("focusin", enter);
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const key = keyOf(target);
    if (!key || keyOf(relatedTarget) === key) return;
    // Late: an offer that goes at once moves a button away from under the pointer that presses it.
    const mine = keeping.value;
    setTimeout(() => keyOf(document.activeElement) !== key && leave(key, mine), CLICK_MS);
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

/** The time, in the words for something that has just happened. */
function announce(event: ServerEvent): void {
  if (event.type === "scheduled_failed") {
    showToast(t("scheduled.failed-toast"), () => navigateTo("/drafts"), t("kept.show"));
  } else if (event.type === "saved" && event.saved && isJustDue(event.saved)) {
    const text = t("later.due-toast", { text: describeKept(event.saved.message) });
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
