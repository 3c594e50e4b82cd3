import { FolderInput } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { askToLeaveRoom, pinConversation } from "../session/membership-actions.ts";
import { navigateTo } from "../session/navigation.ts";
import { askToConfirm, type DialogProps, openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { Details } from "../parts/details.tsx";
import { Boundary } from "../session/boundary.tsx";
import { Select, Switch } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazy } from "../parts/load-chunk.tsx";
import { useForm } from "../parts/use-action.ts";
import type { RoomConversation } from "../state/model/conversation.ts";
import { wasConversation } from "../state/model/former-conversation.ts";
import { conversationById } from "../state/model/model.ts";
import { placePath, roomPath } from "../state/route.ts";
import { NotifyRoom } from "./about-conversation.tsx";
import { RoomFields, toBody } from "./create-room.tsx";
import { t } from "../words/translate.ts";

const IncomingWebhooks = lazy("webhooks/incoming/incoming-webhooks.tsx", "IncomingWebhooks");
const OutgoingWebhooks = lazy("webhooks/outgoing/outgoing-webhooks.tsx", "OutgoingWebhooks");

/**
 * Settings of a room, in groups: for everyone what it is for them alone, for its owner and admins
 * what it is, and the end. Webhooks are folded: a sixth tab would be wider than the panel.
 */
export function RoomSettings({ room }: { room: RoomConversation }) {
  const role = room.membership?.role ?? "member";
  return (
    <div class="panel-sections stack gap-16">
      <OwnSettings room={room} />
      {role !== "member" && (
        <>
          <Fields room={room} />
          <Webhooks room={room} />
        </>
      )}
      {role === "owner" ? (
        <DeletionChoice room={room} />
      ) : (
        <DangerAction
          title={t("room.leave")}
          text={t(room.privacy === "open" ? "room.leave-open" : "room.leave-private")}
          onAsk={() => askToLeaveRoom(room)}
        />
      )}
    </div>
  );
}

/** What only the reader sees of a room: its notifications, and its place in their sidebar. */
function OwnSettings({ room }: { room: RoomConversation }) {
  const { id, membership, is_archived } = room;
  return (
    <section class="stack">
      <h3>{t("room.for-you")}</h3>
      <NotifyRoom room={room} />
      {!is_archived && (
        <>
          <Switch
            label={t("room.favourite")}
            checked={membership?.pinned_at != null}
            onChecked={(isPinned) => pinConversation(room, isPinned)}
          />
          <div>
            <Button onClick={() => openDialog({ name: "move-to-section", roomId: id })}>
              <Icon of={FolderInput} />
              {t("sections.move-to")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** Links to the settings in the panel of a room. */
export function ToRoomSettings({ roomId, onClose }: DialogProps<"room-settings">) {
  const room = conversationById(store.state.value, roomId);
  useEffect(() => {
    onClose();
    if (room) navigateTo(`${placePath(room)}?panel=settings`);
  }, []);
  return null;
}

/** A room that was a conversation cannot be deleted: only the heading and the reason are shown. */
function DeletionChoice({ room }: { room: MyRoom }) {
  const isRefused = wasConversation(room);
  const reason = t(isRefused ? "room.no-delete-text" : "room.delete-text");
  return (
    <DangerAction
      title={t(isRefused ? "room.leave" : "room.delete")}
      text={`${reason} ${t("room.owner-stays")}`}
      onAsk={isRefused ? undefined : () => askToDelete(room)}
    />
  );
}

function Fields({ room }: { room: MyRoom }) {
  const { id, name, privacy, pinning, threads } = room;
  const { values, action, field, isChanged } = useForm({
    name,
    description: room.description ?? "",
    privacy,
    pinning,
    threads,
  });
  const submit = async () => {
    const response = await store.call("PATCH /api/rooms/:id", {
      params: { id },
      body: toBody(values),
    });
    if (response.name !== name) navigateTo(`${roomPath(response.name)}?panel=settings`, true);
    showToast(t("room.saved"));
  };
  return (
    <Form class="ending" action={action} submit={t("save")} disabled={!isChanged} onSubmit={submit}>
      <h3>{t("room.name-and-access")}</h3>
      <RoomFields field={field} isPrivacyFixed={wasConversation(room)} />
      {wasConversation(room) && <p class="muted small">{t("room.was-conversation")}</p>}
      <h3>{t("search.messages")}</h3>
      <Select
        label={t("pin.setting")}
        options={[
          ["members", t("pin.members")],
          ["admins", t("pin.admins")],
        ]}
        {...field("pinning")}
      />
      <Select
        label={t("shell.threads")}
        options={[
          ["on", t("room.threads-on")],
          ["off", t("room.threads-off")],
        ]}
        {...field("threads")}
      />
    </Form>
  );
}

function Webhooks({ room }: { room: MyRoom }) {
  const [isOpen] = useState(() => location.hash.includes("webhooks"));
  return (
    <div class="ending">
      <Details summary={<b>{t("room.webhooks")}</b>} open={isOpen}>
        <Boundary>
          <IncomingWebhooks room={room} />
        </Boundary>
        <Boundary>
          <OutgoingWebhooks room={room} />
        </Boundary>
      </Details>
    </div>
  );
}

/** Asks for the room's name before the room and its messages are deleted. */
function askToDelete({ id, name }: MyRoom): void {
  askToConfirm({
    title: t("room.delete-title", { room: name }),
    text: t("room.delete-text"),
    action: t("room.delete"),
    word: name,
    onConfirm: async () => {
      await store.call("DELETE /api/rooms/:id", { params: { id } });
      navigateTo("/");
    },
  });
}

type DangerActionProps = { title: string; text: string; onAsk: (() => void) | undefined };

/** Explains what leaving or deleting the room means; has a button only if it is possible. */
function DangerAction({ title, text, onAsk }: DangerActionProps) {
  return (
    <section class="ending stack">
      <h3>{title}</h3>
      <p class="muted small">{text}</p>
      {onAsk && (
        <div>
          <Button kind="danger" onClick={onAsk}>
            {title}
          </Button>
        </div>
      )}
    </section>
  );
}
