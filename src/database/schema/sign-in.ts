import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Scope } from "../../wire/scopes.ts";
import { byUser, ofUser, userKey, users } from "./accounts.ts";
import { at, bytes, choice, now, number } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

/** The second-factor policy: at most one row; none while a second factor is optional for everyone. */
export const siteSettings = pgTable(
  "site_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    secondFactor: choice("second_factor", ["optional", "administrators", "everyone"], "optional"),
    /** The start of the grace period to set up a second factor; null while it is optional. */
    secondFactorSince: at("second_factor_since"),
  },
  (t) => [
    check("site_settings_is_only", sql`${t.isOnly}`),
    check(
      "site_settings_second_factor",
      sql`${t.secondFactor} in ('optional', 'administrators', 'everyone')
        and (${t.secondFactor} = 'optional') = (${t.secondFactorSince} is null)`,
    ),
  ],
);

/** Authenticator apps (TOTP, RFC 6238). Secrets are encrypted with the secret key. */
export const totp = pgTable("totp", {
  userId: userKey(),
  /** Null until the first code is confirmed. */
  secret: bytes("secret"),
  /** Becomes `secret` once the user has entered a code generated with it. */
  nextSecret: bytes("next_secret"),
  /** The time step of the last accepted code. Codes of this and earlier steps are rejected. */
  lastStep: number("last_step").notNull().default(0),
  confirmedAt: at("confirmed_at"),
});

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    credentialId: bytes("credential_id").notNull(),
    publicKey: bytes("public_key").notNull(),
    /** The authenticator's last signature counter; 0 if it has none. */
    signCount: number("sign_count").notNull(),
    /** When the counter last decreased, which may indicate a cloned authenticator. */
    counterRegressedAt: at("went_back_at"),
    transports: text("transports").array().notNull(),
    aaguid: text("aaguid").notNull(),
    /** The host for which the passkey was created; it is not valid for others. */
    rpId: text("rp_id").notNull(),
    name: text("name").notNull(),
    isSynced: boolean("is_synced").notNull(),
    createdAt: now("created_at"),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [
    uniqueIndex("passkeys_credential_id").on(t.credentialId),
    index("passkeys_user").on(t.userId, t.id),
  ],
);

/** Recovery codes for users who have lost their second factor: 80 random bits each, stored as SHA-256. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: ofUser(),
    codeHash: bytes("code_hash").notNull(),
    usedAt: at("used_at"),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Challenges of sign-ins and passkey requests in progress. UNLOGGED. */
export const loginChallenges = pgTable(
  "login_challenges",
  {
    /** SHA-256 of a cookie's value or of a passkey challenge. */
    hash: bytes("hash").primaryKey(),
    /** Null if the passkey identifies the user. No foreign key: UNLOGGED tables lose rows. */
    userId: uuid("user_id"),
    kind: text("kind", { enum: ["login", "passkey", "create"] }).notNull(),
    /** The network from which the challenge may be completed. */
    address: text("address"),
    /** The identity provider of the sign-in. */
    providerId: uuid("provider_id"),
    idpSid: text("idp_sid"),
    tries: integer("tries").notNull().default(0),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("login_challenges_user").on(t.userId)],
);

export const identityProviders = pgTable(
  "identity_providers",
  {
    id: uuid("id").primaryKey(),
    /** Identifies the provider in sign-in URLs. */
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    issuer: text("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Encrypted with the secret key; null for a public client. */
    clientSecret: bytes("client_secret"),
    scopes: text("scopes").notNull().default("openid profile email"),
    /** Whether a new identity is connected to the account with the same verified address. */
    linkByEmail: boolean("link_by_email").notNull().default(false),
    /** Whether addresses count as verified if the provider does not say so. */
    trustsEmail: boolean("trusts_email").notNull().default(false),
    allowSignup: boolean("allow_signup").notNull().default(false),
    /** Domains of addresses that may sign up; empty to allow all. */
    allowedDomains: text("allowed_domains").array().notNull().default([]),
    syncProfile: boolean("sync_profile").notNull().default(false),
    groupsClaim: text("groups_claim"),
    /** Members of this group become site administrators. */
    adminGroup: text("admin_group"),
    /** A sign-in without `auth_time` reauthenticates users without password and factor. */
    provesWithoutAuthTime: boolean("proves_without_auth_time").notNull().default(false),
    countsAsSecondFactor: boolean("counts_as_second_factor").notNull().default(false),
    isExclusive: boolean("is_exclusive").notNull().default(false),
    maxSessionHours: integer("max_session_hours").notNull().default(720),
    isEnabled: boolean("is_enabled").notNull().default(true),
    /** Whether the connection is configured by environment variables. */
    isFromEnvironment: boolean("is_from_environment").notNull().default(false),
    createdAt: now("created_at"),
  },
  (t) => [
    uniqueIndex("identity_providers_slug").on(t.slug),
    check("identity_providers_slug_form", sql`${t.slug} ~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'`),
    check("identity_providers_hours", sql`${t.maxSessionHours} between 1 and 8760`),
  ],
);

export const identities = pgTable(
  "identities",
  {
    id: uuid("id").primaryKey(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: ofUser(),
    /** Null after the provider was removed. */
    providerId: uuid("provider_id").references(() => identityProviders.id, {
      onDelete: "set null",
    }),
    email: text("email"),
    createdAt: now("created_at"),
    lastUsedAt: at("last_used_at"),
    /** Whether the last reauthentication at the provider lacked `auth_time`. */
    lacksAuthTime: boolean("lacks_auth_time").notNull().default(false),
  },
  (t) => [
    uniqueIndex("identities_subject").on(t.issuer, t.subject),
    index("identities_user").on(t.userId, t.id),
    index("identities_provider").on(t.providerId),
  ],
);

/** Sign-ins in progress at a provider. UNLOGGED: after a crash they have to be started again. */
export const oidcFlows = pgTable("oidc_flows", {
  /** SHA-256 of `state`. */
  stateHash: bytes("state_hash").primaryKey(),
  providerId: uuid("provider_id").notNull(),
  nonce: text("nonce").notNull(),
  /** The PKCE code verifier (RFC 7636), encrypted. */
  verifier: bytes("verifier").notNull(),
  /** SHA-256 of the cookie of the browser that started the flow. */
  browserHash: bytes("browser_hash").notNull(),
  returnTo: text("return_to").notNull(),
  purpose: text("purpose", { enum: ["sign-in", "connect", "proof"] }).notNull(),
  /** The account and session for which an identity is being connected or reauthenticated. */
  linkUserId: uuid("link_user_id"),
  linkSessionId: uuid("link_session_id"),
  /** SHA-256 of the signup link that the flow started from. */
  inviteHash: bytes("invite_hash"),
  expiresAt: at("expires_at").notNull(),
});

/** Logout tokens that have been used, until they expire. */
export const usedLogoutTokens = pgTable(
  "used_logout_tokens",
  {
    issuer: text("issuer").notNull(),
    jti: text("jti").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.jti] })],
);

/** API tokens of bots. The raw token is shown only once, when it is created. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    name: text("name").notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes("token_hash").notNull(),
    /** The token's last four characters, shown so that people recognize it. */
    last4: text("last4").notNull(),
    scopes: text("scopes").array().$type<Scope[]>().notNull(),
    /** Null for a token that does not expire. */
    expiresAt: at("expires_at"),
    /** Written at most once a minute. */
    lastUsedAt: at("last_used_at"),
    createdAt: now("created_at"),
    /** Null if the token was created from the command line. */
    createdBy: uuid("created_by").references(() => users.id),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("api_tokens_token_hash").on(t.tokenHash),
    index("api_tokens_user").on(t.userId, t.id),
    check("api_tokens_name", sql`char_length(${t.name}) between 1 and 80`),
    check("api_tokens_hash", sql`octet_length(${t.tokenHash}) = 32`),
    check("api_tokens_last4", sql`${t.last4} ~ '^[A-Za-z0-9_-]{4}$'`),
    check(
      "api_tokens_scopes",
      sql`${t.scopes} <@ array['read:messages', 'write:messages', 'manage:rooms']`,
    ),
    check("api_tokens_expiry", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);

/** Password reset links. The raw token exists only in the email; a used link is deleted. */
export const passwordResets = pgTable(
  "password_resets",
  {
    /** Also the id of the job that sends the email. */
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [
    uniqueIndex("password_resets_token_hash").on(t.tokenHash),
    index("password_resets_user").on(t.userId),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    /** SHA-256 of the cookie's value. */
    tokenHash: bytes("token_hash").notNull(),
    userAgent: text("user_agent"),
    createdAt: now("created_at"),
    lastSeenAt: now("last_seen_at"),
    expiresAt: at("expires_at").notNull(),
    /** How the user signed in. */
    method: choice("method", ["password", "passkey", "provider"], "password"),
    /** The network of the last request, such as 203.0.113.0/24. */
    address: text("address"),
    /** When the user last reauthenticated; null if never. */
    reauthenticatedAt: at("proof_at"),
    /** Whether the user signed in with a second factor or has set one up since. */
    hasSecondFactor: boolean("has_second_factor").notNull().default(false),
    /** Restricts the session to sign-in routes until the user sets up a second factor. */
    isRestricted: boolean("is_restricted").notNull().default(false),
    /** The latest time at which the session ends, if a provider sets one. */
    endsAt: at("ends_at"),
    providerId: uuid("provider_id").references((): AnyPgColumn => identityProviders.id, {
      onDelete: "set null",
    }),
    /** The provider's session id (`sid`), for logout initiated by the provider. */
    idpSid: text("idp_sid"),
  },
  (t) => [
    uniqueIndex("sessions_token_hash").on(t.tokenHash),
    index("sessions_user").on(t.userId),
    index("sessions_provider")
      .on(t.providerId, t.idpSid)
      .where(sql`provider_id is not null`),
    check("sessions_method", sql`${t.method} in ('password', 'passkey', 'provider')`),
  ],
);

/** Signup links for one person. The raw token exists only in the link. */
export const invites = pgTable(
  "invites",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /** Together with the secret key, the input from which the token of an emailed link is derived. */
    tokenId: uuid("token_id"),
    /** Null for the first administrator's link, which is void once an account exists. */
    email: text("email"),
    /** Null if the invite was created from the command line. */
    invitedBy: uuid("invited_by").references(() => users.id),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
    acceptedAt: at("accepted_at"),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invites_token_hash").on(t.tokenHash),
    index("invites_email").on(t.email),
    check("invites_email_folded", sql`${t.email} = lower(${t.email})`),
    check("invites_one_end", sql`num_nonnulls(${t.acceptedAt}, ${t.revokedAt}) < 2`),
  ],
);

/** Rooms that the invited person joins at signup. */
export const inviteRooms = pgTable(
  "invite_rooms",
  {
    inviteId: uuid("invite_id")
      .notNull()
      .references(() => invites.id, { onDelete: "cascade" }),
    roomId: ofRoom(),
  },
  (t) => [primaryKey({ columns: [t.inviteId, t.roomId] }), index("invite_rooms_room").on(t.roomId)],
);

/** Signup links that several people can use. */
export const inviteLinks = pgTable(
  "invite_links",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /** With the secret key it yields the token, so that the link can be shown again. */
    tokenId: uuid("token_id").notNull(),
    createdBy: byUser("created_by"),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
    maxUses: integer("max_uses").notNull(),
    uses: integer("uses").notNull().default(0),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invite_links_token_hash").on(t.tokenHash),
    check("invite_links_uses", sql`${t.uses} between 0 and ${t.maxUses}`),
  ],
);
