import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { inAnHour, pausedUntil, pauseUntil, tomorrow } from "../session/pause-notifications.ts";
import { t } from "../words/translate.ts";

/** Pauses notifications on all devices. */
export function Pause() {
  const action = useAction();
  const until = pausedUntil();
  const set = (time: Date | null) => void action.run(() => pauseUntil(time));
  return (
    <div class="form">
      <h3>{t("pause.title")}</h3>
      <p class="muted">{until ? t("pause.until", { when: fullTimeOf(until) }) : t("pause.text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {until ? (
          <Button onClick={() => set(null)}>{t("pause.resume")}</Button>
        ) : (
          <>
            <Button onClick={() => set(inAnHour())}>{t("pause.hour")}</Button>
            <Button onClick={() => set(tomorrow())}>{t("pause.tomorrow")}</Button>
          </>
        )}
      </div>
    </div>
  );
}
