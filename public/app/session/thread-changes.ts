import { store } from "./store.ts";
import { showError } from "./toasts.ts";

/** Marks a thread done, or open again; the change arrives as an event, too. */
export async function markThreadDone(id: string, isDone: boolean): Promise<void> {
  try {
    await changeThread(id, { is_resolved: isDone });
  } catch (error) {
    showError(error);
  }
}

/** Changes a thread. @throws ApiError */
export async function changeThread(
  id: string,
  body: { title?: string | null; is_resolved?: boolean },
): Promise<void> {
  await store.call("PATCH /api/messages/:id/thread", { params: { id }, body });
}
