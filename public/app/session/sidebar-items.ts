import { computed } from "@preact/signals";
import type { SidebarSettings } from "../../../src/wire/models.ts";
import { countUnreadThreads } from "../state/model/follows.ts";
import { directList, roomList } from "../state/model/model.ts";
import { shownDirects } from "../state/conversations/directs.ts";
import { readNews } from "../state/model/unread.ts";
import { type SidebarItem, sumNews, toSidebarItem } from "../state/sidebar/sidebar-sections.ts";
import { withName } from "./direct.ts";
import { personalNews } from "./personal-signals.ts";
import { store } from "./store.ts";
import { getRest, requestRest } from "../parts/load-rest.tsx";
import type { Section } from "../../../src/wire/sections.ts";

/** Memoized, because it changes less often than the state. */
const conversations = computed(() => store.state.value.conversations);
const rooms = computed(() => conversations.value && roomList(store.state.peek()));
const directs = computed(() => conversations.value && directList(store.state.peek()));

/** The arrangement of the sidebar, the same on all devices. */
export const sidebarSettings = computed((): SidebarSettings => {
  return { sort: "name", collapsed: ["archived"], order: [], ...store.me.value?.sidebar };
});

export const sidebarItems = computed((): SidebarItem[] => (rooms.value ?? []).map(toSidebarItem));

export const ownSections = computed(() => savedSections.value?.sections ?? []);
const savedSections = computed(() => store.state.value.personal.sections);
const idsInSections = computed(
  () => new Set(ownSections.value.flatMap(({ room_ids }) => room_ids)),
);

export const isInSection = (id: string) => idsInSections.value.has(id);

/** The direct conversations of the sidebar. @param openId as for `shownDirects` */
export function listDirectItems(openId: string | null): SidebarItem[] {
  const shown = shownDirects(store.state.value, openId, Date.now());
  return [
    ...shown,
    ...(directs.value ?? []).filter((room) => isInSection(room.id) && !shown.includes(room)),
  ].map((room) => toSidebarItem(withName(room)));
}

/** The unread total of all rows, for the title, the app's icon, the bar and the menu button. */
export const news = computed(() => sumNews([listNews.value, directNews.value]));
/** The unread total of the rooms and the rows above them. */
const listNews = computed(() => sumNews([roomNews.value, threadNews.value, personalNews.value]));
const roomNews = computed(() => sumNews(sidebarItems.value));
/** The number of followed threads with unread replies. */
export const threadNews = computed(() => {
  const mentions = countUnreadThreads(store.state.value.threads);
  return { mentions, isUnread: mentions > 0 };
});
/** The unread messages of conversations that are not muted. */
const directNews = computed(() =>
  sumNews((directs.value ?? []).map(({ membership }) => readNews(membership))),
);

/** A section of the sidebar, as its heading shows it. */
export type ShownSection = {
  /** The name of a built-in section, or the id of one of the reader's own. */
  key: string;
  own: Section | null;
  isCollapsed: boolean;
};

/** Expands or collapses a section of the sidebar, once the code that saves this is loaded. */
export async function toggleSection(section: ShownSection): Promise<void> {
  await requestRest();
  getRest()?.saveToggledSection(section);
}
