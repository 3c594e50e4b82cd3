import { useEffect, useState } from "preact/hooks";
import type { Me, PushPreview } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { ApiError } from "../connection/api.ts";
import {
  disablePush,
  enablePush,
  type PushState,
  readPushState,
} from "../connection/push-subscription.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Notice } from "../parts/notice.tsx";
import { Select, Switch } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";
import { fullTimeOf } from "../parts/times.ts";
import { inAnHour, pausedUntil, pauseUntil, tomorrow } from "../session/pause-notifications.ts";
import { updateMe } from "./update-me.ts";

/** Why notifications cannot be enabled in this browser; null if they can. */
const blockerOf = (state: PushState | null) =>
  state === "unsupported" || state === "install" || state === "denied" ? state : null;

export function PushCard() {
  const [state, setState] = useState<PushState | null>(null);
  const [noAnswer, setNoAnswer] = useState(false);
  const action = useAction();
  useEffect(() => void readPushState().then(setState), []);
  const set = (isOn: boolean) =>
    action.run(async () => {
      setNoAnswer(false);
      try {
        const now = await (isOn ? enablePush(store.api) : disablePush(store.api));
        setState(now);
        if (now === "on") showToast(t("push.on"));
      } catch (error) {
        if (error instanceof ApiError) throw error;
        // The browser's push service failed. Its errors have no useful text.
        setNoAnswer(true);
        setState(await readPushState());
      }
    });
  const test = () =>
    action.run(async () => {
      const result = await store.call("POST /api/push/test");
      showToast(result.delivered > 0 ? t("push.test-sent") : t("push.test-refused"));
    });
  const blocker = blockerOf(state);
  const problem = action.error ?? (noAnswer && t("push.no-answer"));
  return (
    <section class="card">
      <h2>{t("push.title")}</h2>
      {blocker ? (
        <Notice isWarning={blocker === "denied"}>{t(`push.${blocker}`)}</Notice>
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
            {t("action.send-test")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** What applies to notifications of all devices. */
export function AllDevices({ me }: { me: Me }) {
  return (
    <section class="card">
      <h2>{t("push.all-devices")}</h2>
      <PreviewChoice me={me} />
    </section>
  );
}

export function Pause() {
  const action = useAction();
  const until = pausedUntil();
  const set = (time: Date | null) => void action.run(() => pauseUntil(time));
  return (
    <section class="card">
      <h2>{t("pause.title")}</h2>
      <p class="muted small">
        {until ? t("pause.until", { when: fullTimeOf(until) }) : t("pause.text")}
      </p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {until ? (
          <Button onClick={() => set(null)}>{t("action.resume")}</Button>
        ) : (
          <>
            <Button onClick={() => set(inAnHour())}>{t("until.hour")}</Button>
            <Button onClick={() => set(tomorrow())}>{t("until.tomorrow")}</Button>
          </>
        )}
      </div>
    </section>
  );
}

function PreviewChoice({ me }: { me: Me }) {
  const action = useAction();
  const options: [value: PushPreview, label: string][] = [
    ["full", t("preview.full")],
    ["sender", t("preview.sender")],
    ["none", t("preview.none")],
  ];
  return (
    <div class="form">
      <Select
        label={t("preview.title")}
        hint={t("preview.hint")}
        value={me.push_preview}
        options={options}
        onValue={(push_preview) => void action.run(() => updateMe({ push_preview }))}
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </div>
  );
}
