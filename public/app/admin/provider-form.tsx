import { useState } from "preact/hooks";
import type { IdentityProvider, UpdateIdentityProvider } from "../../../src/wire/providers.ts";
import { store } from "../session/store.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Switch } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useAction } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

/** Every switch of a new provider is off. */
const NEW_PROVIDER = {
  name: "",
  issuer: "https://",
  client_id: "",
  scopes: "openid profile email",
  link_by_email: false,
  trusts_email: false,
  allow_signup: false,
  allowed_domains: [] as string[],
  sync_profile: false,
  groups_claim: null as string | null,
  admin_group: null as string | null,
  counts_as_second_factor: false,
  proves_without_auth_time: false,
  is_exclusive: false,
  max_session_hours: 720,
  is_enabled: true,
};
type ProviderValues = typeof NEW_PROVIDER;
type SwitchName = {
  [Name in keyof ProviderValues]: ProviderValues[Name] extends boolean ? Name : never;
}[keyof ProviderValues];

/**
 * The fields that may be changed: the environment sets the connection of a provider that comes from
 * it.
 */
function pickChanges(
  values: ProviderValues,
  provider: IdentityProvider | null,
): UpdateIdentityProvider {
  const keys = Object.keys(NEW_PROVIDER) as (keyof ProviderValues)[];
  const fixed = provider?.is_from_environment ? ["name", "issuer", "client_id"] : [];
  return Object.fromEntries(
    keys.filter((key) => !fixed.includes(key)).map((key) => [key, values[key]]),
  );
}

type ProviderFormProps = {
  /** Null for a new provider. */
  provider: IdentityProvider | null;
  onClose(): void;
  onSaved(provider: IdentityProvider): Promise<void>;
};

const FIELDS = ["name", "slug", "issuer", "client_id", "client_secret", "scopes"];
/** Adds or changes a provider. Its secret is sent, and never read back. */
export function ProviderForm({ provider, onClose, onSaved }: ProviderFormProps) {
  const [values, setValues] = useState<ProviderValues>(provider ?? NEW_PROVIDER);
  const [slug, setSlug] = useState(provider?.slug ?? "");
  const [secret, setSecret] = useState("");
  const [domains, setDomains] = useState(values.allowed_domains.join(" "));
  const action = useAction([...FIELDS, "max_session_hours", "groups_claim", "admin_group"]);
  const set = (change: Partial<ProviderValues>) => setValues({ ...values, ...change });
  const submit = async () => {
    const allowed_domains = domains.split(/[\s,]+/).filter((domain) => domain !== "");
    const body = { ...pickChanges(values, provider), allowed_domains };
    const sent = secret ? { ...body, client_secret: secret } : body;
    await onSaved(
      provider
        ? await store.call("PATCH /api/admin/identity-providers/:id", {
            params: { id: provider.id },
            body: sent,
          })
        : await store.call("POST /api/admin/identity-providers", {
            body: { ...values, ...sent, slug },
          }),
    );
  };
  const toggle = (name: SwitchName, label: string, hint?: string) => (
    <Switch
      label={label}
      hint={hint}
      checked={values[name]}
      onChecked={(checked) => set({ [name]: checked })}
    />
  );
  return (
    <Dialog
      title={provider ? t("providers.edit", { name: provider.name }) : t("providers.add")}
      wide
      onClose={onClose}
    >
      <Form action={action} submit={t("save")} onCancel={onClose} onSubmit={submit}>
        {provider && (
          <>
            <CopyField label={t("provider.redirect")} value={provider.redirect_uri} />
            <CopyField label={t("provider.backchannel")} value={provider.backchannel_logout_uri} />
          </>
        )}
        {!provider?.is_from_environment && (
          <ProviderConnection
            provider={provider}
            values={values}
            onChange={set}
            slug={slug}
            onSlug={setSlug}
            secret={secret}
            onSecret={setSecret}
            errorOf={action.field}
          />
        )}
        {toggle("is_enabled", t("provider.enabled"))}
        <h3>{t("provider.who")}</h3>
        {toggle("allow_signup", t("provider.signup"))}
        {values.allow_signup && (
          <Field
            label={t("provider.domains")}
            hint={t("provider.domains-hint")}
            value={domains}
            onValue={setDomains}
            error={action.field("allowed_domains")}
            autocomplete="off"
          />
        )}
        {toggle("link_by_email", t("provider.link"), t("provider.link-hint"))}
        {toggle("trusts_email", t("provider.trusts"), t("provider.trusts-hint"))}
        {toggle("counts_as_second_factor", t("provider.counts"), t("provider.counts-hint"))}
        {toggle("proves_without_auth_time", t("provider.undated"), t("provider.undated-hint"))}
        {toggle("is_exclusive", t("provider.exclusive"), t("provider.exclusive-hint"))}
        {toggle("sync_profile", t("provider.sync"))}
        <Field
          label={t("provider.groups")}
          value={values.groups_claim ?? ""}
          onValue={(text) => set({ groups_claim: text || null })}
          error={action.field("groups_claim")}
          autocomplete="off"
        />
        {values.groups_claim && (
          <Field
            label={t("provider.admins")}
            hint={t("provider.admins-hint")}
            value={values.admin_group ?? ""}
            onValue={(text) => set({ admin_group: text || null })}
            error={action.field("admin_group")}
            autocomplete="off"
          />
        )}
        <Field
          label={t("provider.hours")}
          type="number"
          min={1}
          max={8_760}
          value={String(values.max_session_hours)}
          onValue={(text) => set({ max_session_hours: Number(text) })}
          error={action.field("max_session_hours")}
          required
        />
        <Field
          label={t("provider.scopes")}
          value={values.scopes}
          onValue={(scopes) => set({ scopes })}
          error={action.field("scopes")}
          autocomplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}

type ProviderConnectionProps = {
  /** Null for a new provider. */
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
function ProviderConnection(props: ProviderConnectionProps) {
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
