import { MAX_SCHEDULED_DAYS } from "../../../src/wire/limits.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import { fromLocalField, timeOnDay, toLocalField } from "../state/drafts/plan-times.ts";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

const DAY_MS = 86_400_000;
const MORNING = 9;

export function PlanDialog({ onPlan, onClose }: DialogProps<"plan">) {
  const now = new Date();
  const { values, action, field } = useForm({
    send_at: toLocalField(timeOnDay(now, 1, MORNING)),
  });
  const at = fromLocalField(values.send_at);
  const submit = async () => {
    if (!at) return;
    await onPlan(at);
    onClose();
  };
  return (
    <Dialog title={t("scheduled.plan")} onClose={onClose}>
      <Form action={action} submit={t("scheduled.plan")} onCancel={onClose} onSubmit={submit}>
        <SendTimeFields {...field("send_at")} />
      </Form>
    </Dialog>
  );
}

type SendTimeProps = { value: string; onValue(value: string): void; error?: string };

/** Asks for a time within the limits of the service. */
export function SendTimeFields(props: SendTimeProps) {
  const now = new Date();
  return (
    <Field
      {...props}
      label={t("scheduled.when")}
      type="datetime-local"
      min={toLocalField(now)}
      max={toLocalField(new Date(now.getTime() + MAX_SCHEDULED_DAYS * DAY_MS))}
      required
    />
  );
}
