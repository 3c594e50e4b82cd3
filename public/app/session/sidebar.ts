import { computed, effect, signal } from "@preact/signals";
import type { MyRoom, SidebarSettings } from "../../../src/wire/models.ts";
import { draftKey } from "../state/drafts.ts";
import { type SidebarItem, sumNews, toSidebarItem } from "../state/sidebar.ts";
import { background } from "./navigation.ts";
import { storage, store } from "./store.ts";
import { showError } from "./toasts.ts";

/** What was changed here and is not confirmed yet. */
const unsaved = signal<Partial<SidebarSettings>>({});
const unsavedPins = signal<Record<string, boolean>>({});
let saving = Promise.resolve();

const rooms = computed(() => store.state.value.rooms);

/** How the list of rooms is arranged, on all devices. */
export const sidebarSettings = computed((): SidebarSettings => {
  const saved = store.me.value?.sidebar;
  return { sort: "name", collapsed: ["archived"], order: [], ...saved, ...unsaved.value };
});

/** All lines of the sidebar, in no order. */
export const sidebarItems = computed((): SidebarItem[] =>
  Object.values(rooms.value ?? {}).map((room) => withPin(toSidebarItem(room))),
);

/** What is new in all of them: the numbers of the title, the app's icon, the bar and the menu button. */
export const news = computed(() => sumNews(sidebarItems.value));

function withPin(item: SidebarItem): SidebarItem {
  const pinned = unsavedPins.value[item.id];
  if (pinned === undefined || pinned === (item.pinnedAt !== null)) return item;
  return { ...item, pinnedAt: pinned ? new Date().toISOString() : null };
}

/** Changes the arrangement: at once here, then on the service, one change after the other. */
export function arrangeSidebar(change: Partial<SidebarSettings>): void {
  unsaved.value = { ...unsaved.value, ...change };
  saving = saving.then(saveArrangement);
}

async function saveArrangement(): Promise<void> {
  const sidebar = unsaved.value;
  if (Object.keys(sidebar).length === 0) return;
  try {
    store.keepMe(await store.api.call("PATCH /api/auth/me", { body: { sidebar } }));
  } catch (error) {
    showError(error);
  }
  // What was changed meanwhile is saved by the next call, together with this.
  if (unsaved.value === sidebar) unsaved.value = {};
}

/** Makes a room a favourite, or no longer one: at once here, then on the service. */
export async function pinRoom(room: MyRoom, pinned: boolean): Promise<void> {
  unsavedPins.value = { ...unsavedPins.value, [room.id]: pinned };
  try {
    const input = { params: { id: room.id }, body: { pinned } };
    store.keepRoom(await store.api.call("PATCH /api/rooms/:id/membership", input));
  } catch (error) {
    showError(error);
  }
  const { [room.id]: _, ...others } = unsavedPins.value;
  unsavedPins.value = others;
}

/** The ids of rooms with something that was written in this browser and not sent. */
export const draftRooms = signal<ReadonlySet<string>>(new Set());

/** Keeps `draftRooms` up to date: with each navigation, and with what other tabs write. */
export function watchDrafts(): void {
  const refresh = () => {
    const prefix = draftKey(store.me.value?.id ?? "", "");
    const keys = storage.keys().filter((key) => key.startsWith(prefix));
    const ids = new Set(keys.map((key) => key.slice(prefix.length)));
    const isSame = ids.size === draftRooms.peek().size && ids.isSubsetOf(draftRooms.peek());
    if (!isSame) draftRooms.value = ids;
  };
  effect(() => {
    void background.value;
    refresh();
  });
  storage.watch(refresh);
}
