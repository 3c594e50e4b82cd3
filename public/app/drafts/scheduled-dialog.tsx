import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { whenAhead } from "../parts/times.ts";
import { useForm } from "../parts/use-action.ts";
import { nameOfPlace } from "../session/direct.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { directList, roomList } from "../state/model/model.ts";
import { fromLocalField, timeOnDay, toLocalField } from "../state/drafts/plan-times.ts";
import { t } from "../words/translate.ts";
import { currentZone } from "../session/time-zone.ts";
import type { DialogProps } from "../session/overlay.ts";
import { MAX_SCHEDULED_DAYS } from "../../../src/wire/limits.ts";

const MORNING = 9;

/**
 * Changes a scheduled message: its text, its room or thread, and its time. A failed one is
 * scheduled again.
 */
export function ScheduledDialog({ scheduled, onClose }: DialogProps<"scheduled">) {
  const { id, state, send_at, room_id, thread_id } = scheduled;
  const places = placesToWrite();
  const isInList = places.some(([place]) => place === room_id);
  const [place, setPlace] = useState(isInList ? room_id : (places[0]?.[0] ?? ""));
  const { values, action, field } = useForm({
    content: scheduled.content ?? "",
    send_at: toLocalField(
      state === "failed" ? timeOnDay(new Date(), 1, MORNING) : new Date(send_at),
    ),
  });
  const submit = async () => {
    const at = fromLocalField(values.send_at);
    if (!at) return;
    const moved = place === room_id ? {} : { room_id: place, thread_id: null, quote_id: null };
    const sendAt = { send_at: at.toISOString(), zone: currentZone() };
    await store.call("PATCH /api/scheduled/:id", {
      params: { id },
      body: { content: values.content, ...moved, ...sendAt },
    });
    onClose();
    showToast(t("scheduled.done", { when: whenAhead(at) }));
  };
  return (
    <Dialog title={t("scheduled.edit")} onClose={onClose}>
      <Form action={action} submit={t("scheduled.plan")} onCancel={onClose} onSubmit={submit}>
        <Field label={t("scheduled.text")} {...field("content")} multiline />
        {(thread_id === null || state === "failed") && (
          <Select
            label={t("scheduled.place")}
            value={place}
            options={places}
            onValue={(value) => setPlace(value)}
          />
        )}
        <SendTimeFields {...field("send_at")} />
      </Form>
    </Dialog>
  );
}

function placesToWrite(): [id: string, name: string][] {
  const state = store.state.value;
  return [...roomList(state), ...directList(state)]
    .filter(({ is_archived }) => !is_archived)
    .map((place) => [place.id, nameOfPlace(place)]);
}

const DAY_MS = 86_400_000;

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
function SendTimeFields(props: SendTimeProps) {
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
