import { Ellipsis, Pencil, Trash2 } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { Passkey } from "../../../../src/wire/sign-in.ts";
import { store } from "../../session/store.ts";
import { showToast } from "../../session/toasts.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm, Form } from "../../parts/form.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { Menu } from "../../parts/menu.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { formatAgo } from "../../parts/times.ts";
import { useAction, useForm } from "../../parts/use-action.ts";
import { RowText } from "../../parts/row-text.tsx";
import { makePasskey, readPasskeySupport } from "../../sign-in/passkey.ts";
import { t } from "../../words/translate.ts";
import { MAX_PASSKEY_NAME_LENGTH } from "../../../../src/wire/limits.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";

type PasskeysProps = {
  onAdded(recoveryCodes: string[] | null): Promise<void>;
  onRemoved(): Promise<void>;
};

const SUPPORT_TEXTS = {
  ready: "passkey.text",
  insecure: "passkey.no-https",
  missing: "passkey.missing",
} as const;

/** Passkeys, which a device or a password manager stores (WebAuthn). */
export function Passkeys({ onAdded, onRemoved }: PasskeysProps) {
  const [passkeys, setPasskeys] = useState<Passkey[]>([]);
  const [open, setOpen] = useState<{ passkey: Passkey; does: "rename" | "remove" } | null>(null);
  const action = useAction();
  const load = async () => setPasskeys((await store.call("GET /api/auth/me/passkeys")).items);
  useEffect(() => void action.run(load), []);
  const add = async () => {
    const options = await store.call("POST /api/auth/me/passkeys/options");
    const body = { passkey: await makePasskey(options) };
    const { recovery_codes } = await store.call("POST /api/auth/me/passkeys", { body });
    if (!recovery_codes) showToast(t("passkey.added"));
    await load();
    await onAdded(recovery_codes);
  };
  const close = () => setOpen(null);
  const support = readPasskeySupport();
  return (
    <>
      <div class="setting-row row wrap">
        <div class="grow">
          <h3>{t("passkey.title")}</h3>
          <p class="muted small">{t(SUPPORT_TEXTS[support])}</p>
          {action.error && <ErrorText>{action.error}</ErrorText>}
        </div>
        {support === "ready" && (
          <Button busy={action.busy} onClick={() => void action.run(add)}>
            {t("passkey.add")}
          </Button>
        )}
      </div>
      {passkeys.length > 0 && (
        <ul class="list" aria-label={t("passkey.title")}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <RowText
                title={passkey.name}
                wraps
                more={
                  <>
                    {!passkey.is_usable && <p class="small">{t("passkey.other-host")}</p>}
                    {passkey.went_back_at && <p class="small">{t("passkey.went-back")}</p>}
                  </>
                }
              >
                {describe(passkey)}
              </RowText>
              <Menu
                icon={Ellipsis}
                label={t("actions-for", { name: passkey.name })}
                items={[
                  {
                    label: t("passkey.rename"),
                    icon: Pencil,
                    onSelect: () => setOpen({ passkey, does: "rename" }),
                  },
                  {
                    label: t("action.remove"),
                    icon: Trash2,
                    danger: true,
                    onSelect: () => setOpen({ passkey, does: "remove" }),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      {open?.does === "rename" && (
        <PasskeyName passkey={open.passkey} onClose={close} onRenamed={load} />
      )}
      {open?.does === "remove" && (
        <Confirm
          title={t("remove-title", { name: open.passkey.name })}
          text={t("security.remove-text")}
          action={t("action.remove")}
          onClose={close}
          onConfirm={async () => {
            const params = { id: open.passkey.id };
            await store.call("DELETE /api/auth/me/passkeys/:id", { params });
            showToast(t("passkey.removed"));
            await load();
            await onRemoved();
          }}
        />
      )}
    </>
  );
}

function describe(passkey: Passkey) {
  const { is_synced, created_at, last_used_at } = passkey;
  const at = last_used_at ?? created_at;
  return (
    <>
      {t(is_synced ? "passkey.is-synced" : "passkey.is-local")} ·{" "}
      <TimeAgo at={at}>
        {t(last_used_at ? "last-used" : "passkey.made", { when: formatAgo(at) })}
      </TimeAgo>
    </>
  );
}

type PasskeyNameProps = { passkey: Passkey; onClose(): void; onRenamed(): Promise<void> };

function PasskeyName({ passkey, onClose, onRenamed }: PasskeyNameProps) {
  const { values, action, field } = useForm({ name: passkey.name });
  const submit = async () => {
    const params = { id: passkey.id };
    await store.call("PATCH /api/auth/me/passkeys/:id", { params, body: values });
    await onRenamed();
    onClose();
  };
  return (
    <Dialog title={t("passkey.rename-title")} onClose={onClose}>
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={submit}>
        <Field
          label={t("label.name")}
          {...field("name")}
          maxLength={MAX_PASSKEY_NAME_LENGTH}
          autocomplete="off"
          required
          autofocus
        />
      </Form>
    </Dialog>
  );
}
