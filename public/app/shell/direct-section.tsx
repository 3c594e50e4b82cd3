import { ChevronDown, ChevronRight, SquarePen } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { nameOfDirect, openDirectWith } from "../session/direct.ts";
import { background } from "../session/navigation.ts";
import { isInSection, sidebarSettings, toggleSection } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { shownDirects } from "../state/conversations/directs.ts";
import { toDirectItem } from "../state/sidebar/sidebar-sections.ts";
import { t } from "../words/translate.ts";
import { ConversationRow } from "./sidebar-row.tsx";

/**
 * How many of the most recently active conversations are shown, besides those that are unread,
 * pinned or open.
 */
const MAX_RECENT = 8;

/** The key under which the section is stored as collapsed. */
const KEY = "direct";

/** The conversations in the sidebar. Its heading leads to all of them. */
export function DirectSection() {
  const here = background.value.route;
  const openId = here.name === "direct" ? here.id : null;
  const isCollapsed = sidebarSettings.value.collapsed.includes(KEY);
  const conversations = shownDirects(store.state.value, openId, Date.now());
  const directs = conversations
    .filter(({ id }) => !isInSection(id))
    .filter(
      ({ id, membership }, i) =>
        id === openId ||
        membership?.unread ||
        (!isCollapsed && (i < MAX_RECENT || membership?.pinned_at != null)),
    );
  const section = useRef<HTMLElement>(null);
  const hasOpen = directs.some(({ id }) => id === openId);
  useEffect(() => {
    const row = section.current?.querySelector('[aria-current="page"]');
    row?.scrollIntoView({ block: "nearest" });
  }, [openId, hasOpen]);
  const isEmpty = store.state.value.conversations !== null && conversations.length === 0;
  return (
    <section ref={section} class="directs" data-section={KEY} aria-label={t("direct.title")}>
      <div class="section-head flex sticky rounded">
        <IconButton
          icon={isCollapsed ? ChevronRight : ChevronDown}
          label={t("direct.title")}
          class="section-toggle reach"
          expanded={!isCollapsed}
          onClick={() => void toggleSection({ key: KEY, own: null, isCollapsed })}
        />
        <h2 class="grow small">
          <a
            class="section-name control row muted strong rounded full"
            href="/direct"
            aria-current={openId === "" ? "page" : undefined}
          >
            {t("direct.title")}
          </a>
        </h2>
      </div>
      <ul>
        {directs.map((room, i) => (
          <ConversationRow
            key={room.id}
            item={toDirectItem(room, nameOfDirect(room.direct))}
            isOpen={room.id === openId}
            isTabStop={hasOpen ? room.id === openId : i === 0}
          />
        ))}
      </ul>
      {isEmpty && !isCollapsed && (
        <button
          type="button"
          class="room-link control rounded muted full"
          onClick={() => openDirectWith([])}
        >
          <Icon of={SquarePen} />
          {t("direct.notes-begin")}
        </button>
      )}
    </section>
  );
}
