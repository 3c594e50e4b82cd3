import { Bell, BellDot, BellOff, Ellipsis, UserPlus, Users } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { MyRoom, Notify } from "../../../src/wire/models.ts";
import { IconButton } from "../parts/button.tsx";
import { Menu, MenuButton } from "../parts/menu.tsx";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { changeMembership } from "../session/membership.ts";
import { labelOf } from "../parts/place-label.ts";
import { isPrivate, PrivateMark } from "../parts/room-icon.tsx";
import { reportOutcome } from "../session/toasts.ts";
import { navigateTo } from "../session/navigation.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { currentUser, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { type Conversation, type DirectRoom, partnersOf } from "../state/model/conversation.ts";
import { Faces } from "./faces.tsx";
import { t } from "../words/translate.ts";

const AddPeople = rest("AddPeople");
const Confirm = rest("Confirm");
const DirectMenu = quietRest("DirectMenu");
const MakeRoom = rest("MakeRoom");
const PeopleList = rest("PeopleList");

type Shown = "people" | "add" | "room" | "leave" | null;

type HeadProps = { room: Conversation; children: ComponentChildren };

/** The name of a room or the people of a direct conversation, with what can be done there. */
export function ConversationHead({ room, children }: HeadProps) {
  if (room.kind === "direct") {
    return (
      <PaneHead
        title={room.name}
        text={describe(room)}
        mark={<Faces direct={room.direct} size={32} />}
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
    >
      {children}
    </PaneHead>
  );
}

/** The people of a direct conversation, and its menu. */
export function DirectControls({ room }: { room: DirectRoom }) {
  const [shown, show] = useState<Shown>(null);
  const close = () => show(null);
  const { direct } = room;
  const canAdd = mayAdd(room);
  return (
    <>
      {(direct.kind === "group" || canAdd) && (
        <IconButton
          icon={direct.kind === "group" ? Users : UserPlus}
          label={
            direct.kind === "group"
              ? t("members.count", { count: direct.members.length })
              : t("direct.add")
          }
          onClick={() => show(direct.kind === "group" ? "people" : "add")}
        />
      )}
      <MenuButton
        icon={Ellipsis}
        label={t("direct.actions")}
        list={(anchor, onClose) => (
          <DirectMenu room={room} show={show} anchor={anchor} onClose={onClose} />
        )}
      />
      {shown === "people" && (
        <PeopleList
          direct={direct}
          onAdd={canAdd ? () => show("add") : undefined}
          onClose={close}
        />
      )}
      {shown === "add" && <AddPeople room={room} onClose={close} />}
      {shown === "room" && <MakeRoom room={room} onClose={close} />}
      {shown === "leave" && (
        <Confirm
          title={t("direct.leave-title")}
          text={t("direct.leave-text")}
          action={t("direct.leave")}
          onClose={close}
          onConfirm={async () => {
            await store.call("POST /api/direct/:id/leave", { params: { id: room.id } });
            navigateTo("/direct");
          }}
        />
      )}
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

/** Why nothing can be written. */
export function describeEnd({ direct }: DirectRoom): string {
  const [partner] = partnersOf(direct, store.me.value?.id);
  if (direct.kind === "group" || !partner) return t("direct.all-left");
  return t("direct.deactivated", { name: nameOf(partner) });
}

const CHOICES = ["all", "mentions", "none"] as const satisfies Notify[];
const ICONS = { all: Bell, mentions: BellDot, none: BellOff };

/** Which messages of this room notify the user. */
export function NotifyMenu({ room }: { room: MyRoom }) {
  const now = room.membership?.notify ?? "all";
  const hasReplies = room.membership?.thread_push === "all";
  const toggleReplies = () =>
    reportOutcome(changeMembership(room.id, { thread_push: hasReplies ? "followed" : "all" }), () =>
      t(hasReplies ? "notify.replies-off" : "notify.replies-on", { room: room.name }),
    );
  const replies = { label: t("notify.replies"), checked: hasReplies, isSwitch: true };
  return (
    <Menu
      icon={ICONS[now]}
      label={t("notify.title")}
      items={[
        ...CHOICES.map((notify) => ({
          label: t(`notify.${notify}`),
          checked: notify === now,
          onSelect: () =>
            reportOutcome(changeMembership(room.id, { notify }), () =>
              t(`notify.${notify}-done`, { room: room.name }),
            ),
        })),
        ...(now === "none" ? [] : [{ ...replies, onSelect: toggleReplies }]),
      ]}
    />
  );
}
