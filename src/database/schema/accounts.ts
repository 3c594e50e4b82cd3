import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { QuietHours, Colors, SidebarSettings } from "../../wire/models.ts";
import { at, bytes, choice, now, number, shortNumber } from "./columns.ts";

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    number: shortNumber(),
    username: text("username").notNull(),
    /** Null for a bot. */
    email: text("email"),
    /** True if the address was typed by the person at signup and not confirmed by an invite or a provider. */
    hasUnverifiedEmail: boolean("has_unverified_email").notNull().default(false),
    displayName: text("display_name"),
    /** The avatar's version, part of its URL; null without an avatar. */
    avatarVersion: text("avatar_version"),
    /** argon2id hash in PHC format; null for an account that cannot sign in with a password. */
    passwordHash: text("password_hash"),
    theme: choice("theme", ["dark", "light", "midnight", "sunset", "custom"], "dark"),
    /** If true, the client follows the device instead of `theme`, until a theme is chosen. */
    followsSystem: boolean("follows_system").notNull().default(true),
    /** Not cleared when the user activates a preset. */
    activeCustomThemeId: uuid("active_custom_theme_id").references(
      (): AnyPgColumn => customThemes.id,
    ),
    appearOffline: boolean("appear_offline").notNull().default(false),
    /** Whether the user gets an email when someone adds them to a room. */
    emailOnAdded: boolean("email_on_added").notNull().default(true),
    /** When the password was last set. Reset links requested earlier are not sent. */
    passwordSetAt: now("password_set_at"),
    isActive: boolean("is_active").notNull().default(true),
    isSiteAdmin: boolean("is_site_admin").notNull().default(false),
    isBot: boolean("is_bot").notNull().default(false),
    /** An emergency account: may use its password or passkey despite an exclusive provider. */
    keepsPassword: boolean("keeps_password").notNull().default(false),
    /** When a second factor was turned on; null without one, or until its recovery codes are saved. */
    secondFactorAt: at("second_factor_at"),
    /** 32 random bytes that identify the account to authenticators; null before its first passkey. */
    webauthnHandle: bytes("webauthn_handle"),
    /** Whether the user gets summary emails of missed mentions. */
    emailOnMissed: boolean("email_on_missed").notNull().default(true),
    /** Missed mentions up to this time have been mailed or are not to be mailed. */
    mentionsMailedAt: at("mentions_mailed_at")
      .notNull()
      .default(sql`now()`),
    quietHours: jsonb("quiet_hours").$type<QuietHours>(),
    /** IANA name, of the browser that the user opened last; null until one has set it. */
    timeZone: text("time_zone"),
    sound: choice("sound", ["none", "drop", "chime", "knock"], "none"),
    pushPausedUntil: at("push_paused_until"),
    /** What a notification shows: everything, only the sender, or neither. */
    pushPreview: choice("push_preview", ["full", "sender", "none"], "full"),
    /** Keywords as entered. A message that contains one notifies the user like a mention. */
    keywords: text("keywords")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** How the user has arranged the sidebar; contains only settings that differ from the defaults. */
    sidebar: jsonb("sidebar").$type<Partial<SidebarSettings>>().notNull().default({}),
    createdAt: now("created_at"),
    lastSeenAt: at("last_seen_at"),
    /** The time up to which the user has seen their activity. */
    activityReadAt: at("activity_read_at")
      .notNull()
      .default(sql`now()`),
    /** A trigger increments it when data visible to the user changes. */
    version: number("version").notNull().default(0),
    /** A trigger increments it when data visible to others changes. */
    profileVersion: number("profile_version").notNull().default(0),
  },
  (t) => [
    uniqueIndex("users_number").on(t.number),
    uniqueIndex("users_username").on(t.username),
    // Bots are few and listed by name.
    index("users_bots")
      .on(t.username)
      .where(sql`is_bot`),
    uniqueIndex("users_email").on(t.email),
    uniqueIndex("users_webauthn_handle").on(t.webauthnHandle),
    check("users_username_form", sql`${t.username} ~ '^[a-z0-9]([a-z0-9._-]{0,30}[a-z0-9])?$'`),
    check("users_email_folded", sql`${t.email} = lower(${t.email})`),
    check("users_email_needed", sql`${t.email} is not null or ${t.isBot}`),
    // A bot has no password and no administrator rights, only tokens.
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

/** A column for the user who owns a row; the row is deleted with the account. */
export const ofUser = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** A primary key for a table with one row per user. */
export const userKey = () =>
  uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" });

export const byUser = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id);

/** Custom themes, each visible only to its owner. */
export const customThemes = pgTable(
  "custom_themes",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    name: text("name").notNull(),
    colors: jsonb("colors").$type<Colors>().notNull(),
    isDark: boolean("is_dark").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [index("custom_themes_user").on(t.userId)],
);

/** A single row, incremented when public data of a user or a link preview changes. */
export const peopleVersion = pgTable(
  "people_version",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    version: number("version").notNull().default(0),
  },
  (t) => [check("people_version_only", sql`${t.isOnly}`)],
);

/** Attempts per fixed window, across all instances. UNLOGGED: a crash only resets the counts. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("rate_limits_expires").on(t.expiresAt)],
);
