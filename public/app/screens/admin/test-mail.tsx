import { useState } from "preact/hooks";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";

/** Sends a mail at once, and tells what the server said. */
export function TestMail() {
  const [to, setTo] = useState(store.me.value?.email ?? "");
  const action = useAction(["to"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await store.api.post("/api/admin/settings/smtp/test", { to: to.trim() });
      toast(`The server took the mail to ${to}.`);
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <h3>Test mail</h3>
      <Field
        label="To"
        type="email"
        hint="Sent with what is saved above. What the server says is shown here."
        value={to}
        onValue={setTo}
        error={action.field("to")}
        required
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button type="submit" busy={action.busy}>
          Send a test mail
        </Button>
      </div>
    </form>
  );
}
