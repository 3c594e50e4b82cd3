import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { QuietHours, Colors, SidebarSettings } from "../wire/models.ts";
import type { Scope } from "../wire/scopes.ts";
import type { RoomEventType } from "../wire/events.ts";
import type { WebhookEvent } from "../wire/outgoing-webhooks.ts";

/** Every table, on one page. Ids are UUIDv7, made by the service, so that they sort by age. */

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** Milliseconds: what JSON carries, so that a time read and sent back is the same time. */
const at = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: "date" });
const now = (name: string) =>
  at(name)
    .notNull()
    .default(sql`clock_timestamp()`);
const number = (name: string) => bigint(name, { mode: "number" });
/** Counts up for each row: a short name for the search index, which never leaves the service. */
const shortNumber = () => integer("number").generatedAlwaysAsIdentity().notNull();
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    number: shortNumber(),
    username: text("username").notNull(),
    /** Null for a bot. */
    email: text("email"),
    displayName: text("display_name"),
    /** The avatar's version, part of its URL; null without an avatar. */
    avatarVersion: text("avatar_version"),
    /** argon2id, in PHC form; null for an account that cannot sign in with a password. */
    passwordHash: text("password_hash"),
    theme: text("theme", { enum: ["dark", "light", "midnight", "sunset", "custom"] })
      .notNull()
      .default("dark"),
    /**
     * Until the user chooses a theme, the client is light or dark as the device is, and `theme` has
     * no effect.
     */
    followsSystem: boolean("follows_system").notNull().default(true),
    /** Kept while a preset is active. */
    activeCustomThemeId: uuid("active_custom_theme_id").references(
      (): AnyPgColumn => customThemes.id,
    ),
    appearOffline: boolean("appear_offline").notNull().default(false),
    /** Whether the user gets a mail when someone adds them to a room. */
    emailOnAdded: boolean("email_on_added").notNull().default(true),
    /**
     * When the password was last set: reset links that were requested earlier are not sent any
     * more.
     */
    passwordSetAt: now("password_set_at"),
    isActive: boolean("is_active").notNull().default(true),
    isSiteAdmin: boolean("is_site_admin").notNull().default(false),
    isBot: boolean("is_bot").notNull().default(false),
    /** May sign in with a password or a passkey where a provider is exclusive: an emergency account. */
    keepsPassword: boolean("keeps_password").notNull().default(false),
    /** Since when a second factor is on; null without one, or before its recovery codes are saved. */
    secondFactorAt: at("second_factor_at"),
    /** 32 random bytes by which authenticators know the account; null before its first passkey. */
    webauthnHandle: bytes("webauthn_handle"),
    /** Whether a mail gathers mentions that the user missed. */
    emailOnMissed: boolean("email_on_missed").notNull().default(true),
    /** Missed mentions up to this time are not mailed any more. */
    mentionsMailedAt: at("mentions_mailed_at")
      .notNull()
      .default(sql`now()`),
    quietHours: jsonb("quiet_hours").$type<QuietHours>(),
    sound: text("sound", { enum: ["none", "drop", "chime", "knock"] })
      .notNull()
      .default("none"),
    pushPausedUntil: at("push_paused_until"),
    /** What a notification shows: everything, only the sender, or neither. */
    pushPreview: text("push_preview", { enum: ["full", "sender", "none"] })
      .notNull()
      .default("full"),
    /** Keywords, as written: they notify the user as a mention does. */
    keywords: text("keywords")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** How the user has arranged the list of rooms; only settings that were changed. */
    sidebar: jsonb("sidebar").$type<Partial<SidebarSettings>>().notNull().default({}),
    createdAt: now("created_at"),
    lastSeenAt: at("last_seen_at"),
    /** Up to when the user has seen their activity. */
    activityReadAt: at("activity_read_at")
      .notNull()
      .default(sql`now()`),
    /**
     * Counts changes of what the user sees of the account, by a trigger: of two answers, the one
     * with the larger number is newer.
     */
    version: number("version").notNull().default(0),
  },
  (t) => [
    uniqueIndex("users_number").on(t.number),
    uniqueIndex("users_username").on(t.username),
    uniqueIndex("users_email").on(t.email),
    uniqueIndex("users_webauthn_handle").on(t.webauthnHandle),
    check("users_username_form", sql`${t.username} ~ '^[a-z0-9]([a-z0-9._-]{0,30}[a-z0-9])?$'`),
    check("users_email_folded", sql`${t.email} = lower(${t.email})`),
    check("users_email_needed", sql`${t.email} is not null or ${t.isBot}`),
    // A bot has no password and no rights over the site, only tokens.
    check("users_bot", sql`not ${t.isBot} or (${t.passwordHash} is null and not ${t.isSiteAdmin})`),
    check("users_sound", sql`${t.sound} in ('none', 'drop', 'chime', 'knock')`),
    check("users_push_preview", sql`${t.pushPreview} in ('full', 'sender', 'none')`),
    check("users_theme", sql`${t.theme} in ('dark', 'light', 'midnight', 'sunset', 'custom')`),
    check(
      "users_custom_theme",
      sql`${t.theme} <> 'custom' or ${t.activeCustomThemeId} is not null`,
    ),
  ],
);

/** Themes that people have made, each visible to its owner alone. */
export const customThemes = pgTable(
  "custom_themes",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    colors: jsonb("colors").$type<Colors>().notNull(),
    isDark: boolean("is_dark").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [index("custom_themes_user").on(t.userId)],
);

/**
 * Counts changes of what others see of people, by a trigger on `users`, and of link previews that
 * were fetched again; one row.
 */
export const peopleVersion = pgTable(
  "people_version",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    version: number("version").notNull().default(0),
  },
  (t) => [check("people_version_only", sql`${t.isOnly}`)],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the cookie's value. */
    tokenHash: bytes("token_hash").notNull(),
    userAgent: text("user_agent"),
    createdAt: now("created_at"),
    lastSeenAt: now("last_seen_at"),
    expiresAt: at("expires_at").notNull(),
    /** How the session began. */
    method: text("method", { enum: ["password", "passkey", "provider"] })
      .notNull()
      .default("password"),
    /** The network that it was last seen from, such as 203.0.113.0/24. */
    address: text("address"),
    /** When its user last proved who they are; null before the first proof. */
    proofAt: at("proof_at"),
    /** The session began with a second factor, or its user has turned one on since. */
    hasSecondFactor: boolean("has_second_factor").notNull().default(false),
    /** Only the routes of sign-in accept this session, until its user turns on a second factor. */
    isRestricted: boolean("is_restricted").notNull().default(false),
    /** When the session ends at the latest, where a provider limits it. */
    endsAt: at("ends_at"),
    providerId: uuid("provider_id").references((): AnyPgColumn => identityProviders.id, {
      onDelete: "set null",
    }),
    /** The provider's id of its session, with which the provider ends this one. */
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

/** Where people sign in with OpenID Connect. */
export const identityProviders = pgTable(
  "identity_providers",
  {
    id: uuid("id").primaryKey(),
    /** Its name in the URLs of its sign-in. */
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    issuer: text("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Sealed with the secret key; null for a public client. */
    clientSecret: bytes("client_secret"),
    scopes: text("scopes").notNull().default("openid profile email"),
    /** An unknown identity joins the account of the same verified address. */
    linkByEmail: boolean("link_by_email").notNull().default(false),
    /** Addresses count as verified where the provider does not say. */
    trustsEmail: boolean("trusts_email").notNull().default(false),
    allowSignup: boolean("allow_signup").notNull().default(false),
    /** Domains of addresses that may sign up; empty for all. */
    allowedDomains: text("allowed_domains").array().notNull().default([]),
    syncProfile: boolean("sync_profile").notNull().default(false),
    groupsClaim: text("groups_claim"),
    /** Members of this group are site administrators. */
    adminGroup: text("admin_group"),
    countsAsSecondFactor: boolean("counts_as_second_factor").notNull().default(false),
    isExclusive: boolean("is_exclusive").notNull().default(false),
    maxSessionHours: integer("max_session_hours").notNull().default(720),
    isEnabled: boolean("is_enabled").notNull().default(true),
    /** The environment sets its connection. */
    isFromEnvironment: boolean("is_from_environment").notNull().default(false),
    createdAt: now("created_at"),
  },
  (t) => [
    uniqueIndex("identity_providers_slug").on(t.slug),
    check("identity_providers_slug_form", sql`${t.slug} ~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'`),
    check("identity_providers_hours", sql`${t.maxSessionHours} between 1 and 8760`),
  ],
);

/** A person's identity at a provider. */
export const identities = pgTable(
  "identities",
  {
    id: uuid("id").primaryKey(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null once the provider is removed. */
    providerId: uuid("provider_id").references(() => identityProviders.id, {
      onDelete: "set null",
    }),
    email: text("email"),
    createdAt: now("created_at"),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [
    uniqueIndex("identities_subject").on(t.issuer, t.subject),
    index("identities_user").on(t.userId, t.id),
    index("identities_provider").on(t.providerId),
  ],
);

/** Sign-ins in progress at a provider. UNLOGGED: after a crash they begin again. */
export const oidcFlows = pgTable("oidc_flows", {
  /** SHA-256 of `state`. */
  stateHash: bytes("state_hash").primaryKey(),
  providerId: uuid("provider_id").notNull(),
  nonce: text("nonce").notNull(),
  /** The code verifier of PKCE (RFC 7636), sealed. */
  verifier: bytes("verifier").notNull(),
  /** SHA-256 of the cookie of the browser that began it. */
  browserHash: bytes("browser_hash").notNull(),
  returnTo: text("return_to").notNull(),
  purpose: text("purpose", { enum: ["sign-in", "connect", "proof"] }).notNull(),
  /** The account and session that connect an identity, or prove who they are. */
  linkUserId: uuid("link_user_id"),
  linkSessionId: uuid("link_session_id"),
  /** SHA-256 of the signup link that it began with. */
  inviteHash: bytes("invite_hash"),
  expiresAt: at("expires_at").notNull(),
});

/** Logout tokens that were used, until they expire. */
export const usedLogoutTokens = pgTable(
  "used_logout_tokens",
  {
    issuer: text("issuer").notNull(),
    jti: text("jti").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.jti] })],
);

/** Tokens with which bots call. The raw token is shown once, when it is made. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes("token_hash").notNull(),
    /** Its last four characters, by which people recognize it. */
    last4: text("last4").notNull(),
    scopes: text("scopes").array().$type<Scope[]>().notNull(),
    /** Null: for as long as it is not revoked. */
    expiresAt: at("expires_at"),
    /** Written at most once a minute. */
    lastUsedAt: at("last_used_at"),
    createdAt: now("created_at"),
    /** Null where the command line made it. */
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

/** Signup links. The raw token exists only in the link. */
export const invites = pgTable(
  "invites",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /**
     * Input of the key derivation for the token of a link that is mailed; the secret key is the
     * other.
     */
    tokenId: uuid("token_id"),
    /** Null: the first administrator's link, which is void once an account exists. */
    email: text("email"),
    /** Null where the command line made it. */
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
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.inviteId, t.roomId] }), index("invite_rooms_room").on(t.roomId)],
);

/** Links to choose a new password. The raw token exists only in the mail; a used link is deleted. */
export const passwordResets = pgTable(
  "password_resets",
  {
    /** The id of the job that sends the mail. */
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [
    uniqueIndex("password_resets_token_hash").on(t.tokenHash),
    index("password_resets_user").on(t.userId),
  ],
);

/** The mail server: one row, or none while mail is off. */
export const smtpSettings = pgTable(
  "smtp_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    host: text("host").notNull(),
    port: integer("port").notNull(),
    security: text("security", { enum: ["none", "starttls", "tls"] }).notNull(),
    username: text("username"),
    /** Sealed with the secret key. */
    password: bytes("password"),
    /** An address, or a name and an address in angle brackets. */
    from: text("from_address").notNull(),
  },
  (t) => [
    check("smtp_settings_is_only", sql`${t.isOnly}`),
    check("smtp_settings_port", sql`${t.port} between 1 and 65535`),
    check("smtp_settings_security", sql`${t.security} in ('none', 'starttls', 'tls')`),
  ],
);

/** What administrators did. The database refuses to change a row or to remove one. */
export const adminAuditLog = pgTable(
  "admin_audit_log",
  {
    id: uuid("id").primaryKey(),
    /** Null: someone at the command line. */
    actorId: uuid("actor_id").references(() => users.id),
    /** As `user.deactivate`. */
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    /** No foreign key: the row outlives its target. */
    targetId: uuid("target_id"),
    /** The target's name at that time. */
    targetName: text("target_name"),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    /** Null at the command line. */
    ip: text("ip"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("admin_audit_log_actor").on(t.actorId, t.id),
    index("admin_audit_log_action").on(t.action, t.id),
    check("admin_audit_log_action_form", sql`${t.action} ~ '^[a-z_]+\\.[a-z_]+$'`),
    check("admin_audit_log_details", sql`jsonb_typeof(${t.details}) = 'object'`),
  ],
);

/**
 * Attempts counted in fixed windows, on all instances together. UNLOGGED: a crash only resets the
 * counts.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("rate_limits_expires").on(t.expiresAt)],
);

export const rooms = pgTable(
  "rooms",
  {
    id: uuid("id").primaryKey(),
    number: shortNumber(),
    /** A direct conversation is a room without a name and without an owner. */
    kind: text("kind", { enum: ["room", "direct"] })
      .notNull()
      .default("room"),
    /** Null for a conversation. */
    name: text("name"),
    description: text("description"),
    privacy: text("privacy", { enum: ["open", "private"] }).notNull(),
    isArchived: boolean("is_archived").notNull().default(false),
    /** Whether everyone who signs up is in it from the start. */
    isDefault: boolean("is_default").notNull().default(false),
    /** While it is off, no new thread begins; existing ones continue. */
    threads: text("threads", { enum: ["on", "off"] })
      .notNull()
      .default("on"),
    createdAt: now("created_at"),
    /** Counted where memberships change, so that lists of rooms need not. */
    memberCount: integer("member_count").notNull().default(0),
    /** The last number of the room's log. Taking the next one needs this row's lock. */
    lastSeq: number("last_seq").notNull().default(0),
    lastMessageAt: at("last_message_at"),
    /**
     * Set while a job deletes the room's rows: it has another name and no members, and nobody finds
     * it.
     */
    deletedAt: at("deleted_at"),
    /** For a conversation: whether it was opened with oneself, one other person or several. */
    directKind: text("direct_kind", { enum: ["self", "pair", "group"] }),
    /**
     * SHA-256 of its members' ids, by which opening the same set finds it; null for a room, a group that
     * has shrunk below three, and a group whose set another conversation has.
     */
    directKey: bytes("direct_key"),
    /**
     * Nobody can write in this conversation: the other person is deactivated, or all others have
     * left.
     */
    isClosed: boolean("is_closed").notNull().default(false),
    /** Who may pin messages in a room; in a conversation everyone may. */
    pinning: text("pinning", { enum: ["members", "admins"] })
      .notNull()
      .default("members"),
    /** Counted under the room's lock, so that lists of rooms need not. */
    pinCount: integer("pin_count").notNull().default(0),
  },
  (t) => [
    uniqueIndex("rooms_number").on(t.number),
    uniqueIndex("rooms_name").on(t.name),
    check("rooms_name_form", sql`${t.name} ~ '^[a-z0-9]([a-z0-9_-]{0,38}[a-z0-9])?$'`),
    check("rooms_threads", sql`${t.threads} in ('on', 'off')`),
    check("rooms_privacy", sql`${t.privacy} in ('open', 'private')`),
    check("rooms_pinning", sql`${t.pinning} in ('members', 'admins')`),
    check("rooms_pin_count", sql`${t.pinCount} between 0 and 100`),
    uniqueIndex("rooms_direct_key").on(t.directKey),
    check("rooms_kind", sql`${t.kind} in ('room', 'direct')`),
    check("rooms_named", sql`(${t.kind} = 'direct') = (${t.name} is null)`),
    check(
      "rooms_direct_kind",
      sql`(${t.kind} = 'direct') = (${t.directKind} is not null)
        and ${t.directKind} in ('self', 'pair', 'group')`,
    ),
    check("rooms_direct_key_length", sql`octet_length(${t.directKey}) = 32`),
    check(
      "rooms_direct",
      sql`case when ${t.kind} = 'room' then ${t.directKey} is null and not ${t.isClosed}
        else ${t.privacy} = 'private' and not ${t.isArchived} and not ${t.isDefault} end`,
    ),
  ],
);

export const membershipVersions = pgSequence("membership_versions");

export const memberships = pgTable(
  "memberships",
  {
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "admin", "member"] }).notNull(),
    notify: text("notify", { enum: ["all", "mentions", "none"] })
      .notNull()
      .default("all"),
    /** Which replies are pushed: those of threads that the member follows, or all. */
    threadPush: text("thread_push", { enum: ["followed", "all"] })
      .notNull()
      .default("followed"),
    joinedAt: now("joined_at"),
    lastReadAt: now("last_read_at"),
    /** The same read mark as a number of the log: exact where two times are equal. */
    lastReadSeq: number("last_read_seq").notNull().default(0),
    /** Since when it is among the member's favourites; null where it is not. */
    pinnedAt: at("pinned_at"),
    /** Whether the room is a conversation: lists and sweeps of rooms skip hundreds of them. */
    isDirect: boolean("is_direct").notNull().default(false),
    /** When the member hid the conversation: it is listed again with the next message. */
    hiddenAt: at("hidden_at"),
    /** Grows with each change, by a trigger, and past what a membership before this one had. */
    version: number("version")
      .notNull()
      .default(sql`nextval('membership_versions')`),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.userId] }),
    index("memberships_user").on(t.userId, t.isDirect),
    uniqueIndex("memberships_one_owner")
      .on(t.roomId)
      .where(sql`role = 'owner'`),
    check("memberships_direct", sql`${t.isDirect} or ${t.hiddenAt} is null`),
    check("memberships_role", sql`${t.role} in ('owner', 'admin', 'member')`),
    check("memberships_thread_push", sql`${t.threadPush} in ('followed', 'all')`),
    check("memberships_notify", sql`${t.notify} in ('all', 'mentions', 'none')`),
  ],
);

/**
 * Bytes that the storage holds, or is about to hold: a row is written before the bytes are, and
 * deleted with them. Every table that uses bytes has a foreign key to this one, so that bytes in
 * use are never deleted.
 */
export const blobs = pgTable(
  "blobs",
  {
    /** Of the bytes: their address in the storage. */
    sha256: bytes("sha256").primaryKey(),
    sizeBytes: number("size_bytes").notNull(),
    /** When these bytes were last uploaded; that upload may be about to use them. */
    touchedAt: now("touched_at"),
    /** How many uploads of these bytes are not used yet; failed ones count too. */
    pending: integer("pending").notNull().default(0),
    /** Since when a process deletes the bytes; a claim ends by itself after ten minutes. */
    removingAt: at("removing_at"),
  },
  (t) => [check("blobs_sha256", sql`octet_length(${t.sha256}) = 32`)],
);

/** A person's picture in each of its sizes. */
export const avatars = pgTable(
  "avatars",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** In pixels, of the square that was asked for; a smaller picture is not enlarged. */
    side: integer("side").notNull(),
    sha256: bytes("sha256")
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: number("size_bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.side] }), index("avatars_sha256").on(t.sha256)],
);

/** Images that were uploaded to a room; a message uses one at most once. Bytes are in the storage. */
export const messageImages = pgTable(
  "message_images",
  {
    id: uuid("id").primaryKey(),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    uploaderId: uuid("uploader_id")
      .notNull()
      .references(() => users.id),
    /** Of the bytes as stored: their address in the storage and in the URL. */
    sha256: bytes("sha256")
      .notNull()
      .references(() => blobs.sha256),
    /** Of the small one, in WebP; null where the image is small itself. */
    thumbSha256: bytes("thumb_sha256").references(() => blobs.sha256),
    mime: text("mime").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    blurhash: text("blurhash"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("message_images_room").on(t.roomId, t.sha256),
    index("message_images_uploader").on(t.uploaderId, t.createdAt),
    index("message_images_sha256").on(t.sha256),
    index("message_images_thumb").on(t.thumbSha256),
    check("message_images_size", sql`${t.width} > 0 and ${t.height} > 0`),
  ],
);

/** Files of any type that were uploaded to a room. */
export const messageFiles = pgTable(
  "message_files",
  {
    id: uuid("id").primaryKey(),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    uploaderId: uuid("uploader_id")
      .notNull()
      .references(() => users.id),
    sha256: bytes("sha256")
      .notNull()
      .references(() => blobs.sha256),
    /** As its uploader called it. */
    name: text("name").notNull(),
    mime: text("mime").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    index("message_files_room").on(t.roomId),
    index("message_files_uploader").on(t.uploaderId, t.createdAt),
    index("message_files_sha256").on(t.sha256),
    check("message_files_name", sql`octet_length(${t.name}) between 1 and 255`),
  ],
);

/** SQL: who wrote a message; the same id for all that came by a webhook, which is nobody's own. */
export const MESSAGE_WRITER =
  "(case when via_name is null then author_id else '00000000-0000-0000-0000-000000000000'::uuid end)";

export const messages = pgTable(
  "messages",
  {
    id: uuid("id").primaryKey(),
    /**
     * No foreign keys on room and author, which each message would pay for: the statement that writes
     * it reads both, and holds the room's lock. Triggers delete a room's messages with it, and keep
     * the account of an author.
     */
    roomId: uuid("room_id").notNull(),
    /** Its place in the room's log, and so in its history: ties are not possible. */
    seq: number("seq").notNull(),
    authorId: uuid("author_id").notNull(),
    /** Markdown, as written. */
    content: text("content"),
    imageId: uuid("image_id").references(() => messageImages.id),
    fileId: uuid("file_id").references(() => messageFiles.id),
    /** What the image shows, in words. */
    imageAlt: text("image_alt"),
    /** The author's own id of what was sent in one go: clients show its pictures as one gallery. */
    groupId: uuid("group_id"),
    /**
     * The root of the thread that it is a reply in, and what it quotes: messages of the same room. No
     * foreign keys, which each message would pay for: both are checked under the room's lock.
     */
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    /** The first http or https URL of the text. */
    previewUrl: text("preview_url"),
    /**
     * Whether anything in another table belongs to it (image, file, reaction, mention, reference,
     * preview, thread, quote), so that reading plain messages looks nowhere else.
     */
    hasEmbeds: boolean("has_embeds").notNull().default(false),
    /** For a post of an incoming webhook: the name and emoji that it shows instead of a person's. */
    viaName: text("via_name"),
    viaIconEmoji: text("via_icon_emoji"),
    /** The author's own id for it: a repeated post finds the first. */
    clientId: uuid("client_id"),
    createdAt: now("created_at"),
    editedAt: at("edited_at"),
    /** When the root of a thread was deleted: the row stays for its replies, without its content. */
    deletedAt: at("deleted_at"),
  },
  (t) => [
    index("messages_thread")
      .on(t.threadId, t.seq)
      .where(sql`thread_id is not null`),
    uniqueIndex("messages_room_seq").on(t.roomId, t.seq),
    // Finds who has written in a room, one after the other, and the newest of each: `rooms/unread.ts`.
    index("messages_room_writer").on(t.roomId, sql.raw(MESSAGE_WRITER), t.seq),
    uniqueIndex("messages_client_id")
      .on(t.authorId, t.clientId)
      .where(sql`client_id is not null`),
    uniqueIndex("messages_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    uniqueIndex("messages_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    // Finds whether any message still has a URL. A hash, because URLs are longer than a B-tree
    // takes.
    index("messages_preview_url")
      .using("hash", t.previewUrl)
      .where(sql`preview_url is not null`),
    check("messages_content_length", sql`char_length(${t.content}) between 1 and 8000`),
    check("messages_via", sql`${t.viaName} is not null or ${t.viaIconEmoji} is null`),
    check(
      "messages_not_empty",
      sql`${t.deletedAt} is not null or num_nonnulls(${t.content}, ${t.imageId}, ${t.fileId}) > 0`,
    ),
    check("messages_thread_other", sql`${t.threadId} <> ${t.id}`),
  ],
);

/** One row for each message with replies, its root. Written under the room's lock, with the replies. */
export const threads = pgTable(
  "threads",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    roomId: uuid("room_id").notNull(),
    title: text("title"),
    replyCount: integer("reply_count").notNull(),
    /** Of a reply that exists. */
    lastReplySeq: number("last_reply_seq").notNull(),
    lastReplyAt: at("last_reply_at").notNull(),
    /** Who replied last, at most five, the newest first; webhooks are left out. */
    lastAuthorIds: uuid("last_author_ids").array().notNull(),
    /** Marked done; the next reply opens it. */
    resolvedAt: at("resolved_at"),
    resolvedBy: uuid("resolved_by"),
  },
  (t) => [
    // Without the number, which each reply changes: so a reply updates no index.
    index("threads_room").on(t.roomId),
    check("threads_title", sql`char_length(${t.title}) between 1 and 120`),
    check("threads_reply_count", sql`${t.replyCount} > 0`),
    check("threads_authors", sql`cardinality(${t.lastAuthorIds}) <= 5`),
  ],
);

/** Who follows a thread, or did, and how far it is read. Deleted with the membership of its room. */
export const threadFollows = pgTable(
  "thread_follows",
  {
    userId: uuid("user_id").notNull(),
    threadId: uuid("thread_id")
      .notNull()
      .references(() => threads.messageId, { onDelete: "cascade" }),
    roomId: uuid("room_id").notNull(),
    isFollowing: boolean("is_following").notNull().default(true),
    readSeq: number("read_seq").notNull(),
    /** The last reply of the user's own that the mark has seen, which orders the two. */
    repliedSeq: number("replied_seq").notNull().default(0),
    createdAt: now("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.threadId] }),
    // Finds whom to push to, and the rows to delete with a thread. It includes the user because
    // many may follow one thread.
    index("thread_follows_thread").on(t.threadId, t.userId),
  ],
);

/** One row for each emoji that a person put on a message. */
export const messageReactions = pgTable(
  "message_reactions",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** One Unicode emoji sequence (RGI). */
    emoji: text("emoji").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.userId, t.emoji] })],
);

/** One row for each message that others have reacted to: when the newest of their reactions came. */
export const reactedMessages = pgTable(
  "reacted_messages",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's time, for its author's activity. */
    authorId: uuid("author_id").notNull(),
    roomId: uuid("room_id").notNull(),
    reactedAt: at("reacted_at").notNull(),
  },
  (t) => [index("reacted_messages_author").on(t.authorId, t.roomId, t.reactedAt)],
);

/** One row for each member that a message names. Room and number are the message's, for counting. */
export const messageMentions = pgTable(
  "message_mentions",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.userId] }),
    index("message_mentions_unread").on(t.userId, t.roomId, t.seq),
  ],
);

/**
 * One row for each member one of whose keywords a message contains. The process that posts the
 * message writes it afterwards; it counts as a mention.
 */
export const keywordHits = pgTable(
  "keyword_hits",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The message's, for counting. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.userId] }),
    index("keyword_hits_unread").on(t.userId, t.roomId, t.seq),
  ],
);

/** One row for a message with `@room` or `@here`, however many people it mentions. */
export const messageBroadcasts = pgTable(
  "message_broadcasts",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's, for counting. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    kind: text("kind", { enum: ["room", "here"] }).notNull(),
    /** The members that `@here` found online; null: all members. */
    userIds: uuid("user_ids").array(),
  },
  (t) => [
    index("message_broadcasts_unread").on(t.roomId, t.seq),
    check("message_broadcasts_kind", sql`${t.kind} in ('room', 'here')`),
  ],
);

/** One row for each room that a message names and its author belonged to. */
export const messageRoomReferences = pgTable(
  "message_room_references",
  {
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.roomId] }),
    index("message_room_references_room").on(t.roomId),
  ],
);

/** Messages that are pinned in their rooms. A pin is a mark: nothing is posted. */
export const messagePins = pgTable(
  "message_pins",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's, for the list. */
    roomId: uuid("room_id").notNull(),
    /** Null where an incoming webhook pinned what it posted. */
    pinnedBy: uuid("pinned_by").references(() => users.id),
    pinnedAt: now("pinned_at"),
  },
  (t) => [
    index("message_pins_room").on(
      t.roomId,
      t.pinnedAt.desc().nullsFirst(),
      t.messageId.desc().nullsFirst(),
    ),
  ],
);

/** Messages that people have saved for later. Only their owner sees them. */
export const savedMessages = pgTable(
  "saved_messages",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    messageId: uuid("message_id")
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** The message's room, for what its owner can read now. */
    roomId: uuid("room_id").notNull(),
    savedAt: now("saved_at"),
    note: text("note"),
    remindAt: at("remind_at"),
    /** When the reminder was sent. */
    remindedAt: at("reminded_at"),
    doneAt: at("done_at"),
    /** Since when a job has found it unreadable for its owner; null while it can be read. */
    hiddenSince: at("hidden_since"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.messageId] }),
    index("saved_messages_list").on(t.userId, t.doneAt, t.savedAt.desc().nullsFirst()),
    index("saved_messages_message").on(t.messageId),
    index("saved_messages_due")
      .on(t.remindAt)
      .where(sql`remind_at is not null and reminded_at is null`),
    check("saved_messages_note", sql`char_length(${t.note}) between 1 and 500`),
  ],
);

/** SQL: the last digit of a room's id, 0 to 15. */
export const ROOM_SHARD = "get_byte(uuid_send(room_id), 15) & 15";

/** Messages that their authors have written and that are to be posted later. */
export const scheduledMessages = pgTable(
  "scheduled_messages",
  {
    /** Also the `client_id` of the message, so that it is posted once. */
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    threadId: uuid("thread_id"),
    quoteId: uuid("quote_id"),
    content: text("content"),
    imageId: uuid("image_id"),
    imageAlt: text("image_alt"),
    fileId: uuid("file_id"),
    groupId: uuid("group_id"),
    sendAt: at("send_at").notNull(),
    /** The IANA name of the zone in which the time was chosen, to show it and to plan again. */
    zone: text("zone").notNull(),
    state: text("state", { enum: ["waiting", "sent", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why it failed: a code of `wire/codes.ts`. */
    reason: text("reason"),
    messageId: uuid("message_id"),
    /** Since when a process has been sending it: it can no longer be changed. */
    sendingAt: at("sending_at"),
    /** When it was sent or has failed. */
    endedAt: at("ended_at"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("scheduled_messages_list").on(t.userId, t.state, t.sendAt),
    index("scheduled_messages_room").on(t.roomId),
    // What is due of a shard of the rooms: those whose ids end in one digit.
    index("scheduled_messages_shard")
      .on(sql.raw(`(${ROOM_SHARD})`), t.sendAt, t.id)
      .where(sql`state = 'waiting'`),
    index("scheduled_messages_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    index("scheduled_messages_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    check("scheduled_messages_state", sql`${t.state} in ('waiting', 'sent', 'failed')`),
    check("scheduled_messages_reason", sql`(${t.state} = 'failed') = (${t.reason} is not null)`),
    check("scheduled_messages_ended", sql`(${t.state} = 'waiting') = (${t.endedAt} is null)`),
    check("scheduled_messages_content", sql`char_length(${t.content}) between 1 and 8000`),
    check(
      "scheduled_messages_not_empty",
      sql`num_nonnulls(${t.content}, ${t.imageId}, ${t.fileId}) > 0`,
    ),
  ],
);

/** Means "in no thread" in a key, since keys hold no null. */
export const NO_THREAD = "00000000-0000-0000-0000-000000000000";

/**
 * Drafts, shared by all devices of their author. A row without text, upload and quote is a
 * tombstone: it keeps a device that was offline from bringing the draft back.
 */
export const drafts = pgTable(
  "drafts",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    threadId: uuid("thread_id").notNull().default(NO_THREAD),
    content: text("content"),
    quoteId: uuid("quote_id"),
    imageId: uuid("image_id"),
    fileId: uuid("file_id"),
    /** The `client_id` that the message will have: posting it clears the draft. */
    clientId: uuid("client_id"),
    /** Counts changes. */
    version: integer("version").notNull(),
    /** The name of the device that wrote it. */
    device: text("device"),
    updatedAt: now("updated_at"),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.roomId, t.threadId] }),
    index("drafts_updated").on(t.updatedAt),
    index("drafts_room").on(t.roomId),
    index("drafts_image")
      .on(t.imageId)
      .where(sql`image_id is not null`),
    index("drafts_file")
      .on(t.fileId)
      .where(sql`file_id is not null`),
    check("drafts_content", sql`char_length(${t.content}) <= 8000`),
    check("drafts_device", sql`char_length(${t.device}) <= 40`),
  ],
);

/** The preview found at a URL, for all messages with that URL. A failure is stored too. */
export const linkPreviews = pgTable(
  "link_previews",
  {
    /** SHA-256 of the URL in UTF-8: URLs are longer than an index takes. */
    urlHash: bytes("url_hash").primaryKey(),
    url: text("url").notNull(),
    title: text("title"),
    description: text("description"),
    siteName: text("site_name"),
    isImage: boolean("is_image").notNull().default(false),
    /** Of the small copy of its picture in the storage, which is served from here. */
    imageSha256: bytes("image_sha256").references(() => blobs.sha256),
    hasFailed: boolean("has_failed").notNull().default(false),
    fetchedAt: now("fetched_at"),
    expiresAt: at("expires_at").notNull(),
    /** While a process fetches the preview: the end of its lease. */
    claimedUntil: at("claimed_until"),
  },
  (t) => [
    index("link_previews_image")
      .on(t.imageSha256)
      .where(sql`image_sha256 is not null`),
  ],
);

/**
 * What messages are found by. It is fed from the rooms' logs after the fact, so a row can be missing,
 * old, or left over: each result is checked against its message.
 */
export const messageSearch = pgTable(
  "message_search",
  {
    /** No foreign key: it would lock the message's row. UUIDv7, so the newest is the greatest. */
    messageId: uuid("message_id").primaryKey(),
    roomId: uuid("room_id").notNull(),
    authorNumber: integer("author_number").notNull(),
    /** Words, and tokens for filters (`search/tokens.ts`). */
    words: tsvector("words").notNull(),
  },
  // No index on rooms or times: the planner would walk it instead, and read far too much.
  (t) => [
    index("message_search_words")
      .using("gin", t.words)
      .with({ fastupdate: true, gin_pending_list_limit: 1_024 }),
  ],
);

/** How much of a room's messages `message_search` holds. */
export const searchRooms = pgTable("search_rooms", {
  roomId: uuid("room_id")
    .primaryKey()
    .references(() => rooms.id, { onDelete: "cascade" }),
  /** The room's log is followed up to here. */
  afterSeq: number("after_seq").notNull(),
  /** Messages from this number on are indexed, older ones are still to be indexed; 0 when all are. */
  backSeq: number("back_seq").notNull(),
  /** The version of the tokenizer. A room with an older one is indexed again. */
  version: smallint("version").notNull(),
});

/** The team's name, and how far its first administrator has come with setting it up. */
export const teamSettings = pgTable(
  "team_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** Null until someone has named it. */
    name: text("name"),
    /** The logo's version, part of its URL; null without a logo. */
    logoVersion: text("logo_version"),
    /** The step of the first run that comes next; past the last one, it is done. */
    setupStep: integer("setup_step").notNull().default(0),
    /** Counts changes: the newer of two answers has more. */
    version: number("version").notNull().default(0),
  },
  (t) => [
    check("team_settings_is_only", sql`${t.isOnly}`),
    check("team_settings_name", sql`char_length(${t.name}) between 1 and 60`),
    check("team_settings_setup_step", sql`${t.setupStep} between 0 and 4`),
  ],
);

/** The team's logo in each of its sizes. */
export const teamLogos = pgTable(
  "team_logos",
  {
    /** In pixels, as of `avatars`. */
    side: integer("side").primaryKey(),
    sha256: bytes("sha256")
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: number("size_bytes").notNull(),
  },
  (t) => [index("team_logos_sha256").on(t.sha256)],
);

/** Signup links that several people may use. */
export const inviteLinks = pgTable(
  "invite_links",
  {
    id: uuid("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull(),
    /**
     * Input of the key derivation for the token, with the secret key, so that the link can be shown
     * again.
     */
    tokenId: uuid("token_id").notNull(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: now("created_at"),
    expiresAt: at("expires_at").notNull(),
    maxUses: integer("max_uses").notNull(),
    /** How many have signed up with it. */
    uses: integer("uses").notNull().default(0),
    revokedAt: at("revoked_at"),
  },
  (t) => [
    uniqueIndex("invite_links_token_hash").on(t.tokenHash),
    check("invite_links_uses", sql`${t.uses} between 0 and ${t.maxUses}`),
  ],
);

/** The limits on uploads that an administrator has set: one row, or none. */
export const uploadSettings = pgTable(
  "upload_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    maxBytes: number("max_bytes").notNull(),
  },
  (t) => [
    check("upload_settings_is_only", sql`${t.isOnly}`),
    check("upload_settings_max_bytes", sql`${t.maxBytes} between 1024 and 1073741824`),
  ],
);

/** The pair of keys that says to push services who sends (VAPID, RFC 8292): one row, made once. */
export const pushKeys = pgTable(
  "push_keys",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** An uncompressed point of P-256, base64url: what browsers subscribe with. */
    publicKey: text("public_key").notNull(),
    /** Sealed with the secret key. */
    privateKey: bytes("private_key").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [check("push_keys_only", sql`${t.isOnly}`)],
);

/** Browsers that get notifications. A subscription is deleted with the session that created it. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The push endpoint. It is secret: anyone who knows it can send notifications. */
    endpoint: text("endpoint").notNull(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint),
    index("push_subscriptions_user").on(t.userId),
    index("push_subscriptions_session").on(t.sessionId),
    check(
      "push_subscriptions_endpoint_form",
      sql`${t.endpoint} ~ '^https://[!-~]+$' and char_length(${t.endpoint}) <= 2008`,
    ),
  ],
);

/** A room's feed: what happened, in order. Thin: the text is in its own table. */
export const roomLog = pgTable(
  "room_log",
  {
    /** No foreign key: the room is locked while a number is taken, and each message would pay for it. */
    roomId: uuid("room_id").notNull(),
    seq: number("seq").notNull(),
    type: text("type").$type<RoomEventType>().notNull(),
    /** No foreign key: the row outlives a deleted message. */
    messageId: uuid("message_id"),
    userId: uuid("user_id"),
    /** Who added or removed the member; null for the service. */
    actorId: uuid("actor_id"),
    createdAt: now("created_at"),
  },
  (t) => [primaryKey({ columns: [t.roomId, t.seq] })],
);

/** Where a room's events are sent to, signed. */
export const outgoingWebhooks = pgTable(
  "outgoing_webhooks",
  {
    id: uuid("id").primaryKey(),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEvent[]>().notNull(),
    /** `whsec_…`, sealed with the secret key. */
    secret: bytes("secret").notNull(),
    /** The one before, which signs too until then. */
    previousSecret: bytes("previous_secret"),
    previousUntil: at("previous_until"),
    isActive: boolean("is_active").notNull().default(true),
    /** Why the service switched it off; null where a person did. */
    disabledReason: text("disabled_reason"),
    /** When the first attempt failed since the last success; null after a success. */
    failingSince: at("failing_since"),
    /** Attempts in a row that took long or timed out; slow webhooks get fewer places. */
    slowAttempts: integer("slow_attempts").notNull().default(0),
    /** After a time-out nothing is sent until then. */
    restingUntil: at("resting_until"),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: now("created_at"),
    /** The room's log was turned into deliveries up to this number. */
    afterSeq: number("after_seq").notNull(),
  },
  (t) => [
    index("outgoing_webhooks_room").on(t.roomId),
    check("outgoing_webhooks_events", sql`cardinality(${t.events}) > 0`),
    check(
      "outgoing_webhooks_previous",
      sql`(${t.previousSecret} is null) = (${t.previousUntil} is null)`,
    ),
    check("outgoing_webhooks_disabled", sql`not ${t.isActive} or ${t.disabledReason} is null`),
  ],
);

/** What is to be sent to a webhook, or was: the log that its room's admins read. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The `webhook-id`, by which a receiver recognizes a repeated delivery. */
    id: uuid("id").primaryKey(),
    webhookId: uuid("hook_id")
      .notNull()
      .references(() => outgoingWebhooks.id, { onDelete: "cascade" }),
    /** The event's type, or `webhook.test`. */
    event: text("event").notNull(),
    /** Its place in the room's log; null for a test. */
    seq: number("seq"),
    /** JSON, to the byte as it is signed and sent. */
    body: text("body").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    /** When it is due; for a first attempt, when the row was made. */
    nextAt: at("next_at"),
    /** The last attempt: when it ended, the status it got, its error, and how long it took. */
    triedAt: at("tried_at"),
    status: integer("status"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    /** The first part of the answer. */
    answer: text("answer"),
    createdAt: now("created_at"),
    deliveredAt: at("delivered_at"),
  },
  (t) => [
    index("webhook_deliveries_hook").on(t.webhookId, t.id),
    index("webhook_deliveries_due")
      .on(t.webhookId, t.nextAt, t.seq)
      .where(sql`state = 'pending'`),
    check("webhook_deliveries_state", sql`${t.state} in ('pending', 'delivered', 'failed')`),
    check("webhook_deliveries_due", sql`(${t.state} = 'pending') = (${t.nextAt} is not null)`),
    check(
      "webhook_deliveries_delivered",
      sql`(${t.state} = 'delivered') = (${t.deliveredAt} is not null)`,
    ),
  ],
);

/** URLs to which programs post into a room. The raw token exists only in the URL. */
export const incomingWebhooks = pgTable(
  "incoming_webhooks",
  {
    id: uuid("id").primaryKey(),
    roomId: uuid("room_id")
      .notNull()
      .references(() => rooms.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    /**
     * The user whose memberships decide which rooms its posts can name, where it has no bot; never
     * shown.
     */
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    botId: uuid("bot_id").references(() => users.id),
    /** With what GitHub signs; sealed with the secret key. */
    githubSecret: bytes("github_secret"),
    /** Whether its posts may pin themselves. */
    mayPin: boolean("may_pin").notNull().default(false),
    createdAt: now("created_at"),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [
    uniqueIndex("incoming_webhooks_token_hash").on(t.tokenHash),
    index("incoming_webhooks_room").on(t.roomId),
  ],
);

/** Jobs. A row is waiting, running while its lease lasts, or failed; a finished job is deleted. */
export const jobs = pgTable(
  "jobs",
  {
    id: uuid("id").primaryKey(),
    kind: text("kind").notNull(),
    payload: jsonb("payload").notNull(),
    /** At most one job of a key waits or runs. */
    uniqueKey: text("unique_key"),
    createdAt: now("created_at"),
    runAt: now("run_at"),
    attempts: integer("attempts").notNull().default(0),
    maxAttempts: integer("max_attempts").notNull(),
    /** The process that runs it, and until when it is believed to. */
    lockedBy: uuid("locked_by"),
    lockedUntil: at("locked_until"),
    lastError: text("last_error"),
    failedAt: at("failed_at"),
  },
  (t) => [
    // What can be taken, by kind and time; leases, by their end; what administrators see, by age.
    index("jobs_due_by_kind")
      .on(t.kind, t.runAt)
      .where(sql`locked_by is null and failed_at is null`),
    index("jobs_leases")
      .on(t.lockedUntil)
      .where(sql`locked_by is not null`),
    index("jobs_failed")
      .on(t.id)
      .where(sql`failed_at is not null`),
    uniqueIndex("jobs_unique_key")
      .on(t.uniqueKey)
      .where(sql`failed_at is null`),
    check("jobs_payload", sql`jsonb_typeof(${t.payload}) = 'object'`),
    check("jobs_attempts", sql`${t.attempts} >= 0 and ${t.maxAttempts} > 0`),
    check("jobs_state", sql`${t.lockedBy} is null or ${t.failedAt} is null`),
    check("jobs_lease", sql`(${t.lockedBy} is null) = (${t.lockedUntil} is null)`),
  ],
);

/** When each periodic job is due next. */
export const schedules = pgTable("schedules", {
  name: text("name").primaryKey(),
  nextAt: at("next_at").notNull(),
});

/** Running processes. UNLOGGED: after a crash of PostgreSQL each of them registers again. */
export const instances = pgTable("instances", {
  id: uuid("id").primaryKey(),
  heartbeatAt: now("heartbeat_at"),
});

/** Who is connected, and where. Rows of an instance without a heartbeat do not count. UNLOGGED. */
export const presence = pgTable(
  "presence",
  {
    userId: uuid("user_id").notNull(),
    instanceId: uuid("instance_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.instanceId] }),
    index("presence_instance").on(t.instanceId),
  ],
);

/**
 * When people were last connected, including those who appear offline: the end of their last
 * connection. Never shown. It decides what someone may have missed.
 */
export const visits = pgTable("visits", {
  /** No foreign key: a row is written whenever a last socket closes. */
  userId: uuid("user_id").primaryKey(),
  endedAt: at("ended_at").notNull(),
});

/** Who has which room open, and where: what is posted there is not pushed to them. UNLOGGED. */
export const openRooms = pgTable(
  "open_rooms",
  {
    roomId: uuid("room_id").notNull(),
    userId: uuid("user_id").notNull(),
    instanceId: uuid("instance_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.userId, t.instanceId] }),
    index("open_rooms_instance").on(t.instanceId),
  ],
);
