import { useEffect, useState } from "preact/hooks";
import type { MyRoom, Page } from "../../../../src/wire/models.ts";
import type { OutgoingWebhook } from "../../../../src/wire/outgoing-webhooks.ts";
import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { HookDialog } from "./hook-dialog.tsx";
import { NewHook } from "./new-hook.tsx";
import { Standing } from "./standing.tsx";
import { standingOfHook } from "./words.ts";
import { t } from "../../words/translate.ts";

/** Where a room's events go, for its owner and admins. */
export function OutgoingWebhooks({ room }: { room: MyRoom }) {
  const [hooks, setHooks] = useState<OutgoingWebhook[] | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const action = useAction();
  const base = `/api/rooms/${room.id}/outgoing-webhooks`;
  const load = async () =>
    setHooks((await store.api.get<Page<OutgoingWebhook>>(`${base}?limit=200`)).items);
  useEffect(() => void action.run(load), [room.id]);
  const reload = () => void action.run(load);
  const open = hooks?.find((hook) => hook.id === openId);
  return (
    <section class="hooks">
      <header>
        <h3 class="grow">{t("webhooks.outgoing")}</h3>
        <Button onClick={() => setAdding(true)}>{t("webhooks.add")}</Button>
      </header>
      {hooks?.length === 0 && <p class="muted small">{t("webhooks.none")}</p>}
      <ul class="list">
        {hooks?.map((hook) => (
          <li key={hook.id}>
            <button type="button" class="hook" onClick={() => setOpenId(hook.id)}>
              <span class="name truncate">{hook.name}</span>
              <span class="muted small truncate">{hook.url}</span>
              <Standing of={standingOfHook(hook)} />
            </button>
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {adding && <NewHook base={base} onMade={reload} onClose={() => setAdding(false)} />}
      {open && (
        <HookDialog
          base={base}
          hook={open}
          onChanged={reload}
          onClose={() => {
            setOpenId(null);
            reload();
          }}
        />
      )}
    </section>
  );
}
