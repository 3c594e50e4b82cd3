import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { bytes, now } from "./columns.ts";
import { sessions } from "./credentials.ts";

/** Web Push. */

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
