import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useEscape } from "../parts/escape.ts";
import { quietRest } from "../parts/load-rest.tsx";
import { rememberFocus } from "../parts/return-focus.ts";
import { panel } from "../session/navigation.ts";
import type { Conversation } from "../state/model/conversation.ts";
import type { RoomView } from "../state/model/model.ts";
import { t } from "../words/translate.ts";

const TABS = ["about", "members", "pins", "files", "settings"] as const;
/** A tab of the panel beside a room or a direct conversation, as in `panel` of the address. */
export type PanelTab = (typeof TABS)[number];

/** The tabs that apply: a conversation has no settings, and members only if it is a group. */
export function tabsOf(room: Conversation): PanelTab[] {
  return TABS.filter((tab) => {
    if (room.kind === "room") return true;
    return tab !== "settings" && (tab !== "members" || room.direct.kind === "group");
  });
}

/** The tab in an address; null if the address names no tab of this conversation. */
export function tabOf(name: string | null, room: Conversation): PanelTab | null {
  return tabsOf(room).find((tab) => tab === name) ?? null;
}

const PanelContent = quietRest("PanelContent");

type PanelProps = {
  room: Conversation;
  view: RoomView;
  tab: PanelTab;
  /** Gets the focus when a panel closes that was not opened by the reader. */
  fallback: RefObject<HTMLElement | null>;
  onClose(): void;
};

/** The space for a conversation's panel, reserved from the first frame. */
export function RoomPanel({ room, view, tab, fallback, onClose }: PanelProps) {
  const aside = useRef<HTMLElement>(null);
  useFocus(aside, tab, fallback);
  // From inside, or from elsewhere if nothing has the focus.
  useEscape(
    (target) =>
      (target === document.body && panel.value !== null) ||
      (target instanceof Node && aside.current?.contains(target)),
    onClose,
  );
  return (
    <aside ref={aside} class="room-panel rigid" aria-label={t(`panel.${tab}`)}>
      <PanelContent room={room} view={view} tab={tab} aside={aside} onClose={onClose} />
    </aside>
  );
}

/** Remembers the element that opened a tab, and returns the focus to it when the panel closes. */
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
  useLayoutEffect(
    () => () => {
      const { activeElement, body } = document;
      // If a click elsewhere has moved the focus, it stays there.
      if (activeElement !== body && !aside.current?.contains(activeElement)) return;
      // The room below is inert until it is rendered.
      queueMicrotask(() => {
        if (!openedTab.current?.returnFocus()) fallback.current?.querySelector("button")?.focus();
      });
    },
    [],
  );
}
