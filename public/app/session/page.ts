import { effect, untracked } from "@preact/signals";
import { readPerson } from "../state/store/signed-in-person.ts";
import { t } from "../words/translate.ts";
import { background, screenTitle } from "./navigation.ts";
import { news } from "./sidebar-items.ts";
import { readMarks, storage, store } from "./store.ts";
import { showToast } from "./toasts.ts";

/**
 * Reloads the page when another person signs in, so that nothing of the previous person stays in
 * memory.
 */
export function watchPerson(): void {
  let before: string | undefined;
  effect(() => {
    const id = store.phase.value === "signed-in" ? store.me.value?.id : undefined;
    if (!id) return;
    // Deferred, because the sign-in has yet to set the address.
    if (before !== undefined && before !== id) setTimeout(() => location.reload());
    before = id;
  });
}

/**
 * Leaves the room while the page is hidden, reconnects when it is visible again, and saves the
 * state after changes.
 */
export function watchPage(): void {
  const onVisibility = () => {
    store.sync.setHidden(document.hidden);
    if (document.hidden) readMarks.flush();
    else store.reconnectNow();
  };
  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  for (const change of ["online", "offline"]) addEventListener(change, () => store.reconnectNow());
  addEventListener("pagehide", () => {
    store.outbox?.pause();
    store.stored.abort();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    const me = store.me.value;
    if (me && readPerson(storage) !== me.id) {
      // The person has signed out since then. Hide the page before it reloads, which may take long.
      document.body.hidden = true;
      location.reload();
      return;
    }
    store.outbox?.unpause();
    store.reconnectNow();
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

/**
 * Shows the room's name, and whether there are unread messages, in the title and on the app's icon.
 */
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
    // A sign-in page at a room's address must not show the room's name.
    const isIn = store.phase.value === "signed-in";
    const place = isIn && current.name === "room" ? `#${current.room}` : screenTitle.value;
    document.title = place ? `${mark}${place} · ${name}` : mark + name;
  });
}

/**
 * Sets `--keyboard` to the height of the part of the page that a phone's keyboard covers, in
 * browsers that do not resize the page for it (Safari); elsewhere it is 0.
 */
export function watchKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const setHeight = () => {
    // Pinch zoom also shrinks the viewport.
    const isZoomed = view.scale > 1.01;
    const covered = isZoomed ? 0 : Math.max(0, Math.round(innerHeight - view.height));
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
    // Safari scrolls the page up to show the focused field, which is visible without that.
    if (covered > 0) scrollTo(0, 0);
  };
  view.addEventListener("resize", setHeight);
  view.addEventListener("scroll", setHeight);
}
