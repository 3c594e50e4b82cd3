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
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";

/** Second factors, and who must have one. */

/** Who must have a second factor; one row, or none while nobody must. */
export const siteSettings = pgTable(
  "site_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    secondFactor: text("second_factor", { enum: ["optional", "administrators", "everyone"] })
      .notNull()
      .default("optional"),
    /** From when people have days to turn one on; null while it is optional. */
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

/** Codes of an authenticator app (RFC 6238). Secrets are sealed with the secret key. */
export const totp = pgTable("totp", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Null before the first confirmation. */
  secret: bytes("secret"),
  /** Becomes `secret` when the user has typed a code of it. */
  nextSecret: bytes("next_secret"),
  /** The time step of the last code that was used: earlier ones are void. */
  lastStep: number("last_step").notNull().default(0),
  confirmedAt: at("confirmed_at"),
});

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    credentialId: bytes("credential_id").notNull(),
    publicKey: bytes("public_key").notNull(),
    /** The authenticator's last signature counter; 0 for one that does not count. */
    signCount: number("sign_count").notNull(),
    /** When the counter last went backwards, which may mean a copied authenticator. */
    wentBackAt: at("went_back_at"),
    transports: text("transports").array().notNull(),
    aaguid: text("aaguid").notNull(),
    /** The host that the passkey was made for: it works nowhere else. */
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

/** Codes for those who have lost their factor: 80 random bits each, stored as SHA-256. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: bytes("code_hash").notNull(),
    usedAt: at("used_at"),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Challenges that a browser must answer to finish a sign-in or to use a passkey. UNLOGGED. */
export const loginChallenges = pgTable(
  "login_challenges",
  {
    /** SHA-256 of a cookie's value, or of a passkey's challenge. */
    hash: bytes("hash").primaryKey(),
    /** Null where a passkey says who signs in. No foreign key: an unlogged table. */
    userId: uuid("user_id"),
    kind: text("kind", { enum: ["login", "passkey", "create"] }).notNull(),
    /** The network that may answer it. */
    address: text("address"),
    /** The provider that the sign-in began with. */
    providerId: uuid("provider_id"),
    idpSid: text("idp_sid"),
    tries: integer("tries").notNull().default(0),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("login_challenges_user").on(t.userId)],
);
