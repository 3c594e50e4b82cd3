import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";
import type { MailFailure } from "../../../src/wire/admin.ts";
import { fullTimeOf } from "../parts/times.ts";

/**
 * Sends an email at once and shows the server's reply.
 * @param onSent called when the server has accepted it
 */
export function TestEmail({ onSent }: { onSent(): void }) {
  const { values, action, field } = useForm({ to: store.me.value?.email ?? "" });
  const submit = async () => {
    await store.call("POST /api/admin/settings/smtp/test", { body: { to: values.to.trim() } });
    onSent();
    showToast(t("mail.test-done", values));
  };
  return (
    <Form action={action} submit={t("mail.test-send")} kind="quiet" onSubmit={submit}>
      <h3>{t("mail.test")}</h3>
      <Field
        label={t("mail.test-to")}
        type="email"
        hint={t("mail.test-hint")}
        {...field("to")}
        required
      />
    </Form>
  );
}

/** Since when mail cannot be sent, how many mails wait, and what the server said. */
export function describeMailFailure({ since, error, waiting }: MailFailure): string {
  return t("mail.failing", { since: fullTimeOf(since), error, count: waiting });
}
