import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { t } from "../words/translate.ts";
import { jump } from "./jump-buttons.tsx";
import type { DialogProps } from "../session/overlay.ts";

const BEGINNING = "1970-01-01T00:00:00.000Z";

/** Jumps to a day of a room's history. */
export function JumpDialog({ room, onClose }: DialogProps<"jump">) {
  const [day, setDay] = useState(() => dayOf(daysAgo(0)));
  const to = (at: string) => {
    jump.value = { roomId: room.id, at };
    onClose();
  };
  const quick: [label: string, at: string][] = [
    [t("jump.today"), daysAgo(0).toISOString()],
    [t("jump.week"), daysAgo(7).toISOString()],
    [t("jump.month"), daysAgo(30).toISOString()],
    [t("jump.beginning"), BEGINNING],
  ];
  return (
    <Dialog title={t("jump.title")} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (day) to(midnightOf(day).toISOString());
        }}
      >
        <Field label={t("jump.day")} type="date" value={day} onValue={setDay} required autofocus />
        <div class="buttons">
          {quick.map(([label, at]) => (
            <Button key={label} onClick={() => to(at)}>
              {label}
            </Button>
          ))}
        </div>
        <div class="actions">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button kind="primary" type="submit">
            {t("jump.go")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The local midnight at the start of a day. */
function daysAgo(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/** Converts a local day to the value of a date field, and back. */
function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function midnightOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}
