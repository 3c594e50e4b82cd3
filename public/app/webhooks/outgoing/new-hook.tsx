import { useState } from "preact/hooks";
import type {
  CreateOutgoingWebhook,
  OutgoingWebhookWithSecret,
} from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../session/store.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { HookForm } from "./hook-form.tsx";
import { Secret } from "./secret.tsx";
import { t } from "../../words/translate.ts";

const EMPTY: CreateOutgoingWebhook = { name: "", url: "", events: ["message.created"] };

type NewProps = { base: string; onMade(): void; onClose(): void };

export function NewHook({ base, onMade, onClose }: NewProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (given: CreateOutgoingWebhook) => {
    setSecret((await store.api.post<OutgoingWebhookWithSecret>(base, given)).secret);
    onMade();
  };
  return (
    <Dialog title={secret ? t("webhooks.secret-title") : t("webhooks.add-title")} onClose={onClose}>
      {secret ? (
        <Secret secret={secret} text={t("webhooks.secret-text")} onDone={onClose} />
      ) : (
        <HookForm given={EMPTY} label={t("webhooks.add")} onSubmit={make} onCancel={onClose} />
      )}
    </Dialog>
  );
}
