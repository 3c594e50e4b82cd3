import { useEffect, useState } from "preact/hooks";
import type { Me } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { ApiError } from "../connection/api.ts";
import { disablePush, enablePush, type PushState, readPushState } from "../connection/push.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Switch } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { Pause } from "./pause.tsx";
import { t } from "../words/translate.ts";

/** Where there is nothing to switch: it is said why. */
const isStuck = (state: PushState | null) =>
  state === "unsupported" || state === "install" || state === "denied" ? state : null;

/** Whether this browser is told of messages while Snug is closed. */
export function PushCard({ me }: { me: Me }) {
  const [state, setState] = useState<PushState | null>(null);
  const [silent, setSilent] = useState(false);
  const action = useAction();
  useEffect(() => void readPushState().then(setState), []);
  const set = (wanted: boolean) =>
    action.run(async () => {
      setSilent(false);
      try {
        const now = await (wanted ? enablePush(store.api) : disablePush(store.api));
        setState(now);
        if (now === "on") showToast(t("push.on"));
      } catch (error) {
        if (error instanceof ApiError) throw error;
        // The browser's own push service, which we know nothing of.
        setSilent(true);
        setState(await readPushState());
      }
    });
  const test = () =>
    action.run(async () => {
      const sent = await store.api.call("POST /api/push/test");
      showToast(sent.delivered > 0 ? t("push.test-sent") : t("push.test-refused"));
    });
  const stuck = isStuck(state);
  const problem = action.error ?? (silent && t("push.no-answer"));
  return (
    <section class="card">
      <h2>{t("push.title")}</h2>
      {stuck ? (
        <p class="muted">{t(`push.${stuck}`)}</p>
      ) : (
        <Switch
          label={t("push.notify")}
          hint={t("push.notify-hint")}
          checked={state === "on"}
          onChecked={(checked) => void set(checked)}
        />
      )}
      {problem && <ErrorText>{problem}</ErrorText>}
      {state === "on" && (
        <div class="actions">
          <Button busy={action.busy} onClick={() => void test()}>
            {t("push.test")}
          </Button>
        </div>
      )}
      <Pause me={me} />
    </section>
  );
}
