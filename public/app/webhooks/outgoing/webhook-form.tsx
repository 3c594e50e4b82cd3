import { useState } from "preact/hooks";
import { MAX_WEBHOOK_NAME_LENGTH } from "../../../../src/wire/limits.ts";
import { WEBHOOK_EVENTS } from "../../../../src/wire/webhook-events.ts";
import type { CreateOutgoingWebhook, WebhookEvent } from "../../../../src/wire/webhooks.ts";
import { ErrorText } from "../../parts/error-text.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useAction } from "../../parts/use-action.ts";
import { t } from "../../words/translate.ts";

type FormProps = {
  initial: CreateOutgoingWebhook;
  label: string;
  onSubmit(values: CreateOutgoingWebhook): Promise<void>;
  onCancel(): void;
};

/** @param label of the submit button */
export function WebhookForm({ initial, label, onSubmit, onCancel }: FormProps) {
  const [name, setName] = useState(initial.name);
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState(initial.events);
  const action = useAction(["name", "url", "events"]);
  const submit = () => onSubmit({ name, url, events });
  const toggle = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(WEBHOOK_EVENTS.filter((name) => (name === event ? isChosen : events.includes(name))));
  return (
    <Form action={action} submit={label} onCancel={onCancel} onSubmit={submit}>
      <Field
        label={t("label.name")}
        hint={t("webhooks.name-hint")}
        value={name}
        onValue={setName}
        error={action.field("name")}
        maxLength={MAX_WEBHOOK_NAME_LENGTH}
        autocomplete="off"
        required
        autofocus
      />
      <Field
        label={t("webhooks.url")}
        hint={t("webhooks.url-hint")}
        type="url"
        value={url}
        onValue={setUrl}
        error={action.field("url")}
        autocomplete="off"
        required
      />
      <fieldset class="checks columns">
        <legend class="small strong">{t("webhooks.events")}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <label key={event}>
            <input
              type="checkbox"
              checked={events.includes(event)}
              onChange={(e) => toggle(event, e.currentTarget.checked)}
            />
            <span>{t(`event.${event}`)}</span>
          </label>
        ))}
        {action.field("events") && <ErrorText>{t("webhooks.choose-one")}</ErrorText>}
      </fieldset>
    </Form>
  );
}
