import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

/** Asks before a message mentions many people. */
export function BroadcastQuestion(props: DialogProps<"broadcast">) {
  const { kind, roomName, count, isRefused, send, onClose } = props;
  if (isRefused) {
    const name = `@${kind}`;
    return (
      <Dialog title={t("broadcast.refused-title", { name })} onClose={onClose}>
        <p>{t("broadcast.refused", { name })}</p>
        <div class="actions">
          <Button kind="primary" autofocus onClick={onClose}>
            {t("broadcast.back")}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("broadcast.title", { count })} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          send();
        }}
      >
        <p>
          {kind === "room"
            ? t("broadcast.room", { room: roomName, count })
            : t("broadcast.here", { room: roomName, count })}
        </p>
        <div class="actions">
          <Button onClick={onClose}>{t("broadcast.back")}</Button>
          <Button kind="primary" type="submit" autofocus>
            {t("composer.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
