import { computed, effect } from "@preact/signals";
import { roomByName } from "../state/model.ts";
import { keeping, kept, keptMarks, MARKS_KEY, SHOWN_KEY } from "./keeping.ts";
import { background } from "./navigation.ts";
import { store } from "./store.ts";
import { keepIfSpace, localStore } from "../connection/storage.ts";

/** Few are on the screen that opens; an id has 36 characters. */
const MAX_STORED_MARKS = 500;

/** The id of the room or conversation that is open. */
const openPlace = computed(() => {
  const here = background.value.route;
  if (here.name === "direct") return here.id;
  return here.name === "room" ? roomByName(store.state.value, here.room)?.id : undefined;
});

const planned = computed(() => {
  const scheduled = keeping.value?.scheduled.items.value;
  return scheduled ? [...scheduled.values()] : null;
});

/** My messages that were sent later than scheduled, with the scheduled time. */
export const lateMessages = computed((): ReadonlyMap<string, string> => {
  return new Map(
    (planned.value ?? []).flatMap(({ message_id, sent_late, send_at }) =>
      message_id && sent_late ? [[message_id, send_at]] : [],
    ),
  );
});

/** Keeps the numbers of the sidebar and the marks of messages up to date. */
export function countKept(): void {
  effect(updateMarks);
  effect(() => {
    const saved = keeping.value?.saved.items.value;
    if (!saved || !planned.value) return;
    const states = planned.value.map(({ state }) => state);
    // A draft in the open room is visible there.
    const drafts = keeping.value?.drafts.entries.value.filter(
      ({ roomId }) => roomId !== openPlace.value,
    );
    const count = (drafts?.length ?? 0) + states.filter((state) => state !== "sent").length;
    const failed = states.filter((state) => state === "failed").length;
    const due = keeping.value?.due.value ?? 0;
    kept.value = { saved: saved.size > 0, drafts: count > 0, count, due, failed };
    const shown = [saved.size && "saved", count && "drafts"].join(" ");
    keepIfSpace(localStore, SHOWN_KEY, shown);
  });
}

/** In an effect of its own: the numbers change with each key of a draft. */
function updateMarks(): void {
  const saved = keeping.value?.saved.items.value;
  if (!saved || !planned.value) return;
  const marks = [...saved.keys(), ...lateMessages.value.keys()];
  keptMarks.value = new Set(marks);
  // If there is no space, rows move once when the page is opened next.
  keepIfSpace(localStore, MARKS_KEY, marks.slice(0, MAX_STORED_MARKS).join(" "));
}
