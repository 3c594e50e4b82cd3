import { useEffect, useState } from "preact/hooks";
import { MAX_DISPLAY_NAME_LENGTH, PASSWORD_MIN_LENGTH } from "../../../src/wire/limits.ts";
import type { Me, Page, Session } from "../../../src/wire/models.ts";
import { store, toast } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText, Field, Switch } from "../parts/field.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { Appearance } from "./appearance/appearance.tsx";
import { AvatarEditor } from "./avatar-editor.tsx";
import { PaneHead } from "./pane-head.tsx";

export function Profile() {
  const me = store.me.value;
  if (!me) return null;
  return (
    <section class="pane">
      <PaneHead title="Your profile" text={`@${me.username} · ${me.email}`} />
      <div class="page">
        <Account me={me} />
        <Appearance me={me} />
        <Password />
        <Sessions />
        <SignOut />
      </div>
    </section>
  );
}

async function change(given: object): Promise<void> {
  store.keepMe(await store.api.patch<Me>("/api/auth/me", given));
}

function Account({ me }: { me: Me }) {
  const [name, setName] = useState(me.display_name ?? "");
  const action = useAction(["display_name"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await change({ display_name: name.trim() || null });
      toast("Your name is saved.");
    });
  };
  return (
    <section class="card">
      <h2>Account</h2>
      <AvatarEditor me={me} />
      <form class="form" onSubmit={submit}>
        <Field
          label="Display name"
          hint="Shown instead of your username. Leave it empty to show that."
          value={name}
          onValue={setName}
          error={action.field("display_name")}
          maxLength={MAX_DISPLAY_NAME_LENGTH}
          autocomplete="name"
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy}>
            Save name
          </Button>
        </div>
      </form>
      <Switch
        label="Appear offline"
        hint="Nobody sees when you are here."
        checked={me.appear_offline}
        onChecked={(appear_offline) => void action.run(() => change({ appear_offline }))}
      />
    </section>
  );
}

function Password() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const action = useAction(["current_password", "new_password", "password"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await store.api.put("/api/auth/me/password", {
        current_password: current,
        new_password: next,
      });
      setCurrent("");
      setNext("");
      toast("Your password is changed. Your other sessions are signed out.");
    });
  };
  return (
    <section class="card">
      <h2>Password</h2>
      <form class="form" onSubmit={submit}>
        <Field
          label="Current password"
          type="password"
          value={current}
          onValue={setCurrent}
          error={action.field("current_password")}
          autocomplete="current-password"
          required
        />
        <Field
          label="New password"
          type="password"
          hint={`At least ${PASSWORD_MIN_LENGTH} characters. Other sessions are signed out.`}
          value={next}
          onValue={setNext}
          error={action.field("new_password") ?? action.field("password")}
          autocomplete="new-password"
          minLength={PASSWORD_MIN_LENGTH}
          required
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  );
}

function Sessions() {
  const [sessions, setSessions] = useState<Session[]>([]);
  const action = useAction();
  const load = () =>
    action.run(async () =>
      setSessions((await store.api.get<Page<Session>>("/api/auth/me/sessions")).items),
    );
  useEffect(() => void load(), []);
  const end = (id: string) =>
    action.run(async () => {
      await store.api.delete(`/api/auth/me/sessions/${id}`);
      await load();
    });
  return (
    <section class="card">
      <h2>Where you are signed in</h2>
      <ul class="list">
        {sessions.map((session) => (
          <li key={session.id}>
            <div class="grow">
              <p class="truncate">{browserName(session.user_agent)}</p>
              <p class="muted small">
                {session.is_current
                  ? "This browser"
                  : `Last seen ${fullTimeOf(session.last_seen_at)}`}
              </p>
            </div>
            {!session.is_current && <Button onClick={() => void end(session.id)}>Sign out</Button>}
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}

/** Enough to tell one's own browsers apart. */
function browserName(userAgent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent ?? "")?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent ?? "")?.[1];
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : browser;
  if (!name && !system) return userAgent ?? "An unknown browser";
  return [name, system?.replace("Mac OS X", "macOS")].filter(Boolean).join(" on ");
}

function SignOut() {
  const action = useAction();
  return (
    <section class="card">
      <h2>Sign out</h2>
      <p class="muted">Messages that still wait to be sent stay in this browser for you.</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button
          kind="danger"
          busy={action.busy}
          onClick={() => void action.run(() => store.signOut())}
        >
          Sign out
        </Button>
      </div>
    </section>
  );
}
