import { sql } from "drizzle-orm";
import {
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
import { ofUser } from "./accounts.ts";
import { at, bytes, now } from "./columns.ts";

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
