import { Icon } from "../parts/icon.tsx";
import { background } from "../session/navigation.ts";
import { SidebarRow } from "./sidebar-row.tsx";
import { Bell, Bookmark, Compass, type IconNode, MessageSquareText, Pencil } from "lucide";
import { countActivity } from "../state/personal/personal.ts";
import { areListsLoaded, personalCounts } from "../session/personal-signals.ts";
import { threadNews } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import type { Route } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** A screen that the sidebar or the bar of a phone links to. */
export type Destination = {
  href: string;
  icon: IconNode;
  words(): string;
  isOpen(route: Route): boolean;
  /** If absent, it is always shown to everyone. */
  isShown?(): boolean;
  /** A number that needs no action. */
  count?(): number;
  /** The number of mentions, and whether anything else is new. */
  news?(): { mentions: number; isUnread: boolean; label?: string };
};

export const ACTIVITY: Destination = {
  href: "/activity",
  icon: Bell,
  words: () => t("shell.activity"),
  isOpen: ({ name }) => name === "activity",
  news() {
    const { mentions, reactions } = countActivity(store.state.value);
    return { mentions, isUnread: reactions > 0 };
  },
};

export const BROWSE: Destination = {
  href: "/browse",
  icon: Compass,
  words: () => t("shell.browse"),
  isOpen: ({ name }) => name === "browse",
};

/** The links above the rooms, in order. */
const DESTINATIONS: Destination[] = [
  ACTIVITY,
  {
    href: "/threads",
    icon: MessageSquareText,
    words: () => t("shell.threads"),
    isOpen: ({ name }) => name === "threads",
    isShown: () => Object.keys(store.state.value.threads ?? {}).length > 0,
    news: () => countOf(threadNews.value.mentions, "shell.unread-threads"),
  },
  {
    href: "/later",
    icon: Bookmark,
    words: () => t("shell.later"),
    isOpen: ({ name }) => name === "later",
    isShown: () => personalCounts.value.saved,
    news: () => countOf(personalCounts.value.due, "shell.due"),
  },
  {
    href: "/drafts",
    icon: Pencil,
    words: () => t("shell.drafts"),
    isOpen: ({ name }) => name === "drafts",
    isShown: () => personalCounts.value.drafts,
    count: () => personalCounts.value.count,
    news: () => countOf(personalCounts.value.failed, "shell.not-sent"),
  },
];

/** A number that needs action, and what it counts. */
function countOf(count: number, key: "shell.due" | "shell.not-sent" | "shell.unread-threads") {
  return { mentions: count, isUnread: false, label: t(key, { count }) };
}

/**
 * The links that the reader may see. Those shown only with content appear together with the rooms.
 */
function listDestinations(): Destination[] {
  return DESTINATIONS.filter(({ isShown }) => !isShown || (areListsLoaded.value && isShown()));
}

/** The links above the rooms: activity, threads, saved messages and drafts. */
export function Destinations() {
  return (
    <ul class="destinations">
      {listDestinations().map((destination) => (
        <DestinationRow key={destination.href} of={destination} />
      ))}
    </ul>
  );
}

export function DestinationRow({ of: { href, icon, words, isOpen, count, news } }: RowProps) {
  return (
    <SidebarRow
      href={href}
      icon={<Icon of={icon} />}
      name={words()}
      isOpen={isOpen(background.value.route)}
      news={news?.()}
      count={count?.()}
    />
  );
}
type RowProps = { of: Destination };
