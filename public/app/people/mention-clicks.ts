import type { User } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { describeError } from "../words/describe-error.ts";

/** Opens the card of a person whose mention in a message is clicked. */
export function watchMentions(): void {
  document.addEventListener("click", ({ target }) => {
    const anchor = target instanceof Element ? target.closest(".content .mention") : null;
    const username = anchor?.textContent?.replace(/^@/, "").toLowerCase();
    if (!anchor || !username || getSelection()?.isCollapsed === false) return;
    findByUsername(username).then(
      (user) => {
        if (user) overlay.value = { name: "person", user, anchor };
      },
      (error: unknown) => showToast(describeError(error)),
    );
  });
}

/** A person by username; undefined for `@room` and `@here`. */
async function findByUsername(username: string): Promise<User | undefined> {
  const isNamed = (user: User) => user.username.toLowerCase() === username;
  const loaded = Object.values(store.state.peek().users).find(isNamed);
  if (loaded) return loaded;
  const { items } = await store.call("GET /api/users", { query: { query: username, limit: 20 } });
  return items.find(isNamed);
}
