import { useEffect, useState } from "preact/hooks";
import type { Security, SmtpSettings } from "../../../../src/wire/admin.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Field, Select } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Confirm } from "../confirm.tsx";
import { TestMail } from "./test-mail.tsx";

const PATH = "/api/admin/settings/smtp";
const SECURITIES: [Security, string][] = [
  ["starttls", "STARTTLS (usually port 587)"],
  ["tls", "TLS (usually port 465)"],
  ["none", "None: only within one machine or network"],
];

/** Where mail goes out. */
export function Email() {
  const [settings, setSettings] = useState<SmtpSettings | null>(null);
  const action = useAction();
  useEffect(() => void action.run(async () => setSettings(await store.api.get(PATH))), []);
  return (
    <>
      <h2>Email</h2>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {settings && (
        <>
          <p class="muted">
            {settings.host
              ? `Mail goes out by ${settings.host}.`
              : "No mail goes out yet. Until it does, you hand on signup links and passwords yourself."}
          </p>
          <SmtpForm key={settings.host ?? ""} settings={settings} onSaved={setSettings} />
          {settings.host && <TestMail />}
        </>
      )}
    </>
  );
}

type FormProps = { settings: SmtpSettings; onSaved(settings: SmtpSettings): void };

function SmtpForm({ settings, onSaved }: FormProps) {
  const [host, setHost] = useState(settings.host ?? "");
  const [port, setPort] = useState(String(settings.port ?? 587));
  const [security, setSecurity] = useState<string>(settings.security ?? "starttls");
  const [username, setUsername] = useState(settings.username ?? "");
  const [password, setPassword] = useState("");
  const [from, setFrom] = useState(settings.from ?? "");
  const [removing, setRemoving] = useState(false);
  const action = useAction(["host", "port", "username", "password", "from"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const given = { host, port: Number(port), security, username: username || null, from };
      // An absent password is kept; without a username there is none.
      const secret = password ? { password } : username ? {} : { password: null };
      onSaved(await store.api.put<SmtpSettings>(PATH, { ...given, ...secret }));
      setPassword("");
      toast("The settings are saved. Send a test mail to see whether they work.");
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="filters">
        <Field
          label="Mail server"
          value={host}
          onValue={setHost}
          error={action.field("host")}
          autocomplete="off"
          required
        />
        <Field
          label="Port"
          type="number"
          min={1}
          max={65_535}
          value={port}
          onValue={setPort}
          error={action.field("port")}
          required
        />
      </div>
      <Select label="Security" value={security} options={SECURITIES} onValue={setSecurity} />
      <Field
        label="Username"
        hint="Leave it empty where the server asks for none."
        value={username}
        onValue={setUsername}
        error={action.field("username")}
        autocomplete="off"
      />
      <Field
        label="Password"
        type="password"
        hint={settings.has_password ? "One is kept. Fill this in to replace it." : undefined}
        value={password}
        onValue={setPassword}
        error={action.field("password")}
        autocomplete="new-password"
      />
      <Field
        label="Sender"
        hint="An address, or a name and an address: Snug <snug@example.org>"
        value={from}
        onValue={setFrom}
        error={action.field("from")}
        autocomplete="off"
        required
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {settings.host && (
          <Button kind="danger" onClick={() => setRemoving(true)}>
            Send no mail
          </Button>
        )}
        <Button kind="primary" type="submit" busy={action.busy}>
          Save
        </Button>
      </div>
      {removing && (
        <Confirm
          title="Send no mail any more?"
          text="The settings go, the password with them. Signup links and passwords are yours to hand on then."
          action="Send no mail"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await store.api.delete(PATH);
            onSaved(await store.api.get<SmtpSettings>(PATH));
            toast("No mail goes out any more.");
          }}
        />
      )}
    </form>
  );
}
