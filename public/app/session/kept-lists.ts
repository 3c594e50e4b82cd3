import { computed, type Signal, signal } from "@preact/signals";
import type { Scheduled } from "../../../src/wire/scheduled-messages.ts";
import type { Keeping } from "../state/drafts/keeping.ts";
import { roomByName } from "../state/model/model.ts";
import { background } from "./navigation.ts";
import { store } from "./store.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

/**
 * My saved messages, scheduled messages and drafts; null until they are loaded, after the first
 * paint.
 */
export const keeping = signal<Keeping | null>(null);

/** A scheduled message that waits or has failed, without what it says. */
export type Upcoming = Pick<
  Scheduled,
  "room_id" | "room" | "thread_id" | "state" | "send_at" | "ended_at" | "reason"
>;
/** What the sidebar, the composers and the rows of messages show of these lists. */
type Shown = {
  numbers: { saved: boolean; drafts: boolean; count: number; due: number; failed: number };
  saved: string[];
  late: [id: string, sendAt: string][];
  upcoming: Upcoming[];
};
/** The lists themselves. */
export type KeptLists = {
  /** The ids of saved messages. */
  saved: string[];
  /** How many of them have a due reminder. */
  due: number;
  scheduled: Scheduled[];
  /** Where there are drafts. */
  drafts: { roomId: string }[];
};

const KEY = "snug.kept";
/** Few messages with a mark are on the screen that opens; an id has 36 characters. */
const MAX_STORED_MARKS = 500;
const MAX_STORED_UPCOMING = 50;

/** What was shown when the page was last open: with it the first frame is complete. */
const before = readStored();

/** Whether it is known what the lists have: from the last visit, or from the service. */
export const isKeptKnown = signal(before !== null);

const NO_NUMBERS = { saved: false, drafts: false, count: 0, due: 0, failed: 0 };

/** The numbers at the head of the sidebar: drafts with scheduled messages, due reminders, and failures. */
export const kept: Signal<Shown["numbers"]> = signal(before?.numbers ?? NO_NUMBERS);

/** Those that the reader should act on: due reminders, and messages that were not sent. */
export const keptNews = computed(() => {
  const { due, failed } = kept.value;
  return { mentions: due + failed, isUnread: false };
});

/** The ids of messages that I have saved. */
export const savedIds: Signal<ReadonlySet<string>> = signal(new Set(before?.saved));

/** My messages that were sent later than scheduled, with the scheduled time. */
export const lateMessages: Signal<ReadonlyMap<string, string>> = signal(new Map(before?.late));

/** My scheduled messages that wait or have failed. */
export const upcoming: Signal<Upcoming[]> = signal(before?.upcoming ?? []);

/** The id of the room or conversation that is open. */
const openPlace = computed(() => {
  const here = background.value.route;
  if (here.name === "direct") return here.id;
  return here.name === "room" ? roomByName(store.state.value, here.room)?.id : undefined;
});

/** Shows the numbers of these lists, and the lines above composers. */
export function showNumbers({ saved, due, scheduled, drafts }: KeptLists): void {
  const waiting = scheduled.filter(({ state }) => state !== "sent");
  const failedCount = waiting.filter(({ state }) => state === "failed").length;
  // A draft in the open room is visible there.
  const elsewhere = drafts.filter(({ roomId }) => roomId !== openPlace.value).length;
  const count = elsewhere + waiting.length;
  change(kept, { saved: saved.length > 0, drafts: count > 0, count, due, failed: failedCount });
  change(
    upcoming,
    waiting.map(({ room_id, room, thread_id, state, send_at, ended_at, reason }) => {
      return { room_id, room, thread_id, state, send_at, ended_at, reason };
    }),
  );
  isKeptKnown.value = true;
}

/** Sets what differs: a draft changes with each key, and most keys change nothing here. */
function change<Value>(target: Signal<Value>, value: Value): void {
  if (JSON.stringify(target.peek()) !== JSON.stringify(value)) target.value = value;
}

/** Shows which messages have a mark. */
export function showMarks({ saved, scheduled }: Pick<KeptLists, "saved" | "scheduled">): void {
  savedIds.value = new Set(saved);
  lateMessages.value = new Map(
    scheduled.flatMap(({ message_id, sent_late, send_at }) =>
      message_id && sent_late ? [[message_id, send_at]] : [],
    ),
  );
}

/** The session has ended: what is shown is of the person who left. */
export function resetShown(): void {
  isKeptKnown.value = false;
  kept.value = NO_NUMBERS;
  savedIds.value = new Set();
  lateMessages.value = new Map();
  upcoming.value = [];
}

/** Stores what is shown, for the first frame of the next visit. Without space, that frame has less. */
export function storeShown(): void {
  const snapshot: Shown = {
    numbers: kept.value,
    saved: [...savedIds.value].slice(0, MAX_STORED_MARKS),
    late: [...lateMessages.value].slice(0, MAX_STORED_MARKS),
    upcoming: upcoming.value.slice(0, MAX_STORED_UPCOMING),
  };
  keepIfSpace(localStore, KEY, JSON.stringify(snapshot));
}

function readStored(): Shown | null {
  try {
    const snapshot: Shown | null = JSON.parse(localStore.getItem(KEY) ?? "null");
    // Throws where another version has stored another form.
    return (
      snapshot && {
        ...snapshot,
        saved: [...snapshot.saved],
        late: [...new Map(snapshot.late)],
        upcoming: [...snapshot.upcoming],
      }
    );
  } catch {
    return null;
  }
}
