import { Bell, BellDot, BellOff, Ellipsis, Search, UserPlus, Users } from "lucide";
import type { ComponentChildren, ComponentProps } from "preact";
import type { MyRoom } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { getRest, quietRest, requestRest } from "../parts/load-rest.tsx";
import { labelOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import { openDialog } from "../session/overlay.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { currentUser, nameOf } from "../session/person.tsx";
import { describeMute } from "../session/row-signs.tsx";
import { store } from "../session/store.ts";
import { type Conversation, type DirectRoom, partnersOf } from "../state/model/conversation.ts";
import { Faces } from "../session/faces.tsx";
import { t } from "../words/translate.ts";

const ConversationMenu = quietRest("ConversationMenu");
const NotifyMenuList = quietRest("NotifyMenuList");

type HeadProps = { room: Conversation; children: ComponentChildren } & Pick<
  ComponentProps<typeof PaneHead>,
  "door"
>;

/** The name of a room or the people of a direct conversation, with its actions. */
export function ConversationHead({ room, door, children }: HeadProps) {
  if (room.kind === "direct") {
    return (
      <PaneHead
        title={room.name}
        text={describe(room)}
        mark={<Faces direct={room.direct} size={32} />}
        door={door}
      >
        {children}
      </PaneHead>
    );
  }
  return (
    <PaneHead
      title={isPrivate(room) ? room.name : labelOf(room)}
      text={room.description}
      mark={isPrivate(room) && <PrivateMark />}
      door={door}
    >
      {children}
    </PaneHead>
  );
}

type ControlsProps = { room: DirectRoom; members: { isOpen: boolean; onToggle(): void } };

export function DirectControls({ room, members }: ControlsProps) {
  const { direct } = room;
  const canAdd = mayAdd(room);
  const isPhone = useMedia(PHONE);
  return (
    <>
      <SearchHere room={room} />
      {!isPhone && direct.kind === "group" && (
        <IconButton
          icon={Users}
          label={t("members.count", { count: direct.members.length })}
          pressed={members.isOpen}
          onClick={members.onToggle}
        />
      )}
      {!isPhone && direct.kind !== "group" && canAdd && (
        <IconButton
          icon={UserPlus}
          label={t("direct.add")}
          onClick={() => openDialog({ name: "add-people", room })}
        />
      )}
      <MenuButton
        icon={Ellipsis}
        label={t("direct.actions")}
        list={(anchor, onClose) => (
          <ConversationMenu room={room} isOnScreen anchor={anchor} onClose={onClose} />
        )}
      />
    </>
  );
}

/** Nobody can be added to notes or to a closed conversation. */
const mayAdd = ({ direct, is_archived }: DirectRoom) => direct.kind !== "self" && !is_archived;

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
export function SearchHere({ room }: { room: Conversation }) {
  if (room.kind === "direct" && room.direct.kind === "group") return null;
  const search = async () => {
    await requestRest();
    getRest()?.searchHere();
  };
  return <IconButton icon={Search} label={t("room.search")} onClick={() => void search()} />;
}

const ICONS = { all: Bell, mentions: BellDot, none: BellOff };

export function NotifyMenu({ room }: { room: MyRoom }) {
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
