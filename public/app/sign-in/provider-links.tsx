import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { t } from "../words/translate.ts";

type Providers = SignInMethods["providers"];

/**
 * The address that starts the sign-in with a provider. The service accepts only paths of this site
 * as `returnTo`.
 */
export const startOf = (slug: string, returnTo: string) =>
  `/api/auth/oidc/${slug}/start?return_to=${encodeURIComponent(returnTo)}`;

type ProviderLinksProps = {
  providers: Providers;
  returnTo: string;
  isProof?: boolean;
};

/** A button for each provider. The `target` keeps the client from handling the link itself. */
export function ProviderLinks({ providers, returnTo, isProof }: ProviderLinksProps) {
  return (
    <div class="form">
      {providers.map(({ slug, name }) => (
        <a
          key={slug}
          class="button full"
          target="_self"
          href={startOf(slug, returnTo) + (isProof ? "&proof=1" : "")}
        >
          <span class="truncate">{t("sign-in.with", { name })}</span>
        </a>
      ))}
    </div>
  );
}
