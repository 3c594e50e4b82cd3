import { useEffect, useState } from "preact/hooks";
import type { Me } from "../../../../src/wire/models.ts";
import { store, toast } from "../../app.ts";
import { ApiError } from "../../connection/api.ts";
import { disablePush, enablePush, type PushState, readPushState } from "../../connection/push.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Switch } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { Pause } from "./pause.tsx";

/** What is said where there is nothing to switch. */
const WORDS: Partial<Record<PushState, string>> = {
  unsupported: "This browser cannot show notifications of a page that is closed.",
  install:
    "On this device notifications work once Snug is installed: share this page and choose Add to Home Screen, then open Snug from there.",
  denied:
    "You have forbidden notifications for this page. Allow them in the browser's settings for this site, then come back.",
};

/** Whether this browser is told of messages while Snug is closed. */
export function PushCard({ me }: { me: Me }) {
  const [state, setState] = useState<PushState | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const action = useAction();
  useEffect(() => void readPushState().then(setState), []);
  const set = (wanted: boolean) =>
    action.run(async () => {
      setProblem(null);
      try {
        const now = await (wanted ? enablePush(store.api) : disablePush(store.api));
        setState(now);
        if (now === "on") toast("This browser is told of messages.");
      } catch (error) {
        if (error instanceof ApiError) throw error;
        // The browser's own push service, which we know nothing of.
        setProblem(
          "This browser's push service did not answer. Check your connection, then try again.",
        );
        setState(await readPushState());
      }
    });
  const test = () =>
    action.run(async () => {
      const sent = await store.api.post<{ delivered: number }>("/api/push/test");
      toast(
        sent.delivered > 0
          ? "The test is on its way to your browsers."
          : "No push service took it. Try again in a minute.",
      );
    });
  const words = state && WORDS[state];
  return (
    <section class="card">
      <h2>On this device</h2>
      {words ? (
        <p class="muted">{words}</p>
      ) : (
        <Switch
          label="Notify me of messages"
          hint="When the room is not open anywhere. Each room has its own setting in its head."
          checked={state === "on"}
          onChecked={(checked) => void set(checked)}
        />
      )}
      {(action.error ?? problem) && <ErrorText>{action.error ?? problem}</ErrorText>}
      {state === "on" && (
        <div class="actions">
          <Button busy={action.busy} onClick={() => void test()}>
            Send a test
          </Button>
        </div>
      )}
      <Pause me={me} />
    </section>
  );
}
