import { useState } from "preact/hooks";
import type { Security, SmtpSettings, MailFailure } from "../../../src/wire/admin.ts";
import { MAIL_PORTS } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showError, showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Notice } from "../parts/notice.tsx";
import { useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";
import { fullTimeOf } from "../parts/times.ts";

const SECURITIES = [
  ["starttls", "mail.starttls"],
  ["tls", "mail.tls"],
  ["none", "mail.no-security"],
] as const satisfies [Security, string][];
/** An address with a name (RFC 5322). */
const SENDER = "Snug <snug@example.org>";
const HOST_AND_PORT = { gridTemplateColumns: "minmax(0, 1fr) 112px" };

export function Email() {
  const load = () => store.call("GET /api/admin/settings/smtp");
  return (
    <>
      <h2 class="not-on-phone">{t("admin.email")}</h2>
      <Loaded load={load} height={288}>
        {(settings, show) => (
          <>
            <Notice isWarning={!settings.host}>
              {settings.host ? t("mail.on", { host: settings.host }) : t("mail.not-set-up")}
            </Notice>
            {settings.failure && <ErrorText>{describeMailFailure(settings.failure)}</ErrorText>}
            <SmtpForm key={settings.host ?? ""} settings={settings} onSaved={show} />
            {settings.host && <TestEmail onSent={() => void load().then(show, showError)} />}
          </>
        )}
      </Loaded>
    </>
  );
}

type FormProps = { settings: SmtpSettings; onSaved(settings: SmtpSettings): void };

function SmtpForm({ settings, onSaved }: FormProps) {
  const { values, set, action, field, isChanged } = useForm({
    host: settings.host ?? "",
    port: String(settings.port ?? MAIL_PORTS.starttls),
    username: settings.username ?? "",
    password: "",
    from: settings.from ?? "",
  });
  const savedSecurity = settings.security ?? "starttls";
  const [security, setSecurity] = useState<Security>(savedSecurity);
  const submit = async () => {
    const { host, port, username, password, from } = values;
    // The service keeps a password that is absent; without a username it is removed.
    const secret = password ? { password } : username ? {} : { password: null };
    const server = { host, port: Number(port), security, username: username || null };
    const body = { ...server, from, ...secret };
    onSaved(await store.call("PUT /api/admin/settings/smtp", { body }));
    set({ password: "" });
    showToast(t("mail.saved"));
  };
  const turnOff = () =>
    askToConfirm({
      title: t("mail.turn-off-title"),
      text: t("mail.turn-off-text"),
      action: t("mail.turn-off"),
      onConfirm: async () => {
        await store.call("DELETE /api/admin/settings/smtp");
        onSaved(await store.call("GET /api/admin/settings/smtp"));
        showToast(t("mail.turned-off"));
      },
    });
  const turnOffButton = settings.host ? (
    <Button kind="danger" onClick={turnOff}>
      {t("mail.turn-off")}
    </Button>
  ) : null;
  return (
    <Form
      action={action}
      submit={t("save")}
      button={turnOffButton}
      disabled={!isChanged && security === savedSecurity}
      onSubmit={submit}
    >
      <div class="grid gap-12" style={HOST_AND_PORT}>
        <Field label={t("mail.host")} {...field("host")} autocomplete="off" required />
        <Field
          label={t("mail.port")}
          type="number"
          min={1}
          max={65_535}
          {...field("port")}
          required
        />
      </div>
      <Select
        label={t("profile.security")}
        value={security}
        options={SECURITIES.map(([value, key]) => [value, t(key)])}
        onValue={setSecurity}
      />
      <Field
        label={t("username")}
        hint={t("mail.username-hint")}
        {...field("username")}
        autocomplete="off"
      />
      <Field
        label={t("password")}
        type="password"
        hint={settings.has_password ? t("mail.password-saved") : undefined}
        {...field("password")}
        autocomplete="new-password"
      />
      <Field
        label={t("mail.sender")}
        hint={t("mail.sender-hint", { example: SENDER })}
        {...field("from")}
        autocomplete="off"
        required
      />
    </Form>
  );
}

/**
 * Sends an email at once and shows the server's reply.
 * @param onSent called when the server has accepted it
 */
function TestEmail({ onSent }: { onSent(): void }) {
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
