import { type Static, type TProperties, Type as t } from "@sinclair/typebox";
import { MAX_URL_LENGTH, MAX_WEBHOOK_NAME_LENGTH } from "./limits.ts";
import { Id, Nullable, Room, Timestamp, User, oneOf } from "./models.ts";
import { nameOf } from "./requests.ts";
import { TEST_EVENT, WEBHOOK_EVENTS } from "./webhook-events.ts";
import { EVENTS, ROOM_EVENT_TYPES, webhookEventOf } from "./events.ts";

export const IncomingWebhook = t.Object({
  id: Id,
  room_id: Id,
  name: t.String(),
  bot: Nullable(User),
  has_secret: t.Boolean({ description: "Whether GitHub's signature is checked" }),
  may_pin: t.Boolean({ description: 'Whether its messages with `"pin": true` are pinned' }),
  created_by: User,
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
/** The URL is only in this response. */
export const NewIncomingWebhook = t.Composite([IncomingWebhook, t.Object({ url: t.String() })]);
export const CreateIncomingWebhook = t.Object({
  name: nameOf(MAX_WEBHOOK_NAME_LENGTH),
  bot_id: t.Optional(Nullable(Id)),
  may_pin: t.Optional(t.Boolean()),
  secret: t.Optional(
    Nullable(
      t.String({ minLength: 1, maxLength: 500, description: "The secret that GitHub signs with" }),
    ),
  ),
});

export const ChangeIncomingWebhook = t.Object({ may_pin: t.Boolean() });

export type IncomingWebhook = Static<typeof IncomingWebhook>;
export type NewIncomingWebhook = Static<typeof NewIncomingWebhook>;
export type ChangeIncomingWebhook = Static<typeof ChangeIncomingWebhook>;
export type CreateIncomingWebhook = Static<typeof CreateIncomingWebhook>;

/** Outgoing webhooks: their settings, their deliveries, and the payload of a delivery. */

export const WebhookEvent = oneOf(WEBHOOK_EVENTS);

export const DeliveryState = oneOf(["pending", "delivered", "failed"]);
export const WebhookDelivery = t.Object({
  id: Id,
  event: t.String({ description: "An event, or webhook.test" }),
  state: DeliveryState,
  attempts: t.Integer(),
  next_at: Nullable(Timestamp),
  tried_at: Nullable(Timestamp),
  status: Nullable(t.Integer({ description: "HTTP status of the last attempt" })),
  error: Nullable(t.String({ description: "Why the last attempt failed" })),
  duration_ms: Nullable(t.Integer()),
  body: t.String({
    description:
      "The exact bytes of the last attempt; at most 256 KiB. Each attempt says what is true then",
  }),
  answer: Nullable(t.String({ description: "The beginning of the response to the last attempt" })),
  created_at: Timestamp,
  delivered_at: Nullable(Timestamp),
});

export const OutgoingWebhook = t.Object({
  id: Id,
  room_id: Id,
  name: t.String(),
  url: t.String(),
  events: t.Array(WebhookEvent),
  is_active: t.Boolean(),
  disabled_reason: Nullable(t.String({ description: "Why the service disabled it" })),
  failing_since: Nullable(Timestamp),
  previous_secret_until: Nullable(Timestamp),
  created_by: User,
  created_at: Timestamp,
  last_delivery: Nullable(
    t.Pick(WebhookDelivery, ["id", "event", "state", "tried_at", "status", "error"]),
  ),
});
/** The secret is only in the response that creates or rotates it. */
export const OutgoingWebhookWithSecret = t.Composite([
  OutgoingWebhook,
  t.Object({ secret: t.String({ description: "whsec_ and the base64 of 32 bytes" }) }),
]);

const Name = nameOf(MAX_WEBHOOK_NAME_LENGTH);
const Url = t.String({
  maxLength: MAX_URL_LENGTH,
  description: "http or https",
  expected: `an address of at most ${MAX_URL_LENGTH.toLocaleString("en")} characters`,
});
const Events = t.Array(WebhookEvent, {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
});
export const CreateOutgoingWebhook = t.Object({ name: Name, url: Url, events: Events });
export const UpdateOutgoingWebhook = t.Partial(
  t.Object({ name: Name, url: Url, events: Events, is_active: t.Boolean() }),
);

const RoomRef = t.Pick(Room, ["id", "name"]);
const payload = (type: string, data: TProperties) =>
  t.Object({ type: t.Literal(type), timestamp: Timestamp, data: t.Object(data) });

/** The data of a payload: the event, with the room's name, and the user instead of an id. */
function dataOf({ type: _, room_id: __, seq: ___, user_id, ...rest }: TProperties): TProperties {
  return { room: RoomRef, ...(user_id && { user: User }), ...rest };
}

/**
 * The body of a delivery. It shows the current state at each attempt; for a message that has been
 * deleted, only `message.deleted` is delivered. If the body exceeds `MAX_DELIVERY_BYTES`, a reaction's
 * `user_ids` lists only the first `MAX_DELIVERY_REACTORS` people; `count` counts all.
 */
export const WebhookPayload = t.Unsafe<WebhookPayload>(
  t.Union([
    ...ROOM_EVENT_TYPES.flatMap((type) => {
      const name = webhookEventOf(type);
      return name ? payload(name, dataOf(EVENTS[type].schema.properties)) : [];
    }),
    payload(TEST_EVENT, { room: RoomRef }),
  ]),
);

export type WebhookEvent = Static<typeof WebhookEvent>;
export type DeliveryState = Static<typeof DeliveryState>;
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export type OutgoingWebhook = Static<typeof OutgoingWebhook>;
export type OutgoingWebhookWithSecret = Static<typeof OutgoingWebhookWithSecret>;
export type CreateOutgoingWebhook = Static<typeof CreateOutgoingWebhook>;
export type UpdateOutgoingWebhook = Static<typeof UpdateOutgoingWebhook>;
export type WebhookPayload = {
  type: WebhookEvent | typeof TEST_EVENT;
  timestamp: string;
  data: object;
};
