import { useState } from "preact/hooks";
import type { NewApiToken } from "../../../../src/wire/admin.ts";
import { SCOPES } from "../../../../src/wire/scopes.ts";
import { store } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Field, Select } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";

const DAY_MS = 86_400_000;
const LIVES: [string, string][] = [
  ["", "It does not expire"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
];
const MEANINGS: Record<string, string> = {
  "read:messages": "read messages, images and files",
  "write:messages": "post, edit, react and upload",
  "manage:rooms": "reserved: every token may do what its bot's role allows",
};

/** Makes a token for a bot; it is in the answer and nowhere else. */
export function NewToken({
  botId,
  onMade,
}: {
  botId: string;
  onMade(token: NewApiToken): Promise<void>;
}) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["read:messages", "write:messages"]);
  const [days, setDays] = useState("");
  const action = useAction(["name", "scopes", "expires_at"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const expires_at = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
      const path = `/api/admin/bots/${botId}/tokens`;
      const made = await store.api.post<NewApiToken>(path, { name, scopes, expires_at });
      setName("");
      await onMade(made);
    });
  };
  const toggle = (scope: string) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return (
    <form class="form" onSubmit={submit}>
      <Field
        label="Name of a new token"
        hint="Where it is used, so that you know it again."
        value={name}
        onValue={setName}
        error={action.field("name")}
        autocomplete="off"
        required
      />
      <fieldset class="checks">
        <legend class="legend">It may</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />{" "}
            <code>{scope}</code> <span class="muted small">{MEANINGS[scope]}</span>
          </label>
        ))}
      </fieldset>
      <Select label="Expires after" value={days} options={LIVES} onValue={setDays} />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button kind="primary" type="submit" busy={action.busy}>
          Make token
        </Button>
      </div>
    </form>
  );
}
