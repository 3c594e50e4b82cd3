import { useState } from "preact/hooks";
import { MIN_PASSWORD_LENGTH } from "../../../src/wire/limits.ts";
import type { Me } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { AccountOfForm, NewPassword } from "../parts/new-password.tsx";
import { useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

export function Password({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <PasswordForm me={me} onClose={() => setOpen(false)} />;
  return (
    <section class="card">
      <div class="row wrap between">
        <h2>{t("password")}</h2>
        <Button onClick={() => setOpen(true)}>{t("password.change")}</Button>
      </div>
    </section>
  );
}

function PasswordForm({ me, onClose }: { me: Me; onClose(): void }) {
  const { values, action, field } = useForm({ current_password: "", new_password: "" });
  const submit = async () => {
    await store.call("PUT /api/auth/me/password", { body: values });
    onClose();
    showToast(t("password.changed"));
  };
  return (
    <section class="card">
      <h2>{t("password")}</h2>
      <Form action={action} submit={t("password.change")} onSubmit={submit} onCancel={onClose}>
        <AccountOfForm username={me.username} />
        <Field
          label={t("password.current")}
          type="password"
          {...field("current_password")}
          autocomplete="current-password"
          autofocus
          required
        />
        <NewPassword
          label={t("password.new")}
          hint={t("password.hint", { count: MIN_PASSWORD_LENGTH })}
          {...field("new_password")}
        />
      </Form>
    </section>
  );
}
