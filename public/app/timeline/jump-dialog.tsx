import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { shortDateOf } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { jump } from "./jump-buttons.tsx";
import type { DialogProps } from "../session/overlay.ts";

const BEGINNING = "1970-01-01T00:00:00.000Z";

export function JumpDialog({ room, onClose }: DialogProps<"jump">) {
  const [day, setDay] = useState(() => dayOf(daysAgo(0)));
  const to = (at: string) => {
    jump.value = { roomId: room.id, at };
    onClose();
  };
  const quick = [
    { label: t("label.today"), at: daysAgo(0) },
    { label: t("jump.week"), at: daysAgo(7) },
    { label: t("jump.month"), at: daysAgo(30) },
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
        <div class="time-choices stack">
          {quick.map(({ label, at }) => (
            <Button key={label} wide onClick={() => to(at.toISOString())}>
              {label}
              <span class="muted small">{shortDateOf(at)}</span>
            </Button>
          ))}
          <Button wide onClick={() => to(BEGINNING)}>
            {t("jump.beginning")}
          </Button>
        </div>
        <Field label={t("jump.day")} type="date" value={day} onValue={setDay} required autofocus />
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

/** The local midnight a number of days ago. */
function daysAgo(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/** Formats a local day as the value of a date field. */
function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function midnightOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}
