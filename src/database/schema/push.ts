import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { bytes, now } from "./columns.ts";
import { sessions } from "./credentials.ts";

/** The key pair that identifies this server to push services (VAPID, RFC 8292): a single row. */
export const pushKeys = pgTable(
  "push_keys",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** An uncompressed P-256 point in base64url: the `applicationServerKey` of browsers' subscriptions. */
    publicKey: text("public_key").notNull(),
    /** Encrypted with the secret key. */
    privateKey: bytes("private_key").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [check("push_keys_only", sql`${t.isOnly}`)],
);

/** Browsers that receive notifications. A subscription is deleted with its session. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: uuid("id").primaryKey(),
    userId: ofUser(),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The push endpoint, which is secret: anyone who knows it can send notifications. */
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
