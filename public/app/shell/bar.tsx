import { CircleUser, House, Search } from "lucide";
import { route } from "../session/navigation.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { Icon } from "../parts/icon.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { news } from "../session/sidebar-items.ts";
import { ACTIVITY, type Destination } from "./destinations.tsx";
import { t } from "../words/translate.ts";

const MessageSwipes = quietRest("MessageSwipes");

const HOME: Destination = {
  href: "/",
  icon: House,
  words: () => t("bar.home"),
  isOpen: ({ name }) => name === "home",
  news: () => news.value,
};
const SEARCH: Destination = {
  href: "/search",
  icon: Search,
  words: () => t("bar.search"),
  isOpen: ({ name }) => name === "search",
};
const YOU: Destination = {
  href: "/you",
  icon: CircleUser,
  words: () => t("bar.you"),
  isOpen: ({ name }) => name === "you" || name === "profile" || name === "admin",
};
const SCREENS = [HOME, ACTIVITY, SEARCH, YOU];

type BarProps = { shell: { current: HTMLElement | null } };

/**
 * The bar at the bottom of a phone's screen, which hides when the keyboard opens, and its swipes.
 */
export function Bar({ shell }: BarProps) {
  // The screens that are not in the bar belong to Home.
  const open = SCREENS.find(({ isOpen }) => isOpen(route.value)) ?? HOME;
  return (
    <>
      <MessageSwipes shell={shell} />
      <nav class="bar flex" aria-label={t("bar.label")}>
        {SCREENS.map(({ href, icon, words, isOpen, news }) => (
          <a
            key={href}
            href={href}
            aria-current={isOpen(route.value) ? "page" : undefined}
            class={`grid grow muted tiny ${href === open.href ? "here" : ""}`}
          >
            <span class="bar-icon grid relative">
              <Icon of={icon} />
              {news && <UnreadBadge {...news()} />}
            </span>
            {words()}
          </a>
        ))}
      </nav>
    </>
  );
}
