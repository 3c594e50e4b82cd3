import { useEffect, useState } from "preact/hooks";
import { storage, store } from "../session/store.ts";
import { dayName } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { keepIfSpace } from "../connection/storage.ts";

/** The day on which this device last learned that the account needs no second factor. */
const KEY = "snug.no-factor-required";

/** Reminds someone without a second factor from when on the team requires one. */
export function FactorReminder() {
  const [from, setFrom] = useState<string | null>(null);
  useEffect(() => {
    const today = `${store.me.value?.id} ${new Date().toDateString()}`;
    if (storage.getItem(KEY) === today) return;
    store.call("GET /api/auth/me/second-factor").then(
      ({ is_required, is_on, required_from }) => {
        if (is_required && !is_on) setFrom(required_from);
        else keepIfSpace(storage, KEY, today);
      },
      // The next load of the page checks again.
      () => {},
    );
  }, []);
  if (!from) return null;
  return (
    <div class="banner row small" role="status">
      <span>{t("factor.required-from", { day: dayName(from) })}</span>
      <a class="button" href="/profile/security">
        {t("factor.set-up")}
      </a>
    </div>
  );
}
