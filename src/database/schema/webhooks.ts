import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { WebhookEvent } from "../../wire/webhooks.ts";
import { users } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { rooms } from "./rooms.ts";

/** Incoming and outgoing webhooks. */

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
