import type { Me } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { updateMe } from "./update-me.ts";
import { t } from "../words/translate.ts";

const HOUR_MS = 3_600_000;
/** The hour of the day at which "until tomorrow" ends. */
const MORNING = 9;

/** Pauses notifications on all devices. */
export function Pause({ me }: { me: Me }) {
  const action = useAction();
  const until = me.push_paused_until;
  const isPaused = until !== null && Date.parse(until) > Date.now();
  const set = (time: Date | null) =>
    void action.run(() => updateMe({ push_paused_until: time?.toISOString() ?? null }));
  return (
    <div class="form">
      <h3>{t("pause.title")}</h3>
      <p class="muted">
        {isPaused ? t("pause.until", { when: fullTimeOf(until) }) : t("pause.text")}
      </p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {isPaused ? (
          <Button onClick={() => set(null)}>{t("pause.resume")}</Button>
        ) : (
          <>
            <Button onClick={() => set(new Date(Date.now() + HOUR_MS))}>{t("pause.hour")}</Button>
            <Button onClick={() => set(tomorrow())}>{t("pause.tomorrow")}</Button>
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
