import type { MyRoom } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { openDialog } from "../session/overlay.ts";
import { t } from "../words/translate.ts";

/** Invites people and sets a topic, for those who may, and attaches a first file. */
export function FirstSteps({ room }: { room: MyRoom }) {
  const isInCharge = room.membership?.role !== "member";
  const open = (name: "add-member" | "room-settings") => () =>
    openDialog({ name, roomId: room.id });
  return (
    <>
      {isInCharge && <Button onClick={open("add-member")}>{t("members.add")}</Button>}
      {isInCharge && !room.description && (
        <Button onClick={open("room-settings")}>{t("timeline.add-topic")}</Button>
      )}
      <Button
        onClick={() =>
          document.querySelector<HTMLInputElement>(".composer input[type=file]")?.click()
        }
      >
        {t("timeline.add-file")}
      </Button>
    </>
  );
}
