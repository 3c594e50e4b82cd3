import { SquarePen } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { background } from "../session/navigation.ts";
import { openDirectWith } from "../session/direct.ts";
import { overlay } from "../session/overlay.ts";
import { isInSection } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { shownDirects } from "../state/conversations/directs.ts";
import { DirectRow } from "./direct-row.tsx";
import { t } from "../words/translate.ts";

/** The last active conversations that are shown; of the others those that are unread, pinned or open. */
const MAX_RECENT = 8;

/** The conversations in the sidebar. Its heading leads to all of them. */
export function DirectSection() {
  const here = background.value.route;
  const openId = here.name === "direct" ? here.id : null;
  const conversations = shownDirects(store.state.value, openId, Date.now());
  const directs = conversations
    .filter(({ id }) => !isInSection(id))
    .filter(
      ({ id, membership }, i) =>
        i < MAX_RECENT || id === openId || membership?.unread || membership?.pinned_at != null,
    );
  const section = useRef<HTMLElement>(null);
  const hasOpen = directs.some(({ id }) => id === openId);
  useEffect(() => {
    const row = section.current?.querySelector('[aria-current="page"]');
    row?.scrollIntoView({ block: "nearest" });
  }, [openId, hasOpen]);
  const isEmpty = store.state.value.conversations !== null && conversations.length === 0;
  return (
    <section ref={section} class="directs" data-section="direct" aria-label={t("direct.title")}>
      <div class="section-head">
        <h2>
          <a href="/direct">{t("direct.title")}</a>
        </h2>
        <IconButton
          icon={SquarePen}
          label={t("direct.new-key")}
          onClick={() => {
            overlay.value = { name: "new-message" };
          }}
        />
      </div>
      <ul>
        {directs.map((room, i) => (
          <DirectRow
            key={room.id}
            room={room}
            isOpen={room.id === openId}
            isTabStop={hasOpen ? room.id === openId : i === 0}
            isMovable
          />
        ))}
      </ul>
      {isEmpty && (
        <button type="button" class="room-link muted" onClick={() => openDirectWith([])}>
          {t("direct.notes-begin")}
        </button>
      )}
    </section>
  );
}
