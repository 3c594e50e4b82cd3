import type { IdentityProvider, UpdateIdentityProvider } from "../../../src/wire/providers.ts";

/** Every switch of a new provider is off. */
export const NEW_PROVIDER = {
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
export type ProviderValues = typeof NEW_PROVIDER;
export type SwitchName = {
  [Name in keyof ProviderValues]: ProviderValues[Name] extends boolean ? Name : never;
}[keyof ProviderValues];

/**
 * The fields that may be changed: the environment sets the connection of a provider that comes from
 * it.
 */
export function pickChanges(
  values: ProviderValues,
  provider: IdentityProvider | null,
): UpdateIdentityProvider {
  const keys = Object.keys(NEW_PROVIDER) as (keyof ProviderValues)[];
  const fixed = provider?.is_from_environment ? ["name", "issuer", "client_id"] : [];
  return Object.fromEntries(
    keys.filter((key) => !fixed.includes(key)).map((key) => [key, values[key]]),
  );
}
