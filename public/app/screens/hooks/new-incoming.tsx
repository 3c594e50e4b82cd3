import { useState } from "preact/hooks";
import type { NewIncomingWebhook } from "../../../../src/wire/hooks.ts";
import { store } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText, Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";

type NewIncomingProps = {
  base: string;
  onMade(hook: NewIncomingWebhook): void;
  onClose(): void;
};

export function NewIncoming({ base, onMade, onClose }: NewIncomingProps) {
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const action = useAction(["name", "secret"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const given = { name, secret: secret || null };
      onMade(await store.api.post<NewIncomingWebhook>(base, given));
      onClose();
    });
  };
  return (
    <Dialog title="An address to post to" onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <Field
          label="Name"
          hint="What its messages go by, with a bot mark."
          value={name}
          onValue={setName}
          error={action.field("name")}
          autocomplete="off"
          required
          autofocus
        />
        <Field
          label="GitHub secret"
          hint="Only for GitHub's own webhooks: the same secret as there. Leave it empty for all else."
          value={secret}
          onValue={setSecret}
          error={action.field("secret")}
          autocomplete="off"
        />
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy}>
            Make address
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
