import { useState } from "preact/hooks";
import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import type { Privacy } from "../../../src/wire/models.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Action, useAction } from "../parts/use-action.ts";
import { navigateTo } from "../session/navigation.ts";
import type { DialogProps } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { toRoomName } from "../state/conversations/room-name.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

export function CreateRoom({ onClose }: DialogProps<"create-room">) {
  const [details, setDetails] = useState(NEW_ROOM);
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const body = { ...toBody(details), privacy: details.privacy };
    const room = await store.call("POST /api/rooms", { body });
    onClose();
    navigateTo(roomPath(room.name));
  };
  return (
    <Dialog title={t("create.title")} onClose={onClose}>
      <Form action={action} submit={t("create.submit")} onCancel={onClose} onSubmit={submit}>
        <RoomFields details={details} onDetails={setDetails} action={action} isNew />
      </Form>
    </Dialog>
  );
}

/** Turns a group into a private room with a name. This cannot be undone. */
export function MakeRoom({ room, onClose }: DialogProps<"make-room">) {
  const [details, setDetails] = useState(NEW_ROOM);
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const input = { params: { id: room.id }, body: toBody(details) };
    const created = await store.call("POST /api/direct/:id/room", input);
    onClose();
    navigateTo(roomPath(created.name), true);
  };
  return (
    <Dialog title={t("direct.make-room")} onClose={onClose}>
      <p class="muted">{t("direct.make-room-text", { count: room.direct.members.length })}</p>
      <Form action={action} submit={t("direct.make-room")} onCancel={onClose} onSubmit={submit}>
        <RoomFields details={details} onDetails={setDetails} action={action} isNew isPrivacyFixed />
      </Form>
    </Dialog>
  );
}

export type RoomDetails = { name: string; description: string; privacy: Privacy };

const NEW_ROOM: RoomDetails = { name: "", description: "", privacy: "open" };

export function toBody({ name, description }: RoomDetails) {
  return { name, description: description.trim() || null };
}

type FieldsProps = {
  details: RoomDetails;
  onDetails(details: RoomDetails): void;
  action: Pick<Action, "field">;
  isNew?: boolean;
  /** Hides the choice of who can join. */
  isPrivacyFixed?: boolean;
};

/** The fields of a room: its name, its topic, and who can join it. */
export function RoomFields({ details, onDetails, action, isNew, isPrivacyFixed }: FieldsProps) {
  return (
    <>
      <Field
        label={t("label.name")}
        hint={isNew ? t("create.name-hint") : undefined}
        value={details.name}
        onValue={(text) => onDetails({ ...details, name: toRoomName(text) })}
        error={action.field("name")}
        autocomplete="off"
        required
        autofocus={isNew}
      />
      <Field
        label={t("create.topic")}
        hint={isNew ? t("create.topic-hint") : undefined}
        value={details.description}
        onValue={(description) => onDetails({ ...details, description })}
        error={action.field("description")}
        maxLength={MAX_ROOM_DESCRIPTION_LENGTH}
        autocomplete="off"
        multiline={!isNew}
      />
      {!isPrivacyFixed && (
        <Select
          label={t("create.who")}
          value={details.privacy}
          options={[
            ["open", t("create.open")],
            ["private", t("create.private")],
          ]}
          onValue={(privacy) => onDetails({ ...details, privacy })}
        />
      )}
    </>
  );
}
