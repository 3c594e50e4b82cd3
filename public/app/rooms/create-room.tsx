import { useState } from "preact/hooks";
import type { Privacy } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { NO_FIELDS, RoomFields, toBody } from "./room-fields.tsx";
import type { DialogProps } from "../session/overlay.ts";

declare module "../session/overlay.ts" {
  interface Dialogs {
    "create-room": object;
  }
}

/** The options for who can join. */
export const listPrivacies = (): [value: Privacy, label: string][] => [
  ["open", t("create.open")],
  ["private", t("create.private")],
];

/** The dialog in which a room is created, and then opened. */
export function CreateRoom({ onClose }: DialogProps<"create-room">) {
  const [fields, setFields] = useState(NO_FIELDS);
  const [privacy, setPrivacy] = useState<Privacy>("open");
  const action = useAction(["name", "description"]);
  const submit = async () => {
    const body = { ...toBody(fields), privacy };
    const room = await store.api.call("POST /api/rooms", { body });
    store.places.keep(room);
    onClose();
    navigateTo(roomPath(room.name));
  };
  return (
    <Dialog title={t("create.title")} onClose={onClose}>
      <Form action={action} submit={t("create.submit")} onCancel={onClose} onSubmit={submit}>
        <RoomFields fields={fields} onFields={setFields} action={action} />
        <Select
          label={t("create.who")}
          value={privacy}
          options={listPrivacies()}
          onValue={setPrivacy}
        />
      </Form>
    </Dialog>
  );
}
