import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

type ProviderSignUpProps = {
  token: string;
  providers: SignInMethods["providers"];
  /** The text between the form with a password and these buttons. */
  isBeside?: boolean;
};

/**
 * Signs up with a provider. The link's token is sent in a request's body, since proxies log
 * addresses.
 */
export function ProviderSignUp({ token, providers, isBeside }: ProviderSignUpProps) {
  const action = useAction();
  const begin = (slug: string) =>
    action.run(async () => {
      const call = { params: { slug }, body: { token } };
      location.assign((await store.call("POST /api/auth/oidc/:slug/start", call)).redirect);
    });
  return (
    <div class="form">
      {isBeside && <p class="or">{t("sign-in.or")}</p>}
      {providers.map(({ slug, name }) => (
        <Button key={slug} wide busy={action.busy} onClick={() => void begin(slug)}>
          <span class="truncate">{t("sign-in.with", { name })}</span>
        </Button>
      ))}
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </div>
  );
}
