import { useState } from "preact/hooks";
import type { IdentityProvider } from "../../../src/wire/providers.ts";
import { store } from "../session/store.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Switch } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type FormFields, useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

const NEW_SWITCHES = {
  link_by_email: false,
  trusts_email: false,
  allow_signup: false,
  sync_profile: false,
  counts_as_second_factor: false,
  proves_without_auth_time: false,
  is_exclusive: false,
  is_enabled: true,
};
type SwitchName = keyof typeof NEW_SWITCHES;

function switchesOf(provider: Record<SwitchName, boolean>) {
  const names = Object.keys(NEW_SWITCHES) as SwitchName[];
  return Object.fromEntries(names.map((name) => [name, provider[name]])) as typeof NEW_SWITCHES;
}

/** The texts of the form. The secret is never read back. */
const textsOf = (provider: IdentityProvider | null) => ({
  name: provider?.name ?? "",
  slug: provider?.slug ?? "",
  issuer: provider?.issuer ?? "https://",
  client_id: provider?.client_id ?? "",
  client_secret: "",
  scopes: provider?.scopes ?? "openid profile email",
  allowed_domains: provider?.allowed_domains.join(" ") ?? "",
  groups_claim: provider?.groups_claim ?? "",
  admin_group: provider?.admin_group ?? "",
  max_session_hours: String(provider?.max_session_hours ?? 720),
});

type ProviderFormProps = {
  /** Null for a new provider. */
  provider: IdentityProvider | null;
  onClose(): void;
  onSaved(provider: IdentityProvider): Promise<void>;
};

/** Adds or changes a provider. */
export function ProviderForm({ provider, onClose, onSaved }: ProviderFormProps) {
  const { values, action, field } = useForm(textsOf(provider));
  const [switches, setSwitches] = useState(() => switchesOf(provider ?? NEW_SWITCHES));
  const submit = async () => {
    const { name, slug, issuer, client_id, client_secret, scopes } = values;
    const settings = {
      ...switches,
      scopes,
      allowed_domains: values.allowed_domains.split(/[\s,]+/).filter((domain) => domain !== ""),
      groups_claim: values.groups_claim || null,
      admin_group: values.admin_group || null,
      max_session_hours: Number(values.max_session_hours),
    };
    const connection = { name, issuer, client_id, ...(client_secret && { client_secret }) };
    await onSaved(
      provider
        ? await store.call("PATCH /api/admin/identity-providers/:id", {
            params: { id: provider.id },
            // The environment sets the connection of a provider that comes from it.
            body: { ...(!provider.is_from_environment && connection), ...settings },
          })
        : await store.call("POST /api/admin/identity-providers", {
            body: { ...connection, ...settings, slug },
          }),
    );
  };
  const toggle = (name: SwitchName, label: string, hint?: string) => (
    <Switch
      label={label}
      hint={hint}
      checked={switches[name]}
      onChecked={(checked) => setSwitches({ ...switches, [name]: checked })}
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
        {!provider?.is_from_environment && <ProviderConnection provider={provider} field={field} />}
        {toggle("is_enabled", t("provider.enabled"))}
        <h3>{t("provider.who")}</h3>
        {toggle("allow_signup", t("provider.signup"))}
        {switches.allow_signup && (
          <Field
            label={t("provider.domains")}
            hint={t("provider.domains-hint")}
            {...field("allowed_domains")}
            autocomplete="off"
          />
        )}
        {toggle("link_by_email", t("provider.link"), t("provider.link-hint"))}
        {toggle("trusts_email", t("provider.trusts"), t("provider.trusts-hint"))}
        {toggle("counts_as_second_factor", t("provider.counts"), t("provider.counts-hint"))}
        {toggle("proves_without_auth_time", t("provider.undated"), t("provider.undated-hint"))}
        {toggle("is_exclusive", t("provider.exclusive"), t("provider.exclusive-hint"))}
        {toggle("sync_profile", t("provider.sync"))}
        <Field label={t("provider.groups")} {...field("groups_claim")} autocomplete="off" />
        {values.groups_claim && (
          <Field
            label={t("provider.admins")}
            hint={t("provider.admins-hint")}
            {...field("admin_group")}
            autocomplete="off"
          />
        )}
        <Field
          label={t("provider.hours")}
          type="number"
          min={1}
          max={8_760}
          {...field("max_session_hours")}
          required
        />
        <Field label={t("provider.scopes")} {...field("scopes")} autocomplete="off" required />
      </Form>
    </Dialog>
  );
}

type ProviderConnectionProps = {
  /** Null for a new provider. */
  provider: IdentityProvider | null;
  field: FormFields<ReturnType<typeof textsOf>>;
};

/** A provider's name, and how the service reaches it. */
function ProviderConnection({ provider, field }: ProviderConnectionProps) {
  return (
    <>
      <Field
        label={t("label.name")}
        hint={t("provider.name-hint")}
        {...field("name")}
        autocomplete="off"
        maxLength={80}
        required
        autofocus
      />
      {!provider && (
        <Field
          label={t("provider.slug")}
          hint={t("provider.slug-hint")}
          {...field("slug")}
          autocomplete="off"
          maxLength={32}
          required
        />
      )}
      <Field
        label={t("provider.issuer")}
        type="url"
        {...field("issuer")}
        autocomplete="off"
        required
      />
      <Field label={t("provider.client-id")} {...field("client_id")} autocomplete="off" required />
      <Field
        label={t("provider.secret")}
        type="password"
        hint={provider?.has_client_secret ? t("provider.secret-kept") : undefined}
        {...field("client_secret")}
        autocomplete="new-password"
      />
    </>
  );
}
