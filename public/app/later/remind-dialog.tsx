import { MAX_NOTE_LENGTH, MAX_REMINDER_DAYS } from "../../../src/wire/limits.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { whenAhead } from "../parts/times.ts";
import { useForm } from "../parts/use-action.ts";
import { saveMessage } from "../session/save-message.ts";
import { showToast } from "../session/toasts.ts";
import { fromLocalField, reminderTimes, toLocalField } from "../state/drafts/plan-times.ts";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

const DAY_MS = 86_400_000;

/** Saves a message with a reminder at a suggested or a custom time, and with a note. */
export function RemindDialog({ messageId, saved, onClose }: DialogProps<"remind">) {
  const pending = saved?.remind_at && !saved.reminded_at ? new Date(saved.remind_at) : null;
  const { values, action, field } = useForm({
    remind_at: pending ? toLocalField(pending) : "",
    note: saved?.note ?? "",
  });
  const now = new Date();
  const own = fromLocalField(values.remind_at);
  const keep = async (at: Date | null) => {
    await saveMessage(messageId, {
      note: values.note.trim() || null,
      remind_at: at?.toISOString() ?? null,
    });
    onClose();
    showToast(at ? t("later.remind-done", { when: whenAhead(at) }) : t("later.mark"));
  };
  return (
    <Dialog title={t("later.remind")} onClose={onClose}>
      <div class="time-choices stack">
        {reminderTimes(now).map(({ key, at }, i) => (
          <Button
            key={key}
            wide
            autofocus={i === 0}
            onClick={() => void action.run(() => keep(at))}
          >
            {t(`time.${key}`)}
            <span class="muted small">{whenAhead(at, now)}</span>
          </Button>
        ))}
      </div>
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={() => keep(own)}>
        <Field
          label={t("time.own")}
          type="datetime-local"
          {...field("remind_at")}
          min={toLocalField(now)}
          max={toLocalField(new Date(now.getTime() + MAX_REMINDER_DAYS * DAY_MS))}
        />
        <Field
          label={t("later.note")}
          hint={t("later.note-hint")}
          {...field("note")}
          maxLength={MAX_NOTE_LENGTH}
          multiline
        />
      </Form>
    </Dialog>
  );
}
