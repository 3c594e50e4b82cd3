import type { Me } from "../../../../src/wire/models.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { changeMe } from "./change-me.ts";

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** No notifications for a while, on any device. */
export function Pause({ me }: { me: Me }) {
  const action = useAction();
  const until = me.push_paused_until;
  const isPaused = until !== null && Date.parse(until) > Date.now();
  const set = (time: Date | null) =>
    void action.run(() => changeMe({ push_paused_until: time?.toISOString() ?? null }));
  return (
    <div class="form">
      <h3>Pause</h3>
      <p class="muted">
        {isPaused
          ? `No notifications on any device until ${fullTimeOf(until)}.`
          : "No notifications on any device for a while. Unread marks go on."}
      </p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {isPaused ? (
          <Button onClick={() => set(null)}>Resume</Button>
        ) : (
          <>
            <Button onClick={() => set(new Date(Date.now() + HOUR_MS))}>For an hour</Button>
            <Button onClick={() => set(tomorrow())}>Until tomorrow</Button>
          </>
        )}
      </div>
    </div>
  );
}

function tomorrow(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(MORNING, 0, 0, 0);
  return time;
}
