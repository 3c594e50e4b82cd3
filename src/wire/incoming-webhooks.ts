import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_WEBHOOK_NAME_LENGTH } from "./limits.ts";
import { Id, Nullable, Timestamp, User } from "./models.ts";
import { nameOf } from "./requests.ts";

/** Incoming webhooks: addresses by which programs post into a room. */
export const IncomingWebhook = t.Object({
  id: Id,
  room_id: Id,
  name: t.String(),
  bot: Nullable(User),
  has_secret: t.Boolean({ description: "Whether GitHub's signature is checked" }),
  may_pin: t.Boolean({ description: 'Whether what it posts with `"pin": true` is pinned' }),
  created_by: User,
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
/** The address is in this response only. */
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
