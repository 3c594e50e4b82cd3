import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Scope } from "../../wire/scopes.ts";
import { at, bytes, choice, now } from "./columns.ts";
import { ofUser, users } from "./accounts.ts";
import { identityProviders } from "./providers.ts";

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
    proofAt: at("proof_at"),
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
