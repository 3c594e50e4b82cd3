import { useEffect, useState } from "preact/hooks";
import type { IncomingWebhook, NewIncomingWebhook } from "../../../../src/wire/hooks.ts";
import type { MyRoom, Page } from "../../../../src/wire/models.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { nameOf } from "../../parts/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { Confirm } from "../confirm.tsx";
import { NewIncoming } from "./new-incoming.tsx";
import { Posting } from "./posting.tsx";

/** Addresses that programs post into the room by, for its owner and admins. */
export function IncomingWebhooks({ room }: { room: MyRoom }) {
  const [hooks, setHooks] = useState<IncomingWebhook[] | null>(null);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<NewIncomingWebhook | null>(null);
  const [deleting, setDeleting] = useState<IncomingWebhook | null>(null);
  const action = useAction();
  const base = `/api/rooms/${room.id}/incoming-webhooks`;
  const load = async () =>
    setHooks((await store.api.get<Page<IncomingWebhook>>(`${base}?limit=200`)).items);
  useEffect(() => void action.run(load), [room.id]);
  return (
    <section class="hooks">
      <header>
        <h3 class="grow">Incoming webhooks</h3>
        <Button onClick={() => setAdding(true)}>Add address</Button>
      </header>
      {hooks?.length === 0 && (
        <p class="muted small">
          Let another program post here: alerts, builds, anything that speaks Slack's form or
          GitHub's.
        </p>
      )}
      <ul class="list">
        {hooks?.map((hook) => (
          <li key={hook.id}>
            <div class="grow">
              <p class="truncate">
                <b>{hook.name}</b>
              </p>
              <p class="muted small truncate">
                By {nameOf(hook.created_by)}
                {hook.bot && ` · speaks as ${nameOf(hook.bot)}`} ·{" "}
                {hook.last_used_at ? `used ${fullTimeOf(hook.last_used_at)}` : "not used yet"}
              </p>
            </div>
            <Button kind="danger" onClick={() => setDeleting(hook)}>
              Delete <span class="visually-hidden">{hook.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {adding && (
        <NewIncoming
          base={base}
          onMade={(hook) => {
            setMade(hook);
            void action.run(load);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made && <Posting hook={made} onClose={() => setMade(null)} />}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          text="The address stops working at once. What it posted stays."
          action="Delete"
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await store.api.delete(`${base}/${deleting.id}`);
            await load();
            toast(`The address of ${deleting.name} is gone.`);
          }}
        />
      )}
    </section>
  );
}
