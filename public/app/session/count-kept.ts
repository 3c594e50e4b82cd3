import { effect } from "@preact/signals";
import { type KeptLists, keeping, showMarks, showNumbers, storeShown } from "./kept-lists.ts";

/** Keeps the numbers of the sidebar and the marks of messages up to date. */
export function countKept(): void {
  // Two effects: the numbers change with each key of a draft, the marks do not.
  effect(() => {
    const lists = readLists();
    if (lists) showMarks(lists);
  });
  effect(() => {
    const lists = readLists();
    const { drafts, due } = keeping.value ?? {};
    if (!lists || !drafts || !due) return;
    showNumbers({ ...lists, due: due.value, drafts: drafts.entries.value });
  });
  effect(() => {
    if (readLists()) storeShown();
  });
}

/** @returns null until they are loaded */
function readLists(): Pick<KeptLists, "saved" | "scheduled"> | null {
  const saved = keeping.value?.saved.items.value;
  const scheduled = keeping.value?.scheduled.items.value;
  return saved && scheduled
    ? { saved: [...saved.keys()], scheduled: [...scheduled.values()] }
    : null;
}
