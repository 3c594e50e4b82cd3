import { store } from "../../session/store.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { useAction } from "../../parts/use-action.ts";
import { SignInPage } from "../../sign-in/sign-in-page.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { useSecondFactor } from "./security.tsx";
import { t } from "../../words/translate.ts";

/** The only page for a session that lacks the second factor required by the team. */
export function Restricted() {
  const [state, reload, error] = useSecondFactor();
  const action = useAction();
  const onChanged = async () => {
    await reload();
    const now = await store.call("GET /api/auth/me/second-factor");
    if (!now.is_restricted) await store.start();
  };
  return (
    <SignInPage title={t("restricted.title")} text={t("restricted.text")}>
      {state && <SecondFactor state={state} onChanged={onChanged} />}
      {error && <ErrorText>{error}</ErrorText>}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        {error && <Button onClick={() => void reload()}>{t("try-again")}</Button>}
        <Button busy={action.busy} onClick={() => void action.run(() => store.signOut())}>
          {t("sign-out")}
        </Button>
      </div>
    </SignInPage>
  );
}
