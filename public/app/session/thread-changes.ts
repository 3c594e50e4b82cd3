import { applyThread } from "../state/dependents.ts";
import { withView } from "../state/model.ts";
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
  const seq = store.state.value.views[id]?.seq;
  const thread = await store.api.call("PATCH /api/messages/:id/thread", { params: { id }, body });
  const view = store.state.value.views[id];
  // An event since the request may be newer than the answer.
  if (!view || view.seq !== seq) return;
  store.state.value = withView(store.state.value, id, applyThread(view, id, thread));
}
