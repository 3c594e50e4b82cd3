import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { ofBlob } from "./uploads.ts";

/** The mail server: at most one row; none while email is off. */
export const smtpSettings = pgTable(
  "smtp_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    host: text("host").notNull(),
    port: integer("port").notNull(),
    security: text("security", { enum: ["none", "starttls", "tls"] }).notNull(),
    username: text("username"),
    /** Encrypted with the secret key. */
    password: bytes("password"),
    /** An address, optionally with a name: `Name <address>`. */
    from: text("from_address").notNull(),
    /** When email started to fail, and the server's last error; null while email works. */
    failingSince: at("failing_since"),
    failure: text("failure"),
  },
  (t) => [
    check("smtp_settings_is_only", sql`${t.isOnly}`),
    check("smtp_settings_port", sql`${t.port} between 1 and 65535`),
    check("smtp_settings_security", sql`${t.security} in ('none', 'starttls', 'tls')`),
  ],
);

/** Actions of administrators. A trigger rejects updates and deletes. */
export const adminAuditLog = pgTable(
  "admin_audit_log",
  {
    id: uuid("id").primaryKey(),
    /** Null for an action from the command line. */
    actorId: uuid("actor_id").references(() => users.id),
    /** For example `user.deactivate`. */
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    /** No foreign key: the row outlives its target. */
    targetId: uuid("target_id"),
    /** The target's name at the time of the action. */
    targetName: text("target_name"),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    /** Null for an action from the command line. */
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

/** The team's name and logo, and the progress of the first administrator's setup. */
export const teamSettings = pgTable(
  "team_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** Null until an administrator sets a name. */
    name: text("name"),
    /** The logo's version, part of its URL; null without a logo. */
    logoVersion: text("logo_version"),
    /** The next step of the setup; beyond the last step, the setup is complete. */
    setupStep: integer("setup_step").notNull().default(0),
    /** Incremented by every change: of two responses, the one with the larger version is newer. */
    version: number("version").notNull().default(0),
  },
  (t) => [
    check("team_settings_is_only", sql`${t.isOnly}`),
    check("team_settings_name", sql`char_length(${t.name}) between 1 and 60`),
    check("team_settings_setup_step", sql`${t.setupStep} between 0 and 4`),
  ],
);

export const teamLogos = pgTable(
  "team_logos",
  {
    /** The side length of the square in pixels, as in `avatars`. */
    side: integer("side").primaryKey(),
    sha256: ofBlob(),
    sizeBytes: number("size_bytes").notNull(),
  },
  (t) => [index("team_logos_sha256").on(t.sha256)],
);
