import type { SignInMethods } from "../../../src/wire/sign-in.ts";
import { t } from "../words/translate.ts";

type Providers = SignInMethods["providers"];

/**
 * The address where signing in with a provider begins. The service accepts only paths of this site
 * as `returnTo`.
 */
export const startOf = (slug: string, returnTo: string) =>
  `/api/auth/oidc/${slug}/start?return_to=${encodeURIComponent(returnTo)}`;

type ProviderLinksProps = {
  providers: Providers;
  returnTo: string;
  /** Whether signing in there is a proof of who the user is. */
  isProof?: boolean;
};

/** A button for each provider. Its target keeps the link from being followed within the page. */
export function ProviderLinks({ providers, returnTo, isProof }: ProviderLinksProps) {
  return (
    <div class="form">
      {providers.map(({ slug, name }) => (
        <a
          key={slug}
          class="button wide"
          target="_self"
          href={startOf(slug, returnTo) + (isProof ? "&proof=1" : "")}
        >
          <span class="truncate">{t("sign-in.with", { name })}</span>
        </a>
      ))}
    </div>
  );
}
