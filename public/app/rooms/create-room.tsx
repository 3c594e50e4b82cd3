import { useState } from "preact/hooks";
import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import type { Privacy } from "../../../src/wire/models.ts";
import { navigate } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { roomPath } from "../state/route.ts";
import { toRoomName } from "../state/room-name.ts";
import { t } from "../words/translate.ts";

/** The options of who can join. */
export const privacies = (): [value: Privacy, label: string][] => [
  ["open", t("create.open")],
  ["private", t("create.private")],
];

export function CreateRoom({ onClose }: { onClose(): void }) {
  const [name, setName] = useState("");
  const [privacy, setPrivacy] = useState<Privacy>("open");
  const [description, setDescription] = useState("");
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const body = { name, privacy, description: description.trim() || null };
    const room = await store.api.call("POST /api/rooms", { body });
    store.keepRoom(room);
    onClose();
    navigate(roomPath(room.name));
  };
  return (
    <Dialog title={t("create.title")} onClose={onClose}>
      <Form action={action} submit={t("create.submit")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("label.name")}
          hint={t("create.name-hint")}
          value={name}
          onValue={(text) => setName(toRoomName(text))}
          error={action.field("name")}
          autocomplete="off"
          required
          autofocus
        />
        <Field
          label={t("create.topic")}
          hint={t("create.topic-hint")}
          value={description}
          onValue={setDescription}
          error={action.field("description")}
          maxLength={MAX_ROOM_DESCRIPTION_LENGTH}
          autocomplete="off"
        />
        <Select
          label={t("create.who")}
          value={privacy}
          options={privacies()}
          onValue={setPrivacy}
        />
      </Form>
    </Dialog>
  );
}
