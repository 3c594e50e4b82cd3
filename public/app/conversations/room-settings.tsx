import { useEffect, useState } from "preact/hooks";
import type { MyRoom } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import type { DialogProps } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Boundary } from "../session/boundary.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useAction } from "../parts/use-action.ts";
import { wasConversation } from "../state/model/former-conversation.ts";
import { conversationById } from "../state/model/model.ts";
import { roomPath } from "../state/route.ts";
import { type RoomDetails, RoomFields, toBody } from "./create-room.tsx";
import { nameOf } from "../session/person.tsx";
import { t } from "../words/translate.ts";

const IncomingWebhooks = lazy("webhooks", () =>
  import("../webhooks/sections.ts").then((m) => m.IncomingWebhooks),
);
const OutgoingWebhooks = lazy("webhooks", () =>
  import("../webhooks/sections.ts").then((m) => m.OutgoingWebhooks),
);

type SettingsProps = { room: MyRoom; onClose(): void };

/** Settings of a room for its owner and admins; everyone else can leave it here. */
export function RoomSettings({ roomId, onClose }: DialogProps<"room-settings">) {
  const room = conversationById(store.state.value, roomId);
  const isGone = room?.kind !== "room";
  // Someone may remove the reader while it is open.
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone]);
  return isGone ? null : <Settings room={room} onClose={onClose} />;
}

function Settings({ room, onClose }: SettingsProps) {
  const [asking, setAsking] = useState<"leave" | "delete" | null>(null);
  const role = room.membership?.role ?? "member";
  if (asking === "leave") return <LeaveRoom room={room} onClose={onClose} />;
  if (asking === "delete") return <DeleteRoom room={room} onClose={onClose} />;
  return (
    <Dialog title={`#${room.name}`} onClose={onClose}>
      {role === "member" ? (
        <>
          <p dir="auto">{room.description ?? t("room.no-description")}</p>
          <p class="muted small">{t("room.owned-by", { name: nameOf(room.owner) })}</p>
        </>
      ) : (
        <Fields room={room} onClose={onClose} />
      )}
      {role !== "member" && (
        <>
          <Boundary>
            <IncomingWebhooks room={room} />
          </Boundary>
          <Boundary>
            <OutgoingWebhooks room={room} />
          </Boundary>
        </>
      )}
      <section class="webhooks">
        {role === "owner" ? (
          <DeletionChoice room={room} onAsk={() => setAsking("delete")} />
        ) : (
          <WayOut
            title={t("room.leave")}
            text={t(room.privacy === "open" ? "room.leave-open" : "room.leave-private")}
            onAsk={() => setAsking("leave")}
          />
        )}
      </section>
    </Dialog>
  );
}

/** A room that was a conversation cannot be deleted: only its heading and the reason are shown. */
function DeletionChoice({ room, onAsk }: { room: MyRoom; onAsk(): void }) {
  const isRefused = wasConversation(room);
  const reason = t(isRefused ? "room.no-delete-text" : "room.delete-text");
  return (
    <WayOut
      title={t(isRefused ? "room.leave" : "room.delete")}
      text={`${reason} ${t("room.owner-stays")}`}
      onAsk={isRefused ? undefined : onAsk}
    />
  );
}

function Fields({ room, onClose }: { room: MyRoom; onClose(): void }) {
  const { name, description, privacy } = room;
  const [details, setDetails] = useState<RoomDetails>({
    name,
    description: description ?? "",
    privacy,
  });
  const [pinning, setPinning] = useState(room.pinning);
  const [threads, setThreads] = useState(room.threads);
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const body = { ...toBody(details), privacy: details.privacy, pinning, threads };
    const saved = await store.call("PATCH /api/rooms/:id", { params: { id: room.id }, body });
    onClose();
    if (saved.name !== room.name) navigateTo(roomPath(saved.name), true);
    showToast(t("room.saved"));
  };
  return (
    <Form action={action} submit={t("save")} onSubmit={submit}>
      <RoomFields
        details={details}
        onDetails={setDetails}
        action={action}
        isPrivacyFixed={wasConversation(room)}
      />
      {wasConversation(room) && <p class="muted small">{t("room.was-conversation")}</p>}
      <Select
        label={t("pin.setting")}
        value={pinning}
        options={[
          ["members", t("pin.members")],
          ["admins", t("pin.admins")],
        ]}
        onValue={setPinning}
      />
      <Select
        label={t("shell.threads")}
        value={threads}
        options={[
          ["on", t("room.threads-on")],
          ["off", t("room.threads-off")],
        ]}
        onValue={setThreads}
      />
    </Form>
  );
}

type EndingProps = { room: MyRoom; onClose(): void };

/** Asks for confirmation: a private room can only be joined again by an invitation. */
function LeaveRoom({ room, onClose }: EndingProps) {
  const isOpen = room.privacy === "open";
  return (
    <Confirm
      title={t("room.leave-title", { room: room.name })}
      text={isOpen ? t("room.leave-open") : t("room.leave-private")}
      action={t("room.leave")}
      onClose={onClose}
      onConfirm={async () => {
        await store.call("POST /api/rooms/:id/leave", { params: { id: room.id } });
        navigateTo("/browse");
      }}
    />
  );
}

/** Asks for the room's name before the room and its messages are deleted. */
function DeleteRoom({ room, onClose }: EndingProps) {
  return (
    <Confirm
      title={t("room.delete-title", { room: room.name })}
      text={t("room.delete-text")}
      action={t("room.delete")}
      word={room.name}
      onClose={onClose}
      onConfirm={async () => {
        await store.call("DELETE /api/rooms/:id", { params: { id: room.id } });
        navigateTo("/");
      }}
    />
  );
}

type WayOutProps = { title: string; text: string; onAsk: (() => void) | undefined };

/** A way out of the room, last and apart from what is saved, with what it means; without a button if it is closed. */
function WayOut({ title, text, onAsk }: WayOutProps) {
  return (
    <header class="ending">
      <div class="grow">
        <h3>{title}</h3>
        <p class="muted small">{text}</p>
      </div>
      {onAsk && (
        <Button kind="danger" onClick={onAsk}>
          {title}
        </Button>
      )}
    </header>
  );
}
