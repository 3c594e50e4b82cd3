import { signal } from "@preact/signals";
import type { MyRoom } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { wrote } from "../state/model.ts";

/** The id of the message that is being edited. */
export const editing = signal<string | null>(null);

/** Edits the reader's last message. @returns false if the loaded messages have none of theirs */
export function editLast(room: MyRoom): boolean {
  const me = store.me.value;
  const last = store.state.value.views[room.id]?.messages.findLast((m) => wrote(me, m));
  if (last) editing.value = last.id;
  return last !== undefined;
}
