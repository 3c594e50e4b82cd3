import { CircleUser, MessageCircle, MessagesSquare, Search } from "lucide";
import { isDrawerOpen, route } from "../session/navigation.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { Icon } from "../parts/icon.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { directNews, listNews } from "../session/sidebar-items.ts";
import { type Destination, listDestinations } from "./destinations.ts";
import { useDrawerSwipes } from "./use-sidebar-drawer.ts";
import { t } from "../words/translate.ts";

const MessageSwipes = quietRest("MessageSwipes");

const ROOMS: Destination = {
  href: "/",
  icon: MessagesSquare,
  words: () => t("shell.rooms"),
  sidebar: null,
  isInBar: true,
  isOpen: ({ name }) => name === "room" || name === "home",
  news: () => listNews.value,
};
const SEARCH: Destination = {
  href: "/search",
  icon: Search,
  words: () => t("bar.search"),
  sidebar: null,
  isInBar: true,
  isOpen: ({ name }) => name === "search",
};
const DIRECT: Destination = {
  href: "/direct",
  icon: MessageCircle,
  words: () => t("direct.tab"),
  sidebar: null,
  isInBar: true,
  isOpen: ({ name }) => name === "direct",
  news: () => directNews.value,
};
const YOU: Destination = {
  href: "/profile",
  icon: CircleUser,
  words: () => t("bar.you"),
  sidebar: null,
  isInBar: true,
  isOpen: ({ name }) => name === "profile",
};

type BarProps = { shell: { current: HTMLElement | null } };

/** The bar at the lower edge of a phone, which makes room for the keyboard; and swipes. */
export function Bar({ shell }: BarProps) {
  useDrawerSwipes(shell);
  return (
    <>
      <MessageSwipes shell={shell} />
      <nav class="bar" aria-label={t("bar.label")}>
        {[ROOMS, DIRECT, ...listDestinations("bar"), SEARCH, YOU].map((destination) => (
          <BarLink key={destination.href} {...destination} />
        ))}
      </nav>
    </>
  );
}

function BarLink({ href, icon, words, isOpen, news }: Destination) {
  // The list of rooms has no address of its own: it is above the open screen.
  const isList = href === ROOMS.href;
  const isHere = isList ? isDrawerOpen.value : !isDrawerOpen.value && isOpen(route.value);
  return (
    <a
      href={href}
      aria-current={!isList && isHere ? "page" : undefined}
      aria-expanded={isList ? isHere : undefined}
      class={isHere || (isList && isOpen(route.value)) ? "here" : ""}
      onClick={(event) => {
        if (!isList || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        isDrawerOpen.value = !isDrawerOpen.value;
      }}
    >
      <span class="bar-icon">
        <Icon of={icon} />
        {news && <UnreadBadge {...news()} />}
      </span>
      {words()}
    </a>
  );
}
