import { ArrowLeft, X } from "lucide";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { LEFT_AND_RIGHT, moveFocus, UP_AND_DOWN } from "../parts/move-focus.ts";
import { labelOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { useSwipeAway } from "../parts/use-swipe-away.ts";
import { Members } from "../people/members.tsx";
import { PinList } from "../pins/pin-list.tsx";
import { Boundary } from "../session/boundary.tsx";
import { navigateTo, panel } from "../session/navigation.ts";
import type { Conversation, DirectFacts } from "../state/model/conversation.ts";
import type { RoomView } from "../state/model/model.ts";
import { type PanelTab, tabsOf } from "./room-panel.tsx";
import { AboutConversation } from "./about-conversation.tsx";
import { RoomFiles } from "./room-files.tsx";
import { RoomSettings } from "./room-settings.tsx";
import { t } from "../words/translate.ts";
import { openDialog } from "../session/overlay.ts";
import { Avatar, Dot, nameOf } from "../session/person.tsx";

type ContentProps = {
  room: Conversation;
  view: RoomView;
  tab: PanelTab;
  aside: RefObject<HTMLElement | null>;
  onClose(): void;
};

export function PanelContent({ room, view, tab, aside, onClose }: ContentProps) {
  useSwipeAway(aside, onClose);
  const isRoom = room.kind === "room";
  return (
    <>
      <header class="pane-head border-bottom">
        <IconButton
          icon={ArrowLeft}
          label={t("panel.close")}
          class="only-phone"
          onClick={onClose}
        />
        {isRoom && isPrivate(room) && <PrivateMark />}
        <div class="titles grow">
          <h2 class="truncate" dir="auto" title={room.name}>
            {isRoom && isPrivate(room) ? room.name : labelOf(room)}
          </h2>
        </div>
        <IconButton icon={X} label={t("panel.close")} class="not-on-phone" onClick={onClose} />
      </header>
      <Tabs room={room} tab={tab} />
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
    </>
  );
}

function moveAmongRows(event: KeyboardEvent, body: HTMLElement): void {
  moveFocus(event, [...body.querySelectorAll<HTMLElement>("[data-stop]")], UP_AND_DOWN);
}

type BodyProps = Omit<ContentProps, "aside" | "onClose">;

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

function Tabs({ room, tab }: { room: Conversation; tab: PanelTab }) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (next: PanelTab) =>
    navigateTo(`${location.pathname}?panel=${next}`, panel.value !== null);
  useEffect(() => {
    // The focus goes into the panel if the reader opened it, but stays in a text field.
    if (panel.value === null || document.activeElement?.matches("input, textarea")) return;
    list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }, []);
  return (
    <div
      ref={list}
      class="panel-tabs border-bottom flex rigid"
      role="tablist"
      aria-label={t("panel.label")}
      onKeyDown={(event) => {
        const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
        if (moveFocus(event, tabs, LEFT_AND_RIGHT, { wraps: true }))
          (document.activeElement as HTMLElement).click();
      }}
    >
      {tabsOf(room).map((name) => (
        <button
          key={name}
          type="button"
          class="rigid muted small strong"
          role="tab"
          aria-selected={name === tab}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => choose(name)}
        >
          {t(`panel.${name}`)}
        </button>
      ))}
    </div>
  );
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
