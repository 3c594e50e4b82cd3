import { computed, effect, signal } from "@preact/signals";
import type { SidebarSettings } from "../../../src/wire/models.ts";
import { countUnreadThreads } from "../state/model/follows.ts";
import { directList, roomList } from "../state/model/model.ts";
import { readNews } from "../state/model/unread.ts";
import {
  type SidebarItem,
  sumNews,
  toDirectItem,
  toSidebarItem,
} from "../state/sidebar/sidebar-sections.ts";
import { nameOfDirect } from "./direct.ts";
import { keptNews } from "./kept-lists.ts";
import { store } from "./store.ts";
import { deviceDrafts } from "./write-draft.ts";

/** Changes that are not confirmed yet; `arrange.ts` saves them. */
export const unsaved = signal<Partial<SidebarSettings>>({});
export const unsavedPins = signal<Record<string, boolean>>({});

/** It changes less often than the state. */
const conversations = computed(() => store.state.value.conversations);
const rooms = computed(() => conversations.value && roomList(store.state.peek()));
const directs = computed(() => conversations.value && directList(store.state.peek()));

/** How the list of rooms is arranged, on all devices. */
export const sidebarSettings = computed((): SidebarSettings => {
  const saved = store.me.value?.sidebar;
  return { sort: "name", collapsed: ["archived"], order: [], ...saved, ...unsaved.value };
});

/** All lines of the sidebar, in no order. */
export const sidebarItems = computed((): SidebarItem[] =>
  (rooms.value ?? []).map((room) => withPin(toSidebarItem(room))),
);

/** The sections that the reader has made, with the changes that are not saved yet. */
export const ownSections = computed(() => store.sections.shown.value ?? []);
const idsInSections = computed(
  () => new Set(ownSections.value.flatMap(({ room_ids }) => room_ids)),
);

/** Whether a room or conversation is in one of the reader's own sections. */
export const isInSection = (id: string) => idsInSections.value.has(id);

/** The conversations that are in one of the reader's own sections. */
export const directItems = computed((): SidebarItem[] =>
  (directs.value ?? [])
    .filter(({ id }) => isInSection(id))
    .map((room) => toDirectItem(room, nameOfDirect(room.direct))),
);

/** What is unread in all lines: for the title, the app's icon, the bar and the menu button. */
export const news = computed(() => sumNews([listNews.value, directNews.value]));
/** What is unread in the list of rooms and the lines above it. */
export const listNews = computed(() => sumNews([roomNews.value, threadNews.value, keptNews.value]));
const roomNews = computed(() => sumNews(sidebarItems.value));
/** How many threads that I follow are unread. */
export const threadNews = computed(() => {
  const mentions = countUnreadThreads(store.state.value.follows);
  return { mentions, isUnread: mentions > 0 };
});
/** Unread messages in conversations that are not muted. */
export const directNews = computed(() =>
  sumNews((directs.value ?? []).map(({ membership }) => readNews(membership))),
);

function withPin(item: SidebarItem): SidebarItem {
  const pinned = unsavedPins.value[item.id];
  if (pinned === undefined || pinned === (item.pinnedAt !== null)) return item;
  return { ...item, pinnedAt: pinned ? new Date().toISOString() : null };
}

/** The ids of rooms with a draft in this browser. */
export const draftRooms = signal<ReadonlySet<string>>(new Set());

/** Keeps `draftRooms` up to date. */
export function watchDrafts(): void {
  effect(() => {
    const drafts = deviceDrafts.value;
    const refresh = () => {
      const draftKeys = drafts.keys().filter((key) => drafts.read(key).here.content !== "");
      // The key of a thread's draft begins with its room.
      const ids = new Set(draftKeys.map((key) => key.split(".")[0] ?? ""));
      const isSame = ids.size === draftRooms.peek().size && ids.isSubsetOf(draftRooms.peek());
      if (!isSame) draftRooms.value = ids;
    };
    refresh();
    return drafts.watch(refresh);
  });
}
