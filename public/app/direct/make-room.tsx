import { useState } from "preact/hooks";
import { MAX_ROOM_DESCRIPTION_LENGTH } from "../../../src/wire/limits.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { toRoomName } from "../state/room-name.ts";
import { navigate } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import type { DirectRoom } from "../state/direct-room.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** Gives a group a name, with which it is a private room. There is no way back. */
export function MakeRoom({ room, onClose }: { room: DirectRoom; onClose(): void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const body = { name, description: description.trim() || null };
    const input = { params: { id: room.id }, body };
    const made = await store.api.call("POST /api/direct/:id/room", input);
    store.keepRoom(made);
    onClose();
    navigate(roomPath(made.name), true);
  };
  return (
    <Dialog title={t("direct.make-room")} onClose={onClose}>
      <p class="muted">{t("direct.make-room-text", { count: room.direct.members.length })}</p>
      <Form action={action} submit={t("direct.make-room")} onCancel={onClose} onSubmit={submit}>
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
      </Form>
    </Dialog>
  );
}
