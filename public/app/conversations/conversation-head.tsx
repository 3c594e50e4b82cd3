import { Bell, BellDot, BellOff, Ellipsis, Search, Settings, UserPlus, Users } from "lucide";
import type { ComponentChildren, ComponentProps, RefObject } from "preact";
import { toPlainText } from "../../../src/wire/markdown/plain.ts";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { getRest, quietRest, requestRest } from "../parts/load-rest.tsx";
import { titleOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { openDialog } from "../session/overlay.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { currentUser, nameOf } from "../session/person.tsx";
import { describeMute } from "../session/row-signs.tsx";
import { store } from "../session/store.ts";
import { type Conversation, type DirectRoom, partnersOf } from "../state/model/conversation.ts";
import { Faces } from "../session/faces.tsx";
import { type PanelTab, tabsOf } from "./room-panel.tsx";
import { t } from "../words/translate.ts";

const ConversationMenu = quietRest("ConversationMenu");
const NotifyMenuList = quietRest("NotifyMenuList");

type HeadProps = { room: Conversation; children: ComponentChildren } & Pick<
  ComponentProps<typeof PaneHead>,
  "door"
>;

/** The name of a room or the people of a direct conversation, with its actions. */
export function ConversationHead({ room, door, children }: HeadProps) {
  const isDirect = room.kind === "direct";
  return (
    <PaneHead
      title={titleOf(room)}
      text={isDirect ? describe(room) : toPlainText(room.description ?? "")}
      mark={
        isDirect ? <Faces direct={room.direct} size={32} /> : isPrivate(room) && <PrivateMark />
      }
      door={door}
    >
      {children}
    </PaneHead>
  );
}

type ControlsProps = {
  room: Conversation;
  tab: PanelTab | null;
  onToggle(tab: PanelTab): void;
  membersButton: RefObject<HTMLSpanElement | null>;
};

/** The search, and what else is done with a room or a direct conversation. */
export function ConversationControls({ room, tab, onToggle, membersButton }: ControlsProps) {
  const isPhone = useMedia(PHONE);
  const direct = room.kind === "direct" ? room : null;
  return (
    <>
      <SearchHere room={room} />
      {!isPhone && tabsOf(room).includes("members") && (
        <span ref={membersButton}>
          <IconButton
            icon={Users}
            label={t("members.count", { count: room.member_count })}
            pressed={tab === "members"}
            onClick={() => onToggle("members")}
          />
        </span>
      )}
      {!isPhone && direct?.direct.kind === "pair" && !room.is_archived && (
        <IconButton
          icon={UserPlus}
          label={t("direct.add")}
          onClick={() => openDialog({ name: "add-people", room: direct })}
        />
      )}
      {direct ? (
        <MenuButton
          icon={Ellipsis}
          label={t("direct.actions")}
          list={(anchor, onClose) => (
            <ConversationMenu room={direct} isOnScreen anchor={anchor} onClose={onClose} />
          )}
        />
      ) : (
        <NotifyMenu room={room} />
      )}
      {!isPhone && !direct && (
        <IconButton
          icon={Settings}
          label={t("room.settings")}
          pressed={tab === "settings"}
          onClick={() => onToggle("settings")}
        />
      )}
    </>
  );
}

function describe({ direct }: DirectRoom): string | null {
  if (direct.kind === "self") return t("direct.notes-text");
  if (direct.kind === "group") return t("direct.people", { count: direct.members.length });
  const [partner] = partnersOf(direct, store.me.value?.id);
  const status = direct.members.find(({ user }) => user.id === partner?.id)?.status;
  if (!partner || !status) return null;
  const state = currentUser(partner).is_active ? t(status) : t("person.deactivated");
  return `@${partner.username} · ${state}`;
}

/** Why nobody can post here. */
export function describeEnd({ direct }: DirectRoom): string {
  const [partner] = partnersOf(direct, store.me.value?.id);
  if (direct.kind === "group" || !partner) return t("direct.all-left");
  return t("direct.deactivated", { name: nameOf(partner) });
}

/** Searches the room or conversation. No filter names a group. */
function SearchHere({ room }: { room: Conversation }) {
  if (room.kind === "direct" && room.direct.kind === "group") return null;
  const search = async () => {
    await requestRest();
    getRest()?.searchHere();
  };
  return <IconButton icon={Search} label={t("room.search")} onClick={() => void search()} />;
}

const ICONS = { all: Bell, mentions: BellDot, none: BellOff };

function NotifyMenu({ room }: { room: MyRoom }) {
  const { notify = "all", muted_until } = room.membership ?? {};
  const label = t("notify.title");
  return (
    <MenuButton
      icon={muted_until ? BellOff : ICONS[notify]}
      label={muted_until ? `${label} · ${describeMute(muted_until)}` : label}
      list={(anchor, onClose) => <NotifyMenuList room={room} anchor={anchor} onClose={onClose} />}
    />
  );
}
