import type { IdentityProvider } from "../../../src/wire/providers.ts";
import { Field } from "../parts/field.tsx";
import type { ProviderValues } from "./provider-values.ts";
import { t } from "../words/translate.ts";

type ProviderConnectionProps = {
  /** Null for a new one. */
  provider: IdentityProvider | null;
  values: ProviderValues;
  onChange(change: Partial<ProviderValues>): void;
  slug: string;
  onSlug(slug: string): void;
  secret: string;
  onSecret(secret: string): void;
  errorOf(field: string): string | undefined;
};

/** A provider's name, and how the service reaches it. */
export function ProviderConnection(props: ProviderConnectionProps) {
  const { provider, values, onChange, slug, onSlug, secret, onSecret, errorOf } = props;
  return (
    <>
      <Field
        label={t("label.name")}
        hint={t("provider.name-hint")}
        value={values.name}
        onValue={(name) => onChange({ name })}
        error={errorOf("name")}
        autocomplete="off"
        maxLength={80}
        required
        autofocus
      />
      {!provider && (
        <Field
          label={t("provider.slug")}
          hint={t("provider.slug-hint")}
          value={slug}
          onValue={onSlug}
          error={errorOf("slug")}
          autocomplete="off"
          maxLength={32}
          required
        />
      )}
      <Field
        label={t("provider.issuer")}
        type="url"
        value={values.issuer}
        onValue={(issuer) => onChange({ issuer })}
        error={errorOf("issuer")}
        autocomplete="off"
        required
      />
      <Field
        label={t("provider.client-id")}
        value={values.client_id}
        onValue={(client_id) => onChange({ client_id })}
        error={errorOf("client_id")}
        autocomplete="off"
        required
      />
      <Field
        label={t("provider.secret")}
        type="password"
        hint={provider?.has_client_secret ? t("provider.secret-kept") : undefined}
        value={secret}
        onValue={onSecret}
        error={errorOf("client_secret")}
        autocomplete="new-password"
      />
    </>
  );
}
