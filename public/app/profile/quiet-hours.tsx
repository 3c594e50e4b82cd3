import type { Me, QuietHours as Hours } from "../../../src/wire/models.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Switch } from "../parts/field.tsx";
import { useAction } from "../parts/use-action.ts";
import { currentZone } from "../session/time-zone.ts";
import { getDateFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { updateMe } from "./update-me.ts";

type Period = NonNullable<Hours["days"][number]>;

const NIGHT: Period = { from: "22:00", to: "07:00" };

/** The hours of each day of the week in which nothing is pushed or mailed. */
export function QuietHours({ me }: { me: Me }) {
  const action = useAction();
  const hours = me.quiet_hours;
  const save = (quiet_hours: Hours | null) => void action.run(() => updateMe({ quiet_hours }));
  const setDay = (day: number, period: Period | null) =>
    hours && save({ ...hours, days: hours.days.with(day, period) });
  return (
    <section class="card">
      <h2>{t("quiet.title")}</h2>
      <Switch
        label={t("quiet.on")}
        hint={t("quiet.hint")}
        checked={hours !== null}
        onChecked={(isOn) =>
          save(
            isOn
              ? { time_zone: currentZone(), days: Array.from({ length: 7 }, () => NIGHT) }
              : null,
          )
        }
      />
      {hours && (
        <>
          <ul class="quiet-days stack gap-4">
            {hours.days.map((period, day) => (
              <QuietDay
                key={day}
                day={day}
                period={period}
                onChange={(next) => setDay(day, next)}
              />
            ))}
          </ul>
          <p class="muted small">{t("quiet.zone", { zone: hours.time_zone })}</p>
          {hours.time_zone !== currentZone() && (
            <div class="actions">
              <Button
                busy={action.busy}
                onClick={() => save({ ...hours, time_zone: currentZone() })}
              >
                {t("quiet.use-zone", { zone: currentZone() })}
              </Button>
            </div>
          )}
        </>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}

type DayProps = { day: number; period: Period | null; onChange(period: Period | null): void };

function QuietDay({ day, period, onChange }: DayProps) {
  const name = nameOfDay(day);
  const time = (key: keyof Period, label: string) =>
    period && (
      <input
        type="time"
        class="input"
        required
        aria-label={label}
        value={period[key]}
        onChange={({ currentTarget: { value } }) => value && onChange({ ...period, [key]: value })}
      />
    );
  return (
    <li class="row wrap">
      <label class="quiet-day row">
        <input
          type="checkbox"
          checked={period !== null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? NIGHT : null)}
        />
        {name}
      </label>
      {period ? (
        <span class="period row wrap">
          {time("from", t("quiet.from", { day: name }))}
          <span aria-hidden="true">–</span>
          {time("to", t("quiet.to", { day: name }))}
          {period.to <= period.from && <span class="muted small">{t("quiet.next-day")}</span>}
        </span>
      ) : (
        <span class="muted small">{t("quiet.none")}</span>
      )}
    </li>
  );
}

/** The name of a day; 0 is Monday. The first day of 2024 was a Monday. */
function nameOfDay(day: number): string {
  const date = new Date(Date.UTC(2024, 0, 1 + day));
  return getDateFormat(currentLocale(), { weekday: "long", timeZone: "UTC" }).format(date);
}
