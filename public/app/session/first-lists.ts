import { computed, effect, signal, untracked } from "@preact/signals";
import { getAll } from "../connection/api.ts";
import type { Phase } from "../state/store/signed-in-person.ts";
import { isKeptKnown, resetShown, showMarks, showNumbers } from "./kept-lists.ts";
import { store } from "./store.ts";

/** Longer than these answers take; then the page shows what there is, and the rest when it comes. */
const LIMIT_MS = 3_000;

const isOver = signal(false);

/**
 * Whether everything is known that has an entry in the sidebar or a line in the open room. Until then neither
 * is shown: what comes later would move the rest.
 */
export const areListsKnown = computed(() => {
  const { conversations, follows, sections } = store.state.value;
  const areOthersKnown = follows !== null && sections !== null && isKeptKnown.value;
  return conversations !== null && (isOver.value || areOthersKnown);
});

const ENDED: Phase[] = ["signed-out", "replaced", "restricted"];

/**
 * On a first visit, asks the service what the browser has not stored yet. Once a session has ended, nothing of its
 * person is shown: not to the next one, nor in the title and on the app's icon.
 */
export function watchFirstLists(): void {
  effect(() => {
    if (ENDED.includes(store.phase.value)) untracked(resetShown);
  });
  effect(() => {
    if (store.phase.value !== "signed-in") return;
    untracked(() => {
      if (areListsKnown.value) return;
      setTimeout(() => (isOver.value = true), LIMIT_MS);
      // What did not load is loaded again with `Keeping`.
      if (!isKeptKnown.value) loadKept().catch(() => {});
    });
  });
}

async function loadKept(): Promise<void> {
  const [{ ids, due_count }, scheduled, drafts] = await Promise.all([
    store.call("GET /api/saved/ids"),
    getAll(store.api, "GET /api/scheduled"),
    store.call("GET /api/drafts"),
  ]);
  if (isKeptKnown.value) return;
  const written = drafts.items.filter(({ content }) => content);
  showMarks({ saved: ids, scheduled });
  showNumbers({
    saved: ids,
    due: due_count,
    scheduled,
    drafts: written.map(({ room_id }) => ({ roomId: room_id })),
  });
}
