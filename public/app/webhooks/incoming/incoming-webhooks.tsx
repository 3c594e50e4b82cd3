import { useEffect, useState } from "preact/hooks";
import type { IncomingWebhook, NewIncomingWebhook } from "../../../../src/wire/webhooks.ts";
import type { MyRoom } from "../../../../src/wire/models.ts";
import { getAll } from "../../connection/api.ts";
import { store } from "../../session/store.ts";
import { askToConfirm } from "../../session/overlay.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Switch } from "../../parts/field.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { nameOf } from "../../session/person.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { formatAgo } from "../../parts/times.ts";
import { useAction, useForm } from "../../parts/use-action.ts";
import { visuallyHidden } from "../../parts/visually-hidden.tsx";
import { RowText } from "../../parts/row-text.tsx";
import { t, tRich } from "../../words/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { OneTimeSecret } from "../../parts/one-time-secret.tsx";

/** A room's incoming webhooks, for its owner and admins. */
export function IncomingWebhooks({ room }: { room: MyRoom }) {
  const [webhooks, setWebhooks] = useState<IncomingWebhook[] | null>(null);
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewIncomingWebhook | null>(null);
  const action = useAction();
  const load = async () => {
    const params = { id: room.id };
    setWebhooks(await getAll(store.api, "GET /api/rooms/:id/incoming-webhooks", { params }));
  };
  const change = async ({ id }: IncomingWebhook, may_pin: boolean) => {
    const input = { params: { id: room.id, hook_id: id }, body: { may_pin } };
    const path = "PATCH /api/rooms/:id/incoming-webhooks/:hook_id";
    const changed = await store.call(path, input);
    setWebhooks((all) => all?.map((item) => (item.id === id ? changed : item)) ?? null);
  };
  useEffect(() => void action.run(load), [room.id]);
  const remove = (webhook: IncomingWebhook) =>
    askToConfirm({
      title: t("delete-title", { name: webhook.name }),
      text: t("incoming.delete-text"),
      action: t("delete"),
      onConfirm: async () => {
        await store.call("DELETE /api/rooms/:id/incoming-webhooks/:hook_id", {
          params: { id: room.id, hook_id: webhook.id },
        });
        await load();
        showToast(t("incoming.deleted", { name: webhook.name }));
      },
    });
  return (
    <section class="webhooks stack border-top">
      <header class="row wrap between">
        <h3>{t("incoming.title")}</h3>
        <Button onClick={() => setAdding(true)}>{t("incoming.create")}</Button>
      </header>
      {webhooks?.length === 0 && <p class="muted small">{t("incoming.none")}</p>}
      <ul class="list">
        {webhooks?.map((webhook) => (
          <li key={webhook.id}>
            <RowText title={webhook.name}>
              <About webhook={webhook} />
            </RowText>
            <Button kind="danger" onClick={() => remove(webhook)}>
              {tRich("incoming.delete-one", { name: webhook.name, hidden: visuallyHidden })}
            </Button>
            <Switch
              label={t("incoming.may-pin")}
              checked={webhook.may_pin}
              onChecked={(mayPin) => void action.run(() => change(webhook, mayPin))}
            />
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {adding && (
        <CreateIncomingWebhook
          roomId={room.id}
          onCreated={(webhook) => {
            setCreated(webhook);
            void action.run(load);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {created && <NewUrl webhook={created} onClose={() => setCreated(null)} />}
    </section>
  );
}

/** Who created the webhook, the name under which it posts, and when it was last used. */
function About({ webhook: { created_by, bot, last_used_at } }: { webhook: IncomingWebhook }) {
  return (
    <>
      {t("incoming.by", { name: nameOf(created_by) })}
      {bot && ` · ${t("incoming.posts-as", { name: nameOf(bot) })}`}
      {" · "}
      {last_used_at ? (
        <TimeAgo at={last_used_at}>{t("last-used", { when: formatAgo(last_used_at) })}</TimeAgo>
      ) : (
        t("not-used")
      )}
    </>
  );
}

type CreateProps = {
  roomId: string;
  onCreated(webhook: NewIncomingWebhook): void;
  onClose(): void;
};

function CreateIncomingWebhook({ roomId, onCreated, onClose }: CreateProps) {
  const { values, action, field } = useForm({ name: "", secret: "" });
  const [may_pin, setMayPin] = useState(false);
  const submit = async () => {
    const input = {
      params: { id: roomId },
      body: { name: values.name, secret: values.secret || null, may_pin },
    };
    onCreated(await store.call("POST /api/rooms/:id/incoming-webhooks", input));
    onClose();
  };
  return (
    <Dialog title={t("incoming.new")} onClose={onClose}>
      <Form action={action} submit={t("incoming.create")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("label.name")}
          hint={t("incoming.name-hint")}
          {...field("name")}
          autocomplete="off"
          required
          autofocus
        />
        <Field
          label={t("incoming.secret")}
          hint={t("incoming.secret-hint")}
          {...field("secret")}
          autocomplete="off"
        />
        <Switch
          label={t("incoming.may-pin")}
          hint={t("incoming.may-pin-hint")}
          checked={may_pin}
          onChecked={setMayPin}
        />
      </Form>
    </Dialog>
  );
}

/** Shows the URL of a new incoming webhook, which cannot be shown again, and how to post to it. */
function NewUrl({ webhook, onClose }: { webhook: NewIncomingWebhook; onClose(): void }) {
  const curl = `curl ${webhook.url} \\
  -H "Content-Type: application/json" \\
  -d '{"text": "${t("incoming.sample")}"}'`;
  return (
    <OneTimeSecret
      title={t("incoming.url-of", { name: webhook.name })}
      text={t("incoming.keep")}
      label={t("webhooks.url")}
      value={webhook.url}
      onClose={onClose}
    >
      <CopyField label={t("incoming.try")} value={curl} multiline />
    </OneTimeSecret>
  );
}
