import { cleanName } from "../platform/names.ts";
import type { IdentityProvider, UpdateIdentityProvider } from "../wire/providers.ts";
import { cleanIssuer, type ProviderRow } from "./connection.ts";

/**
 * The columns of the fields that are present.
 * @throws Refusal `validation`
 */
export function toValues(
  fields: Omit<UpdateIdentityProvider, "client_secret">,
): Partial<ProviderRow> {
  const values: Partial<ProviderRow> = {
    name: fields.name === undefined ? undefined : cleanName(fields.name, "/name", 80),
    issuer: fields.issuer === undefined ? undefined : cleanIssuer(fields.issuer),
    clientId: fields.client_id,
    scopes: fields.scopes === undefined ? undefined : withOpenid(fields.scopes),
    linkByEmail: fields.link_by_email,
    trustsEmail: fields.trusts_email,
    allowSignup: fields.allow_signup,
    allowedDomains: fields.allowed_domains?.map((domain) => domain.toLowerCase()),
    syncProfile: fields.sync_profile,
    groupsClaim: fields.groups_claim,
    adminGroup: fields.admin_group,
    countsAsSecondFactor: fields.counts_as_second_factor,
    provesWithoutAuthTime: fields.proves_without_auth_time,
    isExclusive: fields.is_exclusive,
    maxSessionHours: fields.max_session_hours,
    isEnabled: fields.is_enabled,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Without the scope `openid` there is no ID token (OpenID Connect Core, 3.1.2.1). */
function withOpenid(scopes: string): string {
  return scopes.split(" ").includes("openid") ? scopes : `openid ${scopes}`;
}

/** A provider as administrators see it. */
export function toIdentityProvider(row: ProviderRow, baseUrl: string): IdentityProvider {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    issuer: row.issuer,
    client_id: row.clientId,
    has_client_secret: row.clientSecret !== null,
    scopes: row.scopes,
    link_by_email: row.linkByEmail,
    trusts_email: row.trustsEmail,
    allow_signup: row.allowSignup,
    allowed_domains: row.allowedDomains,
    sync_profile: row.syncProfile,
    groups_claim: row.groupsClaim,
    admin_group: row.adminGroup,
    counts_as_second_factor: row.countsAsSecondFactor,
    proves_without_auth_time: row.provesWithoutAuthTime,
    is_exclusive: row.isExclusive,
    max_session_hours: row.maxSessionHours,
    is_enabled: row.isEnabled,
    is_from_environment: row.isFromEnvironment,
    redirect_uri: redirectUri(row, baseUrl),
    backchannel_logout_uri: `${baseUrl}/api/auth/oidc/${row.slug}/backchannel-logout`,
    created_at: row.createdAt.toISOString(),
  };
}

/** Where the provider sends people back to. */
export function redirectUri({ slug }: Pick<ProviderRow, "slug">, baseUrl: string): string {
  return `${baseUrl}/api/auth/oidc/${slug}/callback`;
}
