import { effect, signal, untracked } from "@preact/signals";
import { keepTheme, type ShownTheme, showTheme, tintBrowser } from "./parts/palette-style.ts";
import { Deletions } from "./state/deletions.ts";
import { parseRoute, type Route } from "./state/route.ts";
import type { Me, Message } from "../../src/wire/models.ts";
import { toggleReaction } from "./state/react.ts";
import { Store } from "./state/store.ts";
import { indexedDbSnapshots } from "./connection/snapshots.ts";
import { ReadMarks } from "./connection/read-marks.ts";
import { createBrowserStorage } from "./connection/storage.ts";
import { sendFile } from "./connection/upload.ts";
import { Uploads } from "./state/uploads.ts";
import { type Language, languageFor, localeFor } from "./words/language.ts";
import { currentLanguage, t, setLanguage } from "./words/translate.ts";
import { describeError } from "./words/describe-error.ts";

/** What all tabs of this browser share. */
export const storage = createBrowserStorage();

/** The client's one store, and what of the page it needs. */
export const store = new Store({
  fetch: (path, init) => fetch(path, init),
  openSocket: () => new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/chat`),
  storage,
  locks: (navigator as Partial<Navigator>).locks ?? null,
  snapshots: indexedDbSnapshots,
});

/** What was read here, on its way to the service. */
export const readMarks = new ReadMarks(store.api, store.clock);

export type Toast = { id: number; text: string; undo?: () => void };

/** What is said at the bottom for a moment. */
export const toasts = signal<Toast[]>([]);
const TOAST_MS = 5_000;
let toastId = 0;

/** Says something that needs no answer. */
export function toast(text: string, undo?: () => void): void {
  const id = ++toastId;
  toasts.value = [...toasts.value, { id, text, undo }];
  setTimeout(() => closeToast(id), TOAST_MS);
}

export function closeToast(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

export const uploads = new Uploads(store.api, sendFile);
/** What one signed-in person was about to send is not the next one's. */
effect(() => {
  const phase = store.phase.value;
  if (phase === "signed-out" || phase === "replaced") uploads.clear();
});

effect(() => {
  if (store.missing.value === 0) return;
  // What the toasts are is not what this waits for.
  untracked(() => toast(t("talk.missing")));
});

export const deletions = new Deletions(store.api, store.clock, (error) =>
  toast(describeError(error)),
);

/** Puts an emoji on a message, or takes it back. */
export async function react(message: Message, emoji: string): Promise<void> {
  await toggleReaction(store.api, store.state, message, emoji).catch((error: unknown) =>
    toast(describeError(error)),
  );
}

/** Where we are. */
export const route = signal<Route>(parseRoute(location.pathname, location.hash));
/** What a dialog that has an address of its own stands over, and where one goes back to. */
export const behind = signal<{ route: Route; path: string }>({
  route: { name: "home" },
  path: "/",
});
/** On a phone: whether the list of rooms is out. */
export const drawer = signal(false);

/** Goes to an address of ours. */
export function go(path: string, replace = false): void {
  if (path !== location.pathname + location.hash) {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
  }
  onMoved();
}

function onMoved(): void {
  drawer.value = false;
  const here = parseRoute(location.pathname, location.hash);
  if (here.name !== "profile") behind.value = { route: here, path: location.pathname };
  route.value = here;
}

/** Follows links and the browser's own buttons, without loading the page again. */
export function watchAddress(): void {
  onMoved();
  addEventListener("popstate", onMoved);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey) return;
    if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return;
    const link = event.target.closest("a");
    if (!link || link.origin !== location.origin || link.target || link.download) return;
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}

/** The page leaves its room while it is not looked at, and hurries when it is again. */
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
    deletions.flush();
    void store.keepSnapshot();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    void store.state.value;
    clearTimeout(timer);
    timer = setTimeout(() => void store.keepSnapshot(), KEEP_MS);
  });
}

const LANGUAGE_KEY = "snug.language";
/** The language that was chosen in this browser; null follows the browser's own. */
export const chosenLanguage = signal(localStorage.getItem(LANGUAGE_KEY));

export function chooseLanguage(name: Language | null): void {
  if (name) localStorage.setItem(LANGUAGE_KEY, name);
  else localStorage.removeItem(LANGUAGE_KEY);
  chosenLanguage.value = name;
}

/**
 * Speaks the reader's language, now and when another is chosen, here or in another tab.
 * @returns once the first words are here; English ones at once
 */
export async function watchLanguage(): Promise<void> {
  let first: Promise<void> | undefined;
  const follow = () => {
    const next = languageFor(chosenLanguage.value, navigator.languages);
    const spoken = setLanguage(next, localeFor(next, navigator.languages));
    first ??= spoken;
    // What cannot be loaded leaves the words as they are.
    spoken.catch(() => {});
  };
  effect(() => follow());
  effect(() => {
    document.documentElement.lang = currentLanguage();
  });
  addEventListener("languagechange", follow);
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === LANGUAGE_KEY) chosenLanguage.value = newValue;
  });
  await first?.catch(() => {});
}
/** After so long without a change the state is kept: not with every letter that someone types. */
const KEEP_MS = 1_000;

/** Shows the theme of the one who is here; until that is known, the first paint's stays. */
export function watchTheme(): void {
  tintBrowser("theme" in document.documentElement.dataset);
  effect(() => {
    const me = store.me.value;
    if (!me) return;
    const shown = me.follows_system ? null : themeOf(me);
    showTheme(shown);
    keepTheme(shown);
    tintBrowser(shown !== null);
  });
}

function themeOf({ theme, active_custom_theme: own }: Me): ShownTheme {
  return { theme, colors: own?.colors ?? null, isDark: own?.is_dark ?? true };
}

/** The word in the tab: where we are, and whether there is something new. */
export function watchTitle(): void {
  effect(() => {
    const here = behind.value.route;
    const rooms = Object.values(store.state.value.rooms ?? {});
    const mentions = rooms.reduce(
      (sum, { membership }) => sum + (membership?.mention_count ?? 0),
      0,
    );
    const unread = rooms.some(({ membership }) => membership?.unread);
    const mark = mentions > 0 ? `(${mentions}) ` : unread ? "• " : "";
    // On the icon of the installed app: what is for me counts, the rest is a dot.
    if (mentions > 0) void navigator.setAppBadge?.(mentions).catch(() => {});
    else if (unread) void navigator.setAppBadge?.().catch(() => {});
    else void navigator.clearAppBadge?.().catch(() => {});
    document.title = here.name === "room" ? `${mark}#${here.room} · Snug` : `${mark}Snug`;
  });
}
