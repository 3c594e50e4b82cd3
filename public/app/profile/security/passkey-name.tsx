import { useState } from "preact/hooks";
import { MAX_PASSKEY_NAME_LENGTH } from "../../../../src/wire/limits.ts";
import type { Passkey } from "../../../../src/wire/sign-in.ts";
import { store } from "../../session/store.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useAction } from "../../parts/use-action.ts";
import { t } from "../../words/translate.ts";

type PasskeyNameProps = { passkey: Passkey; onClose(): void; onRenamed(): Promise<void> };

/** The dialog in which a passkey is renamed. */
export function PasskeyName({ passkey, onClose, onRenamed }: PasskeyNameProps) {
  const [name, setName] = useState(passkey.name);
  const action = useAction(["name"]);
  const submit = async () => {
    const params = { id: passkey.id };
    await store.call("PATCH /api/auth/me/passkeys/:id", { params, body: { name } });
    await onRenamed();
    onClose();
  };
  return (
    <Dialog title={t("passkey.rename-title")} onClose={onClose}>
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("label.name")}
          value={name}
          onValue={setName}
          error={action.field("name")}
          maxLength={MAX_PASSKEY_NAME_LENGTH}
          autocomplete="off"
          required
          autofocus
        />
      </Form>
    </Dialog>
  );
}
