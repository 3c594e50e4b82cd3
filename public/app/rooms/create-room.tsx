import { useState } from "preact/hooks";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { NEW_ROOM, RoomFields, toBody } from "./room-fields.tsx";
import type { DialogProps } from "../session/overlay.ts";

/** The dialog in which a room is created, and then opened. */
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
