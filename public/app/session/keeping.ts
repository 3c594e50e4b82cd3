import { computed, type Signal, signal } from "@preact/signals";
import type { Keeping } from "../state/keeping.ts";

/** What I have saved, planned and begun to write; null until it is loaded, after the first paint. */
export const keeping = signal<Keeping | null>(null);

/** Lists what the sidebar had to show when the page was last open, so that it does not move. */
export const SHOWN_KEY = "snug.kept";
const before = localStorage.getItem(SHOWN_KEY) ?? "";

/** What the sidebar's head shows of it; `count-kept.ts` keeps it current. */
export const kept = signal({
  saved: before.includes("saved"),
  drafts: before.includes("drafts"),
  /** Of drafts and planned messages. */
  count: 0,
  due: 0,
  failed: 0,
});

/** What of it is for the reader: due reminders, and what was not sent. */
export const keptNews = computed(() => {
  const { due, failed } = kept.value;
  return { mentions: due + failed, isUnread: false };
});

/** The ids of messages with a mark of mine: they are saved, or were sent later than planned. */
export const keptMarks: Signal<ReadonlySet<string>> = signal(new Set<string>());
