import { savedIds } from "./personal-signals.ts";
import { withSaved } from "../state/personal/personal.ts";
import { store } from "./store.ts";
import { reportOutcome, showError } from "./toasts.ts";
import { t } from "../words/translate.ts";

/** Whether I have saved a message and not marked it done; false until this is loaded. */
export const isSaved = (id: string) => savedIds.value.has(id);

/** Saves a message for later, or removes it from the saved messages, with undo. */
export function toggleSaved(id: string): void {
  const was = isSaved(id);
  reportOutcome(
    was ? unsaveMessage(id) : saveMessage(id, {}),
    () => t(was ? "later.is-removed" : "later.mark"),
    () => void (was ? saveMessage(id, {}) : unsaveMessage(id)).catch(showError),
  );
}

/**
 * Saves a message for later, or changes its note and reminder, before the service has confirmed it.
 * @throws ApiError
 */
export async function saveMessage(
  message_id: string,
  body: { note?: string | null; remind_at?: string | null },
): Promise<void> {
  const input = { params: { message_id }, body };
  await showSaved(message_id, true, () => store.call("PUT /api/saved/:message_id", input));
}

/**
 * Removes a message from the saved messages, before the service has confirmed it.
 * @throws ApiError
 */
export async function unsaveMessage(message_id: string): Promise<void> {
  const input = { params: { message_id } };
  await showSaved(message_id, false, () => store.call("DELETE /api/saved/:message_id", input));
}

/**
 * Marks a saved message as done, before the service has confirmed it.
 * @throws ApiError
 */
export async function finishMessage(message_id: string): Promise<void> {
  const input = { params: { message_id } };
  await showSaved(message_id, false, () => store.call("POST /api/saved/:message_id/done", input));
}

function showSaved(id: string, isSaved: boolean, work: () => Promise<unknown>): Promise<unknown> {
  return store.change((state) => withSaved(state, id, isSaved), work);
}
