import { Pencil } from "lucide";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { Switch } from "../parts/field.tsx";
import { notifyOfReplies } from "../session/membership-actions.ts";
import { openPersonMenu } from "../people/open-person-menu.ts";
import { setNotifications } from "../session/muting.ts";
import { NotifySelect } from "../session/notify-select.tsx";
import { navigateTo } from "../session/navigation.ts";
import { openDialog } from "../session/overlay.ts";
import { Avatar, nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import {
  type Conversation,
  type DirectRoom,
  partnersOf,
  type RoomConversation,
} from "../state/model/conversation.ts";
import type { User } from "../../../src/wire/models.ts";
import { isMuted } from "../state/model/unread.ts";
import { getDateFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";

/** What a room or a direct conversation is about, and which of its messages notify the reader. */
export function AboutConversation({ room }: { room: Conversation }) {
  return (
    <div class="panel-sections stack gap-16">
      {room.kind === "room" ? <RoomFacts room={room} /> : <DirectFacts room={room} />}
      {(room.kind === "room" || room.direct.kind !== "self") && (
        <div class="ending">
          {room.kind === "room" ? <NotifyRoom room={room} /> : <NotifyField room={room} />}
        </div>
      )}
    </div>
  );
}

function RoomFacts({ room }: { room: RoomConversation }) {
  const { description, owner, created_at, privacy, membership } = room;
  const isInCharge = membership !== null && membership.role !== "member";
  return (
    <dl class="facts stack gap-12">
      <Fact term={t("create.topic")}>
        <span class="topic grow" dir="auto">
          {description ?? <span class="muted">{t("room.no-description")}</span>}
        </span>
        {isInCharge && !room.is_archived && (
          <IconButton
            icon={Pencil}
            label={t(description ? "room.edit-topic" : "timeline.add-topic")}
            onClick={() => navigateTo(`${location.pathname}?panel=settings`, true)}
          />
        )}
      </Fact>
      <Fact term={t("create.who")}>{t(privacy === "open" ? "create.open" : "create.private")}</Fact>
      <Fact term={t("room.owner")}>
        <PersonButton user={owner} />
      </Fact>
      <Created at={created_at} />
    </dl>
  );
}

function DirectFacts({ room: { direct, created_at } }: { room: DirectRoom }) {
  if (direct.kind === "self") return <p class="muted">{t("direct.notes-start")}</p>;
  return (
    <dl class="facts stack gap-12">
      {direct.kind === "pair" && (
        <Fact term={t("direct.with")}>
          {partnersOf(direct, store.me.value?.id).map((user) => (
            <PersonButton key={user.id} user={user} />
          ))}
        </Fact>
      )}
      <Created at={created_at} />
    </dl>
  );
}

function Created({ at }: { at: string }) {
  return (
    <Fact term={t("room.created")}>
      <time dateTime={at}>
        {getDateFormat(currentLocale(), { dateStyle: "long" }).format(new Date(at))}
      </time>
    </Fact>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="muted small">{term}</dt>
      <dd class="row gap-4 words">{children}</dd>
    </div>
  );
}

function PersonButton({ user }: { user: User }) {
  return (
    <button
      type="button"
      class="who control row"
      onClick={({ currentTarget: anchor }) => openDialog({ name: "person", user, anchor })}
      onContextMenu={(event) => openPersonMenu(event, user)}
    >
      <Avatar user={user} size={20} />
      <span class="truncate" dir="auto">
        {nameOf(user)}
      </span>
    </button>
  );
}

/** Which messages of a room notify the reader, and whether all replies in threads do. */
export function NotifyRoom({ room }: { room: RoomConversation }) {
  return (
    <section class="stack">
      <NotifyField room={room} />
      {!isMuted(room.membership) && (
        <Switch
          label={t("notify.replies")}
          checked={room.membership?.thread_push === "all"}
          onChecked={(isAll) => notifyOfReplies(room, isAll)}
        />
      )}
    </section>
  );
}

function NotifyField({ room }: { room: Conversation }) {
  const id = useId();
  return (
    <div class="field">
      <label class="small strong" for={id}>
        {t("room.notify-me")}
      </label>
      <NotifySelect id={id} room={room} onChange={(change) => setNotifications(room, change)} />
    </div>
  );
}
