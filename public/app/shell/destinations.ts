import { CircleUser, Compass, type IconNode, MessagesSquare, Settings2 } from "lucide";
import { news } from "../session/sidebar.ts";
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
  /** The number of mentions, and whether anything else is new. */
  news?(): { mentions: number; isUnread: boolean };
};

/** Every screen beside the rooms themselves, in the order of the sidebar and of the bar. */
export const DESTINATIONS: Destination[] = [
  {
    href: "/",
    icon: MessagesSquare,
    words: () => t("shell.rooms"),
    sidebar: null,
    isInBar: true,
    isOpen: ({ name }) => name === "room" || name === "home",
    news: () => news.value,
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
  {
    href: "/profile",
    icon: CircleUser,
    words: () => t("bar.you"),
    sidebar: null,
    isInBar: true,
    isOpen: ({ name }) => name === "profile",
  },
];

/** The destinations of one place that the reader may see. */
export function listDestinations(place: "head" | "foot" | "bar"): Destination[] {
  return DESTINATIONS.filter(
    (one) => (place === "bar" ? one.isInBar : one.sidebar === place) && (one.isShown?.() ?? true),
  );
}
