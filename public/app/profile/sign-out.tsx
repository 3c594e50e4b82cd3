import { hasSignedOut, store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

/** The buttons that end this session, or all of them. */
export function SignOut() {
  const action = useAction();
  const here = async () => void (await store.signOut());
  const everywhere = async () => {
    const redirect = await store.signOut(true);
    // The provider ends its own session, and then leads back here.
    if (redirect) location.assign(redirect);
  };
  const run = (work: () => Promise<void>) => {
    hasSignedOut.value = true;
    void action.run(work);
  };
  return (
    <section class="card">
      <h2>{t("sign-out")}</h2>
      <p class="muted">{t("account.sign-out-text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button busy={action.busy} onClick={() => run(everywhere)}>
          {t("account.sign-out-everywhere")}
        </Button>
        <Button kind="danger" busy={action.busy} onClick={() => run(here)}>
          {t("sign-out")}
        </Button>
      </div>
    </section>
  );
}
