import { useEffect, useState } from "preact/hooks";
import { storage, store } from "../session/store.ts";
import { dayAhead } from "../parts/times.ts";
import { t } from "../words/translate.ts";
import { storeIfSpace } from "../connection/storage.ts";

/**
 * The storage key for the day on which the service last said that the account needs no second
 * factor.
 */
const KEY = "snug.no-factor-required";

/** Reminds someone without a second factor of the day from which the team requires it. */
export function FactorReminder() {
  const [from, setFrom] = useState<string | null>(null);
  useEffect(() => {
    const today = `${store.me.value?.id} ${new Date().toDateString()}`;
    if (storage.getItem(KEY) === today) return;
    store.call("GET /api/auth/me/second-factor").then(
      ({ is_required, is_on, required_from }) => {
        if (is_required && !is_on) setFrom(required_from);
        else storeIfSpace(storage, KEY, today);
      },
      // The next page load checks again.
      () => {},
    );
  }, []);
  if (!from) return null;
  return (
    <div class="banner center row small" role="status">
      <span>{t("security.required-from", { day: dayAhead(new Date(from)) })}</span>
      <a class="button" href="/profile/security">
        {t("factor.set-up")}
      </a>
    </div>
  );
}
