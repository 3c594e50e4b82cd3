import { useState } from "preact/hooks";
import type { NewIncomingWebhook } from "../../../../src/wire/webhooks.ts";
import { store } from "../../session/store.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Switch } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useAction } from "../../parts/use-action.ts";
import { t } from "../../words/translate.ts";

type CreateProps = {
  roomId: string;
  onCreated(webhook: NewIncomingWebhook): void;
  onClose(): void;
};

/** The dialog in which an incoming webhook is created; its address is shown after it. */
export function CreateIncomingWebhook({ roomId, onCreated, onClose }: CreateProps) {
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const [mayPin, setMayPin] = useState(false);
  const action = useAction(["name", "secret"]);
  const submit = async () => {
    const input = {
      params: { id: roomId },
      body: { name, secret: secret || null, may_pin: mayPin },
    };
    onCreated(await store.call("POST /api/rooms/:id/incoming-webhooks", input));
    onClose();
  };
  return (
    <Dialog title={t("incoming.new")} onClose={onClose}>
      <Form action={action} submit={t("incoming.create")} onSubmit={submit}>
        <Field
          label={t("label.name")}
          hint={t("incoming.name-hint")}
          value={name}
          onValue={setName}
          error={action.field("name")}
          autocomplete="off"
          required
          autofocus
        />
        <Field
          label={t("incoming.secret")}
          hint={t("incoming.secret-hint")}
          value={secret}
          onValue={setSecret}
          error={action.field("secret")}
          autocomplete="off"
        />
        <Switch
          label={t("incoming.may-pin")}
          hint={t("incoming.may-pin-hint")}
          checked={mayPin}
          onChecked={setMayPin}
        />
      </Form>
    </Dialog>
  );
}
