import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";
import { rememberFocus } from "../parts/return-focus.ts";
import { useSwipeAway } from "../parts/use-swipe-away.ts";
import { Members } from "../people/members.tsx";
import { PinList } from "../pins/pin-list.tsx";
import { Boundary } from "../session/boundary.tsx";
import { background, panel } from "../session/navigation.ts";
import { openDialog } from "../session/overlay.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";
import type { DirectFacts } from "../state/model/conversation.ts";
import { AboutConversation } from "./about-conversation.tsx";
import { RoomFiles } from "./room-files.tsx";
import type { PanelProps, PanelTab } from "./room-panel.tsx";
import { RoomSettings } from "./room-settings.tsx";
import { t } from "../words/translate.ts";

type ContentProps = PanelProps & { aside: RefObject<HTMLElement | null> };

/** The content of the open tab, and the swipes and the focus of the whole panel. */
export function PanelContent({ room, view, tab, aside, fallback, onClose }: ContentProps) {
  useFocus(aside, tab, fallback);
  useSwipeAway(aside, onClose);
  return (
    <div
      key={tab}
      class="panel-body grow scroll"
      role="tabpanel"
      aria-label={t(`panel.${tab}`)}
      onKeyDown={(event) => {
        if (!event.defaultPrevented) moveAmongRows(event, event.currentTarget);
      }}
    >
      <Boundary of={tab}>
        <Body room={room} view={view} tab={tab} />
      </Boundary>
    </div>
  );
}

/**
 * Moves the focus into a panel that the reader opens. Remembers the element that opened a tab, and
 * returns the focus to it when the panel closes.
 */
function useFocus(
  aside: RefObject<HTMLElement | null>,
  tab: PanelTab,
  fallback: RefObject<HTMLElement | null>,
): void {
  const openedTab = useRef<{ tab: PanelTab; returnFocus(): boolean } | null>(null);
  if (openedTab.current?.tab !== tab) {
    const isInside = aside.current?.contains(document.activeElement);
    const returnFocus = (isInside && openedTab.current?.returnFocus) || rememberFocus();
    openedTab.current = { tab, returnFocus };
  }
  useEffect(() => {
    // A page that starts with the panel has no focus yet, as with any other screen.
    const isOpened = panel.value !== null && background.value.visit > 1;
    // It stays in a text field.
    if (!isOpened || document.activeElement?.matches("input, textarea")) return;
    aside.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }, []);
  useLayoutEffect(() => {
    const frame = aside.current;
    return () => {
      const { activeElement, body } = document;
      // If a click elsewhere has moved the focus, it stays there.
      if (activeElement !== body && !frame?.contains(activeElement)) return;
      // The room below is inert until it is rendered.
      queueMicrotask(() => {
        if (!openedTab.current?.returnFocus()) fallback.current?.querySelector("button")?.focus();
      });
    };
  }, []);
}

function moveAmongRows(event: KeyboardEvent, body: HTMLElement): void {
  moveFocus(event, [...body.querySelectorAll<HTMLElement>("[data-stop]")], UP_AND_DOWN);
}

type BodyProps = Pick<ContentProps, "room" | "view" | "tab">;

function Body({ room, view, tab }: BodyProps) {
  if (tab === "pins") return <PinList room={room} />;
  if (tab === "files") return <RoomFiles room={room} />;
  if (tab === "members")
    return room.kind === "room" ? (
      <Members room={room} view={view} />
    ) : (
      <GroupMembers direct={room.direct} />
    );
  if (tab === "settings" && room.kind === "room") return <RoomSettings key={room.id} room={room} />;
  return <AboutConversation room={room} />;
}

function GroupMembers({ direct }: { direct: DirectFacts }) {
  return (
    <ul class="list panel-sections stack gap-16">
      {direct.members.map(({ user, status }) => (
        <li key={user.id}>
          <Avatar user={user} />
          <button
            type="button"
            class="who grow"
            onClick={({ currentTarget: anchor }) => openDialog({ name: "person", user, anchor })}
          >
            <span class="truncate" dir="auto" style={{ display: "block" }}>
              {nameOf(user)}
            </span>
            <span class="muted small">@{user.username}</span>
          </button>
          <Dot status={status} />
        </li>
      ))}
    </ul>
  );
}
