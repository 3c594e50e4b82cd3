import type { SecondFactorPolicy, SignInSettings } from "../../../src/wire/providers.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Select } from "../parts/field.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { atTime } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { Providers } from "./providers.tsx";
import { t } from "../words/translate.ts";

const POLICIES = [
  ["optional", "policy.optional"],
  ["administrators", "policy.administrators"],
  ["everyone", "policy.everyone"],
] as const;

export function SignInPart() {
  return (
    <>
      <h2 class="not-on-phone">{t("admin.signin")}</h2>
      <Loaded load={() => store.call("GET /api/admin/settings/sign-in")} height={144}>
        {(settings, show) => (
          <>
            <Policy settings={settings} onSaved={show} />
            <Providers emergencyAccounts={settings.emergency_accounts} />
          </>
        )}
      </Loaded>
    </>
  );
}

type PolicyProps = { settings: SignInSettings; onSaved(settings: SignInSettings): void };

function Policy({ settings, onSaved }: PolicyProps) {
  const action = useAction();
  const save = async (second_factor: SecondFactorPolicy) => {
    const body = { second_factor };
    onSaved(await store.call("PUT /api/admin/settings/sign-in", { body }));
    showToast(t("policy.saved"));
  };
  return (
    <>
      <h3>{t("security.title")}</h3>
      <Select
        label={t("policy.label")}
        hint={
          settings.second_factor === "optional"
            ? undefined
            : t("policy.hint", { days: settings.grace_days })
        }
        value={settings.second_factor}
        options={POLICIES.map(([value, key]) => [value, t(key)])}
        onValue={(value) => void action.run(() => save(value))}
      />
      {settings.second_factor_since && (
        <p class="muted small">
          {t("policy.since", { when: atTime(settings.second_factor_since) })}{" "}
          {t("policy.without", { count: settings.without_second_factor })}
        </p>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </>
  );
}
