import type { SidebarSettings } from "../../../src/wire/models.ts";
import type { State } from "../state/model/model.ts";
import { sidebarSettings } from "./sidebar-items.ts";
import { store } from "./store.ts";
import { showError } from "./toasts.ts";

/** Changes that wait for the request in flight, and those in it. */
let waiting: Partial<SidebarSettings> = {};
let sending: Partial<SidebarSettings> = {};
let saving = Promise.resolve();

/** Changes the sidebar at once, and saves the change, with one request at a time. */
export function arrangeSidebar(change: Partial<SidebarSettings>): void {
  waiting = { ...waiting, ...change };
  saving = saving.then(saveArrangement).catch(showError);
  void store.change(
    (state) => withSidebar(state, change),
    () => saving,
  );
}

function withSidebar(state: State, change: Partial<SidebarSettings>): State {
  const { me } = state;
  return me ? { ...state, me: { ...me, sidebar: { ...me.sidebar, ...change } } } : state;
}

/** Changes made during a request are saved together in the next one. */
async function saveArrangement(): Promise<void> {
  sending = waiting;
  waiting = {};
  if (Object.keys(sending).length === 0) return;
  await store.call("PATCH /api/auth/me", { body: { sidebar: sending } }).finally(() => {
    sending = {};
  });
}

// Leaving the page drops waiting changes, and may abort the request in flight.
addEventListener("pagehide", () => {
  const sidebar = { ...sending, ...waiting };
  if (Object.keys(sidebar).length === 0) return;
  store.call("PATCH /api/auth/me", { body: { sidebar } }, { keepalive: true }).catch(() => {});
});

/** Expands or collapses a section that is not one of the reader's own. */
export function toggleBuiltIn(name: string): void {
  const { collapsed } = sidebarSettings.value;
  const others = collapsed.filter((section) => section !== name);
  arrangeSidebar({ collapsed: others.length < collapsed.length ? others : [...collapsed, name] });
}
