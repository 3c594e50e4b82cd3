import { useEffect, useState } from "preact/hooks";
import { storage, store } from "../session/store.ts";
import { dayName } from "../parts/times.ts";
import { t } from "../words/translate.ts";

/** The day on which a device has last learned that no second factor is required of someone. */
const KEY = "snug.no-factor-required";

/** Says from when on the team requires a second factor, to someone who has none. */
export function FactorReminder() {
  const [from, setFrom] = useState<string | null>(null);
  useEffect(() => {
    const today = `${store.me.value?.id} ${new Date().toDateString()}`;
    if (storage.getItem(KEY) === today) return;
    store.api.call("GET /api/auth/me/second-factor").then(
      ({ is_required, is_on, required_from }) => {
        if (is_required && !is_on) setFrom(required_from);
        else storage.setItem(KEY, today);
      },
      // The next load of the page asks again.
      () => {},
    );
  }, []);
  if (!from) return null;
  return (
    <div class="banner" role="status">
      <span>{t("factor.required-from", { day: dayName(from) })}</span>
      <a class="button" href="/profile/security">
        {t("factor.set-up")}
      </a>
    </div>
  );
}
