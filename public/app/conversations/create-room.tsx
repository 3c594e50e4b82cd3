import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import type { Privacy } from "../../../src/wire/models.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type FormFields, useForm } from "../parts/use-action.ts";
import { navigateTo } from "../session/navigation.ts";
import type { DialogProps } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { toRoomName } from "../state/conversations/room-name.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

export function CreateRoom({ onClose }: DialogProps<"create-room">) {
  const { values, action, field } = useForm(NEW_ROOM);
  const submit = async () => {
    const room = await store.call("POST /api/rooms", { body: toBody(values) });
    onClose();
    navigateTo(roomPath(room.name));
  };
  return (
    <Dialog title={t("create.title")} onClose={onClose}>
      <Form action={action} submit={t("create.submit")} onCancel={onClose} onSubmit={submit}>
        <RoomFields field={field} isNew />
      </Form>
    </Dialog>
  );
}

/** Turns a group into a private room with a name. This cannot be undone. */
export function MakeRoom({ room, onClose }: DialogProps<"make-room">) {
  const { values, action, field } = useForm(NEW_ROOM);
  const submit = async () => {
    const { name, description } = toBody(values);
    const input = { params: { id: room.id }, body: { name, description } };
    const created = await store.call("POST /api/direct/:id/room", input);
    onClose();
    navigateTo(roomPath(created.name), true);
  };
  return (
    <Dialog title={t("direct.make-room")} onClose={onClose}>
      <p class="muted">{t("direct.make-room-text", { count: room.direct.members.length })}</p>
      <Form action={action} submit={t("direct.make-room")} onCancel={onClose} onSubmit={submit}>
        <RoomFields field={field} isNew isPrivacyFixed />
      </Form>
    </Dialog>
  );
}

type RoomDetails = { name: string; description: string; privacy: Privacy };

const NEW_ROOM: RoomDetails = { name: "", description: "", privacy: "open" };

export function toBody<Details extends RoomDetails>(details: Details) {
  return { ...details, description: details.description.trim() || null };
}

type FieldsProps = {
  field: FormFields<RoomDetails>;
  isNew?: boolean;
  /** Hides the choice of who can join. */
  isPrivacyFixed?: boolean;
};

/** The fields of a room: its name, its topic, and who can join it. */
export function RoomFields({ field, isNew, isPrivacyFixed }: FieldsProps) {
  const name = field("name");
  return (
    <>
      <Field
        label={t("label.name")}
        hint={isNew ? t("create.name-hint") : undefined}
        {...name}
        onValue={(text) => name.onValue(toRoomName(text))}
        autocomplete="off"
        required
        autofocus={isNew}
      />
      <Field
        label={t("create.topic")}
        hint={isNew ? t("create.topic-hint") : undefined}
        {...field("description")}
        maxLength={MAX_ROOM_DESCRIPTION_LENGTH}
        autocomplete="off"
        multiline={!isNew}
      />
      {!isPrivacyFixed && (
        <Select
          label={t("create.who")}
          options={[
            ["open", t("create.open")],
            ["private", t("create.private")],
          ]}
          {...field("privacy")}
        />
      )}
    </>
  );
}
