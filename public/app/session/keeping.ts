import { computed, signal } from "@preact/signals";
import type { Keeping } from "../state/keeping.ts";
import { roomByName } from "../state/model.ts";
import { background } from "./navigation.ts";
import { store } from "./store.ts";

/** What I have saved, planned and begun to write; null until it is loaded, after the first paint. */
export const keeping = signal<Keeping | null>(null);

/** Lists what the sidebar had to show when the page was last open, so that it does not move. */
export const SHOWN_KEY = "snug.kept";

/** The id of the room or conversation that is open. */
const openPlace = computed(() => {
  const here = background.value.route;
  if (here.name === "direct") return here.id;
  return here.name === "room" ? roomByName(store.state.value, here.room)?.id : undefined;
});

/** The numbers of the sidebar's head; null for what is not loaded. */
export const keptCounts = computed(() => {
  const scheduled = keeping.value?.scheduled.items.value;
  const states = [...(scheduled?.values() ?? [])].map(({ state }) => state);
  // What is written in the room that is open is there to see.
  const isElsewhere = ({ roomId }: { roomId: string }) => roomId !== openPlace.value;
  const drafts = keeping.value?.drafts.entries.value.filter(isElsewhere).length ?? 0;
  return {
    saved: keeping.value?.saved.items.value?.size ?? null,
    due: keeping.value?.due.value ?? 0,
    drafts: scheduled ? drafts + states.filter((state) => state !== "sent").length : null,
    failed: states.filter((state) => state === "failed").length,
  };
});

/** What of it is for the reader: due reminders, and what was not sent. */
export const keptNews = computed(() => {
  const { due, failed } = keptCounts.value;
  return { mentions: due + failed, isUnread: false };
});

/** Whether the sidebar lists a screen: while it has something. */
export function isKept(name: "saved" | "drafts"): boolean {
  const count = keptCounts.value[name];
  return count === null ? localStorage.getItem(SHOWN_KEY)?.includes(name) === true : count > 0;
}

/** Whether a message has a mark of mine: it is saved, or was sent later than planned. */
export function isMarked(id: string): boolean {
  return keeping.value?.saved.items.value?.has(id) === true || lateMessages.value.has(id);
}

/** My messages that went out later than planned, with the time that was planned. */
export const lateMessages = computed((): ReadonlyMap<string, string> => {
  const scheduled = [...(keeping.value?.scheduled.items.value?.values() ?? [])];
  return new Map(
    scheduled.flatMap(({ message_id, sent_late, send_at }) =>
      message_id && sent_late ? [[message_id, send_at]] : [],
    ),
  );
});
