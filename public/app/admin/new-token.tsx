import { useState } from "preact/hooks";
import type { NewApiToken } from "../../../src/wire/admin.ts";
import { type Scope, SCOPES } from "../../../src/wire/scopes.ts";
import { store } from "../session/store.ts";
import { Field, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

const DAY_MS = 86_400_000;
const DESCRIPTIONS = {
  "read:messages": "tokens.read",
  "write:messages": "tokens.write",
  "manage:rooms": "tokens.manage",
} as const satisfies Record<Scope, string>;

const expirations = (): [days: string, label: string][] => [
  ["", t("tokens.never")],
  ["30", t("audit-count.days", { count: 30 })],
  ["90", t("audit-count.days", { count: 90 })],
  ["365", t("tokens.year")],
];

/** Creates a token for a bot. It is in the response and nowhere else. */
export function NewToken({
  botId,
  onCreated,
}: {
  botId: string;
  onCreated(token: NewApiToken): Promise<void>;
}) {
  const [scopes, setScopes] = useState<Scope[]>(["read:messages", "write:messages"]);
  const [days, setDays] = useState("");
  const { values, set, action, field } = useForm({ name: "" });
  const submit = async () => {
    const expires_at = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
    const token = await store.call("POST /api/admin/bots/:id/tokens", {
      params: { id: botId },
      body: { ...values, scopes, expires_at },
    });
    set({ name: "" });
    await onCreated(token);
  };
  const toggle = (scope: Scope) =>
    setScopes(
      scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope],
    );
  return (
    <Form action={action} submit={t("tokens.create")} onSubmit={submit}>
      <Field
        label={t("tokens.name")}
        hint={t("tokens.name-hint")}
        {...field("name")}
        autocomplete="off"
        required
      />
      <fieldset class="checks columns explained">
        <legend class="small strong">{t("tokens.permissions")}</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />{" "}
            <code>{scope}</code> <span class="muted small">{t(DESCRIPTIONS[scope])}</span>
          </label>
        ))}
      </fieldset>
      <Select label={t("tokens.expires")} value={days} options={expirations()} onValue={setDays} />
    </Form>
  );
}
