import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { blobs } from "./uploads.ts";

/** The team, and how the site is administered. */

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
    /** Since when no mail could be sent, and what the server said last; null while mail works. */
    failingSince: at("failing_since"),
    failure: text("failure"),
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
