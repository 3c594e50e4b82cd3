import { useState } from "preact/hooks";
import type {
  CreateOutgoingWebhook,
  OutgoingWebhookWithSecret,
} from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../app.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { HookForm } from "./hook-form.tsx";
import { Secret } from "./secret.tsx";
import { say } from "../../words/say.ts";

const EMPTY: CreateOutgoingWebhook = { name: "", url: "", events: ["message.created"] };

type NewProps = { base: string; onMade(): void; onClose(): void };

export function NewHook({ base, onMade, onClose }: NewProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (given: CreateOutgoingWebhook) => {
    setSecret((await store.api.post<OutgoingWebhookWithSecret>(base, given)).secret);
    onMade();
  };
  return (
    <Dialog
      title={secret ? say("webhooks.its-secret") : say("webhooks.add-title")}
      onClose={onClose}
    >
      {secret ? (
        <Secret secret={secret} text={say("webhooks.secret-text")} onDone={onClose} />
      ) : (
        <HookForm given={EMPTY} label={say("webhooks.add")} onSubmit={make} onCancel={onClose} />
      )}
    </Dialog>
  );
}
