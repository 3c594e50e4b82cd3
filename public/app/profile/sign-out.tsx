import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

export function SignOut() {
  const action = useAction();
  return (
    <section class="card">
      <h2>{t("sign-out")}</h2>
      <p class="muted">{t("account.sign-out-text")}</p>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button
          kind="danger"
          busy={action.busy}
          onClick={() => void action.run(() => store.signOut())}
        >
          {t("sign-out")}
        </Button>
      </div>
    </section>
  );
}
