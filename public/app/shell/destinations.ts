import {
  Bell,
  Bookmark,
  Compass,
  type IconNode,
  MessageSquareText,
  Pencil,
  Settings2,
} from "lucide";
import { countActivity } from "../state/activity/my-activity.ts";
import { areListsKnown } from "../session/first-lists.ts";
import { kept } from "../session/kept-lists.ts";
import { threadNews } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import type { Route } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** A screen that the sidebar, or the bar of a phone, leads to. */
export type Destination = {
  href: string;
  icon: IconNode;
  words(): string;
  /** Where the sidebar lists it: above the rooms, or below them. */
  sidebar: "head" | "foot" | null;
  isInBar: boolean;
  isOpen(route: Route): boolean;
  /** Absent: for everyone, always. */
  isShown?(): boolean;
  /** A number that nobody has to act on. */
  count?(): number;
  /** The number of mentions, and whether anything else is new. */
  news?(): { mentions: number; isUnread: boolean; label?: string };
};

/**
 * The screens besides the rooms, in their order; the bar has them between the rooms and the
 * profile.
 */
const DESTINATIONS: Destination[] = [
  {
    href: "/activity",
    icon: Bell,
    words: () => t("shell.activity"),
    sidebar: "head",
    isInBar: true,
    isOpen: ({ name }) => name === "activity",
    news() {
      const { mentions, reactions } = countActivity(store.state.value);
      return { mentions, isUnread: reactions > 0 };
    },
  },
  {
    href: "/threads",
    icon: MessageSquareText,
    words: () => t("shell.threads"),
    sidebar: "head",
    isInBar: false,
    isOpen: ({ name }) => name === "threads",
    isShown: () => Object.keys(store.state.value.follows ?? {}).length > 0,
    news: () => countOf(threadNews.value.mentions, "shell.unread-threads"),
  },
  {
    href: "/later",
    icon: Bookmark,
    words: () => t("shell.later"),
    sidebar: "head",
    isInBar: false,
    isOpen: ({ name }) => name === "later",
    isShown: () => kept.value.saved,
    news: () => countOf(kept.value.due, "shell.due"),
  },
  {
    href: "/drafts",
    icon: Pencil,
    words: () => t("shell.drafts"),
    sidebar: "head",
    isInBar: false,
    isOpen: ({ name }) => name === "drafts",
    isShown: () => kept.value.drafts,
    count: () => kept.value.count,
    news: () => countOf(kept.value.failed, "shell.not-sent"),
  },
  {
    href: "/browse",
    icon: Compass,
    words: () => t("shell.browse"),
    sidebar: "foot",
    isInBar: false,
    isOpen: ({ name }) => name === "browse",
  },
  {
    href: "/admin",
    icon: Settings2,
    words: () => t("shell.administration"),
    sidebar: "foot",
    isInBar: false,
    isOpen: ({ name }) => name === "admin",
    isShown: () => store.me.value?.is_site_admin === true,
  },
];

/** A number that the reader should act on, and what it counts. */
function countOf(count: number, key: "shell.due" | "shell.not-sent" | "shell.unread-threads") {
  return { mentions: count, isUnread: false, label: t(key, { count }) };
}

/** The destinations of one place that the reader may see. */
export function listDestinations(place: "head" | "foot" | "bar"): Destination[] {
  return DESTINATIONS.filter(({ isInBar, sidebar, isShown }) => {
    if (place === "bar" ? !isInBar : sidebar !== place) return false;
    // Above the rooms those that depend on lists come at once, with the rooms.
    if (!isShown || (place === "head" && !areListsKnown.value)) return !isShown;
    return isShown();
  });
}
