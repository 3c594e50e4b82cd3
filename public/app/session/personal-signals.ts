import { computed, effect, signal, untracked } from "@preact/signals";
import { openConversation } from "./open-conversation.ts";
import { store } from "./store.ts";

/* Saved messages, scheduled messages and drafts, as the sidebar, the composers and the rows of
   messages show them. */

const personal = computed(() => store.state.value.personal);
const saved = computed(() => personal.value.saved);
const scheduled = computed(() => personal.value.scheduled);
const drafts = computed(() => personal.value.drafts);

/** Whether the lists are loaded, from the last visit or from the service. */
const arePersonalListsLoaded = computed(
  () => saved.value !== null && scheduled.value !== null && drafts.value !== null,
);

/** My scheduled messages that wait or have failed. */
export const upcoming = computed(() =>
  Object.values(scheduled.value ?? {}).filter(({ state }) => state !== "sent"),
);

/**
 * The counts at the top of the sidebar: drafts and scheduled messages, due reminders, and failures.
 */
export const personalCounts = computed(() => {
  const places = Object.values(drafts.value ?? {});
  // A draft in the open room is already visible.
  const elsewhere = places.filter(({ roomId }) => roomId !== openConversation.value?.id).length;
  const count = elsewhere + upcoming.value.length;
  return {
    saved: (saved.value?.ids.size ?? 0) > 0,
    drafts: count > 0,
    count,
    due: saved.value?.due ?? 0,
    failed: upcoming.value.filter(({ state }) => state === "failed").length,
  };
});

/** The counts that need action: due reminders, and messages that could not be sent. */
export const personalNews = computed(() => {
  const { due, failed } = personalCounts.value;
  return { mentions: due + failed, isUnread: false };
});

const NOTHING: ReadonlySet<string> = new Set();

export const savedIds = computed(() => saved.value?.ids ?? NOTHING);

/** My messages that were sent later than scheduled, with the scheduled time. */
export const lateMessages = computed(
  (): ReadonlyMap<string, string> =>
    new Map(
      Object.values(scheduled.value ?? {}).flatMap(({ message_id, sent_late, send_at }) =>
        message_id && sent_late ? [[message_id, send_at]] : [],
      ),
    ),
);

/** The ids of rooms with a draft in this browser. */
export const draftRooms = computed(
  (): ReadonlySet<string> =>
    new Set(
      Object.values(drafts.value ?? {}).flatMap(({ roomId, hasText }) => (hasText ? roomId : [])),
    ),
);

/** Longer than these requests usually take; after that the page is shown without the lists. */
const LIMIT_MS = 3_000;

const hasTimedOut = signal(false);

/**
 * Whether all lists with an entry in the sidebar or a line in the open room are loaded. Until then
 * neither is shown, because later entries would move the rest.
 */
export const areListsLoaded = computed(() => {
  const { conversations, threads, personal } = store.state.value;
  const areOthersLoaded =
    threads !== null && personal.sections !== null && arePersonalListsLoaded.value;
  return conversations !== null && (hasTimedOut.value || areOthersLoaded);
});

/** On a first visit, loads the lists that the browser has not stored. */
export function watchFirstLists(): void {
  effect(() => {
    if (store.phase.value !== "signed-in") return;
    untracked(() => {
      if (areListsLoaded.value) return;
      setTimeout(() => (hasTimedOut.value = true), LIMIT_MS);
      if (arePersonalListsLoaded.value) return;
      store.lists.loadWhole();
      store.call("GET /api/drafts").catch(() => {});
      openEarly();
    });
  });
}

/**
 * Opens the conversation of the address as soon as it is known, while the other lists are loaded. Its
 * screen, which knows more about links to messages, opens it again.
 */
function openEarly(): void {
  const stop = effect(() => {
    const id = openConversation.value?.id;
    if (!id) return;
    const isLink = location.pathname.split("/").length > 3;
    if (!isLink) untracked(() => store.sync.open(id));
    queueMicrotask(() => stop());
  });
}
