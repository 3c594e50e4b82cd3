import type { MyRoom, SidebarSettings } from "../../../src/wire/models.ts";
import { sidebarSettings, unsaved, unsavedPins } from "./sidebar-items.ts";
import { changeMembership } from "./membership.ts";
import { store } from "./store.ts";
import { showError } from "./toasts.ts";

let saving = Promise.resolve();

/** Changes the arrangement: at once here, then on the service, one change after the other. */
export function arrangeSidebar(change: Partial<SidebarSettings>): void {
  unsaved.value = { ...unsaved.value, ...change };
  saving = saving.then(saveArrangement);
}

async function saveArrangement(): Promise<void> {
  const sidebar = unsaved.value;
  if (Object.keys(sidebar).length === 0) return;
  try {
    await store.call("PATCH /api/auth/me", { body: { sidebar } });
  } catch (error) {
    showError(error);
  }
  // Changes that were made meanwhile are saved together by the next call.
  if (unsaved.value === sidebar) unsaved.value = {};
}

// Closing or reloading the page drops the calls that wait, and may abort the one under way.
addEventListener("pagehide", () => {
  const sidebar = unsaved.value;
  if (Object.keys(sidebar).length === 0) return;
  store.call("PATCH /api/auth/me", { body: { sidebar } }, { keepalive: true }).catch(() => {});
});

/** Adds a room to the favourites or removes it: at once here, then on the service. */
export async function pinRoom(room: MyRoom, pinned: boolean): Promise<void> {
  unsavedPins.value = { ...unsavedPins.value, [room.id]: pinned };
  try {
    await changeMembership(room.id, { pinned });
  } catch (error) {
    showError(error);
  }
  const { [room.id]: _, ...others } = unsavedPins.value;
  unsavedPins.value = others;
}

/** Opens or closes a section that is not one of the reader's own. */
export function toggleBuiltIn(name: string): void {
  const { collapsed } = sidebarSettings.value;
  const others = collapsed.filter((section) => section !== name);
  arrangeSidebar({ collapsed: others.length < collapsed.length ? others : [...collapsed, name] });
}
