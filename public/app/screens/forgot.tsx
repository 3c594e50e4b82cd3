import { useState } from "preact/hooks";
import { store } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText, Field } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { Gate } from "./gate.tsx";

/** Asks for a link to choose a new password. What is said does not tell who has an account. */
export function Forgot() {
  const [email, setEmail] = useState("");
  const [answer, setAnswer] = useState<{ sends_mail: boolean } | null>(null);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () =>
      setAnswer(
        await store.api.post<{ sends_mail: boolean }>("/api/auth/forgot-password", { email }),
      ),
    );
  };
  if (answer?.sends_mail === false) {
    return (
      <Gate
        title="No mail goes out here"
        text="This Snug is not set up to send mail. Ask an administrator to set a new password for you."
      >
        <BackToSignIn />
      </Gate>
    );
  }
  if (answer) {
    return (
      <Gate
        title="Look into your mail"
        text={`If ${email} has an account here, a link is on its way. It works for 15 minutes.`}
      >
        <p class="muted small">
          Nothing there? Look among the spam, check the address, or ask an administrator.
        </p>
        <Button wide onClick={() => setAnswer(null)}>
          Try another address
        </Button>
        <BackToSignIn />
      </Gate>
    );
  }
  return (
    <Gate title="Forgot your password?" text="We send you a link to choose a new one.">
      <form class="form" onSubmit={submit}>
        <Field
          label="Email"
          type="email"
          value={email}
          onValue={setEmail}
          autocomplete="email"
          required
          autofocus
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <Button kind="primary" type="submit" wide busy={action.busy}>
          Send the link
        </Button>
      </form>
      <BackToSignIn />
    </Gate>
  );
}

function BackToSignIn() {
  return (
    <p class="small">
      <a href="/signin">Back to sign in</a>
    </p>
  );
}
