import { computed, type Signal, signal } from "@preact/signals";
import type { Keeping } from "../state/keeping.ts";
import { localStore } from "../connection/storage.ts";

/**
 * My saved messages, scheduled messages and drafts; null until they are loaded, after the first
 * paint.
 */
export const keeping = signal<Keeping | null>(null);

/** The entries that the sidebar showed when the page was last open, so that it does not move. */
export const SHOWN_KEY = "snug.kept";
const before = localStore.getItem(SHOWN_KEY) ?? "";

/** The numbers at the head of the sidebar; `count-kept.ts` updates them. */
export const kept = signal({
  saved: before.includes("saved"),
  drafts: before.includes("drafts"),
  /** The number of drafts and scheduled messages. */
  count: 0,
  due: 0,
  failed: 0,
});

/** Those that the reader should act on: due reminders, and messages that were not sent. */
export const keptNews = computed(() => {
  const { due, failed } = kept.value;
  return { mentions: due + failed, isUnread: false };
});

/** The ids of messages that had a mark when the page was last open, so that their rows do not move. */
export const MARKS_KEY = "snug.kept-marks";

/**
 * The ids of messages with a mark: those that I have saved, and mine that were sent later than
 * scheduled.
 */
export const keptMarks: Signal<ReadonlySet<string>> = signal(
  new Set((localStore.getItem(MARKS_KEY) ?? "").split(" ")),
);
