import { type Static, Type as t } from "@sinclair/typebox";
import { PROVIDER_SLUG_PATTERN } from "./patterns.ts";
import { Id, Nullable, Timestamp, oneOf } from "./models.ts";
import { nameOf } from "./requests.ts";

export const SecondFactorPolicy = oneOf(["optional", "administrators", "everyone"]);

export const SignInSettings = t.Object({
  second_factor: SecondFactorPolicy,
  second_factor_since: Nullable(Timestamp),
  grace_days: t.Integer({ description: "How long people have to turn one on" }),
  without_second_factor: t.Integer({ description: "Active people who need one and have none" }),
  emergency_accounts: t.Integer({
    description: "Administrators who keep their password, and have a second factor",
  }),
});
export const UpdateSignIn = t.Object({ second_factor: SecondFactorPolicy });

const Switches = {
  link_by_email: t.Boolean({
    description: "An unknown identity is linked to the account with the same verified address",
  }),
  trusts_email: t.Boolean({
    description: "Treats an address as verified if the provider does not say",
  }),
  allow_signup: t.Boolean(),
  allowed_domains: t.Array(
    t.String({
      pattern: "^[a-zA-Z0-9.-]{1,253}$",
      maxLength: 253,
      expected: "a domain such as example.org",
    }),
    { maxItems: 50, description: "Domains of addresses that may sign up; empty for all" },
  ),
  sync_profile: t.Boolean({ description: "Name and picture follow those of the provider" }),
  groups_claim: Nullable(t.String({ maxLength: 200 })),
  admin_group: Nullable(
    t.String({ maxLength: 200, description: "Its members are site administrators" }),
  ),
  counts_as_second_factor: t.Boolean(),
  proves_without_auth_time: t.Boolean({
    description:
      "A sign-in there is a proof for people without password and second factor, although the provider does not say when it was",
  }),
  is_exclusive: t.Boolean({ description: "Only emergency accounts have passwords" }),
  max_session_hours: t.Integer({ minimum: 1, maximum: 8_760 }),
  is_enabled: t.Boolean(),
  scopes: t.String({
    pattern: "^[\\x21-\\x7e]+(?: [\\x21-\\x7e]+)*$",
    maxLength: 500,
    expected: "scopes with single spaces, such as openid profile email",
  }),
};
const Slug = t.String({
  pattern: PROVIDER_SLUG_PATTERN,
  expected: "1 to 32 lower-case letters, digits or dashes",
});
const ProviderTitle = nameOf(80);
const Issuer = t.String({ minLength: 1, maxLength: 2_048, description: "https, or on loopback" });
const ClientId = t.String({ minLength: 1, maxLength: 500 });
const ClientSecret = t.String({ maxLength: 2_048 });

/** An identity provider, without its secret, which is never returned. */
export const IdentityProvider = t.Object({
  id: Id,
  slug: t.String(),
  name: t.String(),
  issuer: t.String(),
  client_id: t.String(),
  has_client_secret: t.Boolean(),
  ...Switches,
  is_from_environment: t.Boolean({
    description: "Its connection is configured by the OIDC_* variables",
  }),
  redirect_uri: t.String({ description: "What the provider must know of this site" }),
  backchannel_logout_uri: t.String(),
  created_at: Timestamp,
});
export const CreateIdentityProvider = t.Composite([
  t.Object({
    slug: Slug,
    name: ProviderTitle,
    issuer: Issuer,
    client_id: ClientId,
    client_secret: t.Optional(Nullable(ClientSecret)),
  }),
  t.Partial(t.Object(Switches)),
]);
/** Absent fields stay unchanged; a secret of null removes it. */
export const UpdateIdentityProvider = t.Partial(
  t.Object({
    name: ProviderTitle,
    issuer: Issuer,
    client_id: ClientId,
    client_secret: Nullable(ClientSecret),
    ...Switches,
  }),
);

/** The results of a provider's test, in the order of the steps of a sign-in. */
export const ProviderTest = t.Object({
  ok: t.Boolean(),
  checks: t.Array(
    t.Object({
      check: t.String(),
      ok: t.Boolean(),
      detail: t.String(),
      issuer: t.Optional(
        t.String({ description: "What to set as the issuer, if the provider names another" }),
      ),
    }),
  ),
});

export type SecondFactorPolicy = Static<typeof SecondFactorPolicy>;
export type SignInSettings = Static<typeof SignInSettings>;
export type IdentityProvider = Static<typeof IdentityProvider>;
export type CreateIdentityProvider = Static<typeof CreateIdentityProvider>;
export type UpdateIdentityProvider = Static<typeof UpdateIdentityProvider>;
export type ProviderTest = Static<typeof ProviderTest>;
