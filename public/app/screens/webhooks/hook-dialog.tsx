import { useState } from "preact/hooks";
import type { OutgoingWebhook, OutgoingWebhookWithSecret } from "../../../../src/wire/webhooks.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Confirm } from "../confirm.tsx";
import { Deliveries } from "./deliveries.tsx";
import { HookForm } from "./hook-form.tsx";
import { Secret } from "./secret.tsx";
import { Standing } from "./standing.tsx";
import { atTime, EVENT_WORDS, standingOfHook } from "./words.ts";

type HookProps = { base: string; hook: OutgoingWebhook; onChanged(): void; onClose(): void };
type Doing = { what: "look" | "edit" | "delete" | "rotate" } | { what: "secret"; secret: string };

/** One webhook: how it stands, what can be done with it, and what was sent. */
export function HookDialog({ base, hook, onChanged, onClose }: HookProps) {
  const [doing, setDoing] = useState<Doing>({ what: "look" });
  /** Counts what makes the log worth reading again at once. */
  const [news, setNews] = useState(0);
  const action = useAction();
  const at = `${base}/${hook.id}`;
  const look = () => setDoing({ what: "look" });
  const change = async (given: object) => {
    await store.api.patch(at, given);
    onChanged();
  };
  const test = () =>
    action.run(async () => {
      await store.api.post(`${at}/test`);
      setNews(news + 1);
    });
  const setActive = (is_active: boolean) =>
    action.run(async () => {
      await change({ is_active });
      toast(
        is_active ? "It is sent what happens from now on." : "Nothing is sent until you resume it.",
      );
    });
  const rotate = async () => {
    const { secret } = await store.api.post<OutgoingWebhookWithSecret>(`${at}/rotate-secret`);
    onChanged();
    setDoing({ what: "secret", secret });
  };
  return (
    <Dialog title={hook.name} wide onClose={onClose}>
      <div class="form hook-page">
        <About hook={hook} />
        <div class="hook-actions">
          <Button busy={action.busy} onClick={() => void test()}>
            Send a test
          </Button>
          <Button onClick={() => void setActive(!hook.is_active)}>
            {hook.is_active ? "Pause" : "Resume"}
          </Button>
          <Button onClick={() => setDoing({ what: "edit" })}>Edit</Button>
          <Button onClick={() => setDoing({ what: "rotate" })}>New secret</Button>
          <Button kind="danger" onClick={() => setDoing({ what: "delete" })}>
            Delete
          </Button>
        </div>
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <Deliveries at={at} isActive={hook.is_active} news={news} onRead={onChanged} />
      </div>
      {doing.what === "edit" && (
        <Dialog title="Edit webhook" onClose={look}>
          <HookForm
            given={hook}
            label="Save"
            onSubmit={async (given) => {
              await change(given);
              look();
            }}
            onCancel={look}
          />
        </Dialog>
      )}
      {doing.what === "secret" && (
        <Dialog title="Its new secret" onClose={look}>
          <Secret
            secret={doing.secret}
            text="It is shown only now: copy it. For a day the secret before signs as well, so that you can change the receiver in peace."
            onDone={look}
          />
        </Dialog>
      )}
      {doing.what === "rotate" && (
        <Confirm
          title="Make a new secret?"
          text="The one before goes on signing for a day, beside the new one. Change the receiver until then."
          action="Make a new secret"
          onConfirm={rotate}
          onClose={() => setDoing((now) => (now.what === "rotate" ? { what: "look" } : now))}
        />
      )}
      {doing.what === "delete" && (
        <Confirm
          title={`Delete ${hook.name}?`}
          text="Nothing more is sent, and what is known of earlier deliveries goes. This cannot be undone."
          action="Delete webhook"
          onConfirm={async () => {
            await store.api.delete(at);
            onClose();
          }}
          onClose={look}
        />
      )}
    </Dialog>
  );
}

function About({ hook }: { hook: OutgoingWebhook }) {
  const until = hook.previous_secret_until;
  return (
    <div class="about">
      <Standing of={standingOfHook(hook)} />
      <p class="address">{hook.url}</p>
      <p class="muted small">{hook.events.map((event) => EVENT_WORDS[event]).join(", ")}</p>
      {until && <p class="muted small">The secret before signs as well until {atTime(until)}.</p>}
    </div>
  );
}
