import { ArrowLeft, X } from "lucide";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { useEscape } from "../parts/escape.ts";
import { quietRest, requestRest } from "../parts/load-rest.tsx";
import { LEFT_AND_RIGHT, moveFocus } from "../parts/move-focus.ts";
import { titleOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { SkeletonList } from "../parts/skeleton.tsx";
import { ONE_PANE } from "../parts/use-media.ts";
import { navigateTo, panel } from "../session/navigation.ts";
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

const PanelContent = quietRest("PanelContent", () => (
  <div class="panel-body" aria-busy="true">
    <SkeletonList />
  </div>
));

export type PanelProps = {
  room: Conversation;
  view: RoomView;
  tab: PanelTab;
  /** Gets the focus when a panel closes that was not opened by the reader. */
  fallback: RefObject<HTMLElement | null>;
  onClose(): void;
};

/** A conversation's panel: its title and tabs are there from the first frame. */
export function RoomPanel(props: PanelProps) {
  const { room, tab, onClose } = props;
  const aside = useRef<HTMLElement>(null);
  // From inside, or from elsewhere if nothing has the focus.
  useEscape(
    (target) =>
      (target === document.body && panel.value !== null) ||
      (target instanceof Node && aside.current?.contains(target)),
    onClose,
  );
  useEffect(() => {
    // The room below it is not the first thing to read.
    if (matchMedia(ONE_PANE).matches) void requestRest();
  }, []);
  return (
    <aside ref={aside} class="room-panel rigid" aria-label={t(`panel.${tab}`)}>
      <header class="pane-head border-bottom">
        <IconButton
          icon={ArrowLeft}
          label={t("panel.close")}
          class="only-phone"
          onClick={onClose}
        />
        {isPrivate(room) && <PrivateMark />}
        <div class="titles grow">
          <h2 class="truncate" dir="auto" title={room.name}>
            {titleOf(room)}
          </h2>
        </div>
        <IconButton icon={X} label={t("panel.close")} class="not-on-phone" onClick={onClose} />
      </header>
      <Tabs room={room} tab={tab} />
      <PanelContent {...props} aside={aside} />
    </aside>
  );
}

function Tabs({ room, tab }: { room: Conversation; tab: PanelTab }) {
  const choose = (next: PanelTab) =>
    navigateTo(`${location.pathname}?panel=${next}`, panel.value !== null);
  return (
    <div
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
