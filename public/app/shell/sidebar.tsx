import { Moon, Search } from "lucide";
import type { Me } from "../../../src/wire/models.ts";
import { areListsKnown } from "../session/first-lists.ts";
import { background } from "../session/navigation.ts";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { overlay } from "../session/overlay.ts";
import { pausedUntil } from "../session/pause-notifications.ts";
import { store } from "../session/store.ts";
import { timeOf } from "../parts/times.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { Brand } from "../sign-in/sign-in-page.tsx";
import { type Destination, listDestinations } from "./destinations.ts";
import { RoomList } from "./room-list.tsx";
import { t } from "../words/translate.ts";
import { MAX_WIDTH, MIN_WIDTH, resizeSidebar, sidebarWidth } from "../parts/sidebar-width.ts";

/** The list of rooms, with fixed parts above and below it. */
export function Sidebar({ inert }: { inert: boolean }) {
  const me = store.me.value;
  return (
    <aside class="sidebar" aria-label={t("shell.rooms")} inert={inert}>
      <header>
        <Brand />
        <IconButton
          icon={Search}
          label={t("shell.go-to")}
          onClick={() => {
            overlay.value = { name: "switcher" };
          }}
        />
      </header>
      <Destinations place="head" />
      {areListsKnown.value ? (
        <RoomList />
      ) : (
        <div class="rooms-ahead" aria-busy="true">
          <div class="skeleton room-skeleton" />
        </div>
      )}
      <footer>
        <Destinations place="foot" />
        {me && (
          <a class="me-button row" href="/profile">
            <span class="visually-hidden">{t("shell.profile")} </span>
            <Avatar user={me} size={32} />
            <span class="grow">
              <span class="truncate" dir="auto" style={{ display: "block" }}>
                {nameOf(me)}
              </span>
              <Subtitle me={me} />
            </span>
          </a>
        )}
      </footer>
      <SidebarEdge />
    </aside>
  );
}

function Destinations({ place }: { place: "head" | "foot" }) {
  const destinations = listDestinations(place);
  if (destinations.length === 0) return null;
  return (
    <div class="destinations">
      {destinations.map((destination) => (
        <DestinationLink key={destination.href} {...destination} />
      ))}
    </div>
  );
}

function DestinationLink({ href, icon, words, isOpen, count, news }: Destination) {
  return (
    <a
      class="room-link"
      href={href}
      aria-current={isOpen(background.value.route) ? "page" : undefined}
    >
      <Icon of={icon} />
      <span class="grow truncate">{words()}</span>
      {news && <UnreadBadge {...news()} />}
      {count && <span class="muted small">{count() || null}</span>}
    </a>
  );
}

/** The user name, or why others and notifications do not reach the reader now. */
function Subtitle({ me }: { me: Me }) {
  const until = pausedUntil();
  return (
    <span class="muted small truncate own-state">
      {until && <Icon of={Moon} />}
      {until
        ? t("shell.paused", { when: timeOf(until) })
        : me.appear_offline
          ? t("shell.offline")
          : `@${me.username}`}
    </span>
  );
}

const STEP_PX = 16;

/** Resizes the sidebar by dragging or with the arrow keys. A double click resets its width. */
function SidebarEdge() {
  const width = sidebarWidth.value;
  const keys: Record<string, number> = {
    ArrowLeft: width - STEP_PX,
    ArrowRight: width + STEP_PX,
    Home: MIN_WIDTH,
    End: MAX_WIDTH,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule takes neither focus nor keys
    <div
      class="sidebar-edge"
      role="separator"
      tabIndex={0}
      aria-label={t("shell.width")}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onKeyDown={(event) => {
        const next = keys[event.key];
        if (next === undefined) return;
        event.preventDefault();
        resizeSidebar(next);
      }}
      onDblClick={() => resizeSidebar(null)}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const left = currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
        resizeSidebar(clientX - left);
      }}
    />
  );
}
