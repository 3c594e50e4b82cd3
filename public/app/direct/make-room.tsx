import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import type { DirectRoom } from "../state/model/direct-room.ts";
import { roomPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { NEW_ROOM, RoomFields, toBody } from "../rooms/room-fields.tsx";

/** Makes a group a private room with a name. There is no way back. */
export function MakeRoom({ room, onClose }: { room: DirectRoom; onClose(): void }) {
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
