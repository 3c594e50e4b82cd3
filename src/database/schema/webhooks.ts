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
import { byUser, users } from "./accounts.ts";
import { at, bytes, choice, now, number } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

/** Outgoing webhooks: URLs that receive a room's events, signed. */
export const outgoingWebhooks = pgTable(
  "outgoing_webhooks",
  {
    id: uuid("id").primaryKey(),
    roomId: ofRoom(),
    name: text("name").notNull(),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEvent[]>().notNull(),
    /** `whsec_…`, encrypted with the secret key. */
    secret: bytes("secret").notNull(),
    /** The previous secret, which also signs deliveries until `previousUntil`. */
    previousSecret: bytes("previous_secret"),
    previousUntil: at("previous_until"),
    isActive: boolean("is_active").notNull().default(true),
    /** Why the service disabled the webhook; null if a person did. */
    disabledReason: text("disabled_reason"),
    /** When the first attempt after the last success failed; null after a success. */
    failingSince: at("failing_since"),
    /** Consecutive attempts that were slow or timed out. Slow webhooks get less concurrency. */
    slowAttempts: integer("slow_attempts").notNull().default(0),
    /** After a timeout, deliveries are paused until this time. */
    pausedUntil: at("resting_until"),
    createdBy: byUser("created_by"),
    createdAt: now("created_at"),
    /** Events up to this log number have been turned into deliveries. */
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

/** Pending and finished deliveries of outgoing webhooks: the log shown to the room's admins. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The `webhook-id` header, by which a receiver recognizes a repeated delivery. */
    id: uuid("id").primaryKey(),
    webhookId: uuid("hook_id")
      .notNull()
      .references(() => outgoingWebhooks.id, { onDelete: "cascade" }),
    /** The event's type, or `webhook.test`. */
    event: text("event").notNull(),
    /** The event's number in the room's log; null for a test. */
    seq: number("seq"),
    /** The JSON exactly as signed and sent. */
    body: text("body").notNull(),
    state: choice("state", ["pending", "delivered", "failed"], "pending"),
    attempts: integer("attempts").notNull().default(0),
    /** When the next attempt is due; initially the time of insertion. */
    nextAt: at("next_at"),
    /** The last attempt: when it ended, its HTTP status, its error and its duration. */
    triedAt: at("tried_at"),
    status: integer("status"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    /** The beginning of the response body. */
    response: text("answer"),
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

/** Incoming webhooks: URLs to which programs post messages. The raw token exists only in the URL. */
export const incomingWebhooks = pgTable(
  "incoming_webhooks",
  {
    id: uuid("id").primaryKey(),
    roomId: ofRoom(),
    name: text("name").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    /** Whose memberships decide what messages can reference, if there is no bot. Never shown. */
    createdBy: byUser("created_by"),
    botId: uuid("bot_id").references(() => users.id),
    /** GitHub's signing secret, encrypted with the secret key. */
    githubSecret: bytes("github_secret"),
    /** Whether the webhook may pin its own messages. */
    mayPin: boolean("may_pin").notNull().default(false),
    createdAt: now("created_at"),
    lastUsedAt: at("last_used_at"),
  },
  (t) => [
    uniqueIndex("incoming_webhooks_token_hash").on(t.tokenHash),
    index("incoming_webhooks_room").on(t.roomId),
  ],
);
