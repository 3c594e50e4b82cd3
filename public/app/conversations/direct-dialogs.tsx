import { Confirm } from "../parts/confirm.tsx";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import type { DirectRoom } from "../state/model/conversation.ts";
import { t } from "../words/translate.ts";
import { AddPeople } from "./add-people.tsx";
import { MakeRoom } from "./create-room.tsx";

export type DirectDialog = "add" | "room" | "leave";

type DialogsProps = { room: DirectRoom; shown: DirectDialog; onClose(): void };

/** The dialogs of a direct conversation. */
export function DirectDialogs({ room, shown, onClose: close }: DialogsProps) {
  return (
    <>
      {shown === "add" && <AddPeople room={room} onClose={close} />}
      {shown === "room" && <MakeRoom room={room} onClose={close} />}
      {shown === "leave" && (
        <Confirm
          title={t("direct.leave-title")}
          text={t("direct.leave-text")}
          action={t("direct.leave")}
          onClose={close}
          onConfirm={async () => {
            await store.call("POST /api/direct/:id/leave", { params: { id: room.id } });
            navigateTo("/direct");
          }}
        />
      )}
    </>
  );
}
