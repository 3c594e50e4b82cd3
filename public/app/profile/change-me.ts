import type { UpdateMe } from "../../../src/wire/requests.ts";
import { store } from "../session/store.ts";

/** Changes what is given of one's own account; other tabs follow by `me_updated`. */
export async function changeMe(body: UpdateMe): Promise<void> {
  store.keepMe(await store.api.call("PATCH /api/auth/me", { body }));
}
