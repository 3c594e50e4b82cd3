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
import { ofUser, userKey } from "./accounts.ts";
import { at, bytes, choice, now, number } from "./columns.ts";

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
    wentBackAt: at("went_back_at"),
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
