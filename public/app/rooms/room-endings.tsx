import type { MyRoom } from "../../../src/wire/models.ts";
import { navigateTo } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { t } from "../words/translate.ts";

type EndingProps = { room: MyRoom; onClose(): void };

/** Asks for confirmation: a private room can only be joined again by an invitation. */
export function LeaveRoom({ room, onClose }: EndingProps) {
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
export function DeleteRoom({ room, onClose }: EndingProps) {
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
export function WayOut({ title, text, onAsk }: WayOutProps) {
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
