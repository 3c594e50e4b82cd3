import type { UpdateMe } from "../../../src/wire/requests.ts";
import { store } from "../session/store.ts";

/** Updates the reader's account. Other tabs receive `me_updated`. */
export async function updateMe(body: UpdateMe): Promise<void> {
  await store.call("PATCH /api/auth/me", { body });
}
