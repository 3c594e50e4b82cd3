import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_INVITE_LINK_DAYS, MAX_INVITE_LINK_USES, MAX_INVITE_ROOMS } from "../limits.ts";
import { Id, Nullable, Timestamp, User } from "../models.ts";
import { Email } from "../requests.ts";

/** Invites, and links that several people may use. */

export const InviteStatus = t.Union([
  t.Literal("pending"),
  t.Literal("accepted"),
  t.Literal("expired"),
  t.Literal("revoked"),
]);
export const Invite = t.Object({
  id: Id,
  email: t.String(),
  status: InviteStatus,
  room_ids: t.Array(Id),
  invited_by: Nullable(User),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
});

/** The response to creating or resending an invite. Without mail it has the link, once. */
export const SentInvite = t.Composite([
  Invite,
  t.Object({ email_queued: t.Boolean(), link: Nullable(t.String()) }),
]);
export const CreateInvite = t.Object({
  email: Email,
  room_ids: t.Optional(t.Array(Id, { maxItems: MAX_INVITE_ROOMS, uniqueItems: true })),
});

/** A signup link that several people may use. */
export const InviteLink = t.Object({
  id: Id,
  link: Nullable(
    t.String({ description: "null once it has ended, or if the secret key was replaced since" }),
  ),
  uses: t.Integer({ description: "How many have signed up with it" }),
  max_uses: t.Integer(),
  is_active: t.Boolean(),
  created_by: User,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
});
export const CreateInviteLink = t.Object({
  days: t.Optional(t.Integer({ minimum: 1, maximum: MAX_INVITE_LINK_DAYS })),
  max_uses: t.Optional(t.Integer({ minimum: 1, maximum: MAX_INVITE_LINK_USES })),
});

export type InviteLink = Static<typeof InviteLink>;
export type CreateInviteLink = Static<typeof CreateInviteLink>;
export type Invite = Static<typeof Invite>;
export type InviteStatus = Static<typeof InviteStatus>;
export type SentInvite = Static<typeof SentInvite>;
export type CreateInvite = Static<typeof CreateInvite>;
