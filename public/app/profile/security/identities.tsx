import { useEffect, useState } from "preact/hooks";
import type { Identity, SignInMethods } from "../../../../src/wire/sign-in.ts";
import { ApiError, readError } from "../../connection/api.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText } from "../../parts/error-text.tsx";
import { RowText } from "../../parts/row-text.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { formatAgo } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { store } from "../../session/store.ts";
import { askToConfirm } from "../../session/overlay.ts";
import { showToast } from "../../session/toasts.ts";
import { startOf } from "../../sign-in/provider-links.tsx";
import { t } from "../../words/translate.ts";

type Found = { identities: Identity[]; providers: SignInMethods["providers"] };

/** The providers with which the user can sign in, shown if the team has any. */
export function Identities({ onChanged }: { onChanged(): Promise<void> }) {
  const [connections, setConnections] = useState<Found>({ identities: [], providers: [] });
  const action = useAction();
  const load = async () => {
    const [identities, methods] = await Promise.all([
      store.call("GET /api/auth/me/identities"),
      store.call("GET /api/auth/methods"),
    ]);
    setConnections({ identities: identities.items, providers: methods.providers });
  };
  useEffect(() => void action.run(load), []);
  const remove = (identity: Identity) =>
    askToConfirm({
      title: t("identities.remove-title", { name: nameOf(identity) }),
      text: t("identities.remove-text"),
      action: t("identities.disconnect"),
      onConfirm: async () => {
        const params = { id: identity.id };
        await store.call("DELETE /api/auth/me/identities/:id", { params });
        showToast(t("identities.removed", { name: nameOf(identity) }));
        await load();
        await onChanged();
      },
    });
  const { identities, providers } = connections;
  const connectedSlugs = new Set(identities.map(({ provider }) => provider?.slug));
  const others = providers.filter(({ slug }) => !connectedSlugs.has(slug));
  if (identities.length + others.length === 0 && !action.error) return null;
  return (
    <section class="card">
      <h2>{t("identities.title")}</h2>
      <ul class="list" aria-label={t("identities.title")}>
        {identities.map((identity) => (
          <li key={identity.id}>
            <RowText title={nameOf(identity)}>
              {identity.email && `${identity.email} · `}
              <TimeAgo at={identity.last_used_at ?? identity.created_at}>
                {t("last-used", {
                  when: formatAgo(identity.last_used_at ?? identity.created_at),
                })}
              </TimeAgo>
            </RowText>
            <Button onClick={() => remove(identity)}>{t("identities.disconnect")}</Button>
          </li>
        ))}
        {others.map(({ slug, name }) => (
          <li key={slug}>
            <p class="grow truncate strong" dir="auto">
              {name}
            </p>
            <Button onClick={() => void action.run(() => connectProvider(slug))}>
              {t("identities.connect")}
            </Button>
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
    </section>
  );
}

const nameOf = ({ provider, issuer }: Identity) => provider?.name ?? issuer;

/**
 * Redirects to a provider to connect it to the account. Checks first whether the service refuses
 * this or requires reauthentication, so that the profile shows it instead of an error page.
 * @throws ApiError
 */
async function connectProvider(slug: string): Promise<void> {
  const address = `${startOf(slug, "/profile/security")}&connect=1`;
  await store.api.request(async (headers) => {
    const response = await fetch(address, {
      redirect: "manual",
      headers: { ...headers, accept: "application/json" },
    }).catch(() => Promise.reject(new ApiError("offline")));
    // The response is a redirect to the provider, whose address scripts cannot read, so the browser
    // requests it again.
    if (response.type !== "opaqueredirect") throw await readError(response);
  });
  location.assign(address);
}
