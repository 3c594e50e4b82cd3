import { effect, untracked } from "@preact/signals";
import { readPerson } from "../state/store/signed-in-person.ts";
import { t } from "../words/translate.ts";
import { background, screenTitle } from "./navigation.ts";
import { news } from "./sidebar-items.ts";
import { deletions, readMarks, storage, store } from "./store.ts";
import { showToast } from "./toasts.ts";

/** Loads the page again when it has shown another person: what it remembers of them is gone then. */
export function watchPerson(): void {
  let before: string | undefined;
  effect(() => {
    const id = store.phase.value === "signed-in" ? store.me.value?.id : undefined;
    if (!id) return;
    // Later: the sign-in is still choosing the address.
    if (before !== undefined && before !== id) setTimeout(() => location.reload());
    before = id;
  });
}

/** Leaves the room while the page is hidden, reconnects when it is back, and saves the state after changes. */
export function watchPage(): void {
  const onVisibility = () => {
    store.sync.setHidden(document.hidden);
    if (document.hidden) readMarks.flush();
    else store.hurry();
  };
  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  for (const change of ["online", "offline"]) addEventListener(change, () => store.hurry());
  addEventListener("pagehide", () => {
    store.outbox?.pause();
    deletions.flush();
    store.stored.abort();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    const me = store.me.value;
    if (me && readPerson(storage) !== me.id) {
      // Its person has signed out since: nothing of them is shown until the service is asked, which may take long.
      document.body.hidden = true;
      location.reload();
      return;
    }
    store.outbox?.unpause();
    store.hurry();
  });
  effect(() => {
    void store.state.value;
    store.stored.saveSoon();
  });
  effect(() => {
    if (store.missing.value === 0) return;
    // The effect must not depend on the toasts, which showToast reads.
    untracked(() => showToast(t("timeline.missing")));
  });
}

/** Shows the room, and whether there is something unread, in the title and on the app's icon. */
export function watchTitle(): void {
  effect(() => {
    const current = background.value.route;
    const { mentions, isUnread } = news.value;
    const mark = mentions > 0 ? `(${mentions}) ` : isUnread ? "• " : "";
    // The badge counts mentions and direct messages; unread messages alone are a dot.
    if (mentions > 0) void navigator.setAppBadge?.(mentions).catch(() => {});
    else if (isUnread) void navigator.setAppBadge?.().catch(() => {});
    else void navigator.clearAppBadge?.().catch(() => {});
    const name = store.team.value?.name ?? "Snug";
    // A sign-in at the address of a room shows nobody its name.
    const isIn = store.phase.value === "signed-in";
    const place = isIn && (current.name === "room" ? `#${current.room}` : screenTitle.value);
    document.title = place ? `${mark}${place} · ${name}` : mark + name;
  });
}
