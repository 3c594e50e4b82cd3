import { keeping } from "./kept-lists.ts";
import { store } from "./store.ts";
import { reportOutcome, showError } from "./toasts.ts";
import { t } from "../words/translate.ts";

/** Whether I have saved a message and not marked it done; false until this is loaded. */
export const isSaved = (id: string) => keeping.value?.saved.items.value?.has(id) === true;

/** Saves a message for later, or removes it from the saved ones, with undo. */
export function toggleSaved(id: string): void {
  const was = isSaved(id);
  reportOutcome(
    was ? unsaveMessage(id) : saveMessage(id, {}),
    () => t(was ? "later.is-removed" : "later.is-saved"),
    () => void (was ? saveMessage(id, {}) : unsaveMessage(id)).catch(showError),
  );
}

/**
 * Saves a message for later, or changes its note and reminder. Shown at once; if it fails, reverted
 * with a toast.
 */
export async function saveMessage(
  messageId: string,
  body: { note?: string | null; remind_at?: string | null },
): Promise<void> {
  const call = store.call("PUT /api/saved/:message_id", {
    params: { message_id: messageId },
    body,
  });
  await change(
    messageId,
    true,
    call.then(() => true),
  );
}

/** Removes a message from the saved ones. Shown at once; if it fails, reverted with a toast. */
export async function unsaveMessage(messageId: string): Promise<void> {
  const input = { params: { message_id: messageId } };
  const call = store.call("DELETE /api/saved/:message_id", input);
  await change(
    messageId,
    null,
    call.then(() => null),
  );
}

/** Marks a saved message done. Shown at once; if it fails, reverted with a toast. */
export async function finishMessage(messageId: string): Promise<void> {
  const input = { params: { message_id: messageId } };
  const call = store.call("POST /api/saved/:message_id/done", input);
  await change(
    messageId,
    null,
    call.then(() => null),
  );
}

function change(id: string, optimistic: true | null, call: Promise<true | null>): Promise<unknown> {
  return keeping.value ? keeping.value.saved.change(id, optimistic, call) : call;
}
