import { type Static, Type as t } from "@sinclair/typebox";
import { File, Id, Image, Nullable, RoomRef, Timestamp, oneOf } from "./models.ts";
import { ClientId, MessageFields, Time } from "./requests.ts";

const ScheduledState = oneOf(["waiting", "sent", "failed"]);
const Zone = t.String({
  minLength: 1,
  maxLength: 64,
  description: "As Europe/Berlin (IANA)",
  expected: "the name of a time zone",
});
export const Scheduled = t.Object({
  id: t.String({ description: "UUID; also the `client_id` of the message" }),
  room_id: Id,
  room: Nullable({ ...RoomRef, description: "null where the author is no longer in it" }),
  thread_id: Nullable(Id),
  quote_id: Nullable(Id),
  content: Nullable(t.String()),
  image: Nullable(Image),
  file: Nullable(File),
  group_id: Nullable(Id),
  send_at: Timestamp,
  zone: t.String({ description: "In which the time was chosen" }),
  state: ScheduledState,
  reason: Nullable(t.String({ description: "The code of the refusal, where it has failed" })),
  message_id: Nullable(Id),
  sent_late: t.Boolean({ description: "It was sent more than a minute after its time" }),
  ended_at: Nullable(t.String({ description: "When it was sent or has failed" })),
  created_at: Timestamp,
});
/** A bot's scheduled message, as shown to administrators. */
export const BotScheduled = t.Object({
  id: Id,
  room: RoomRef,
  content: Nullable(t.String()),
  is_hidden: t.Boolean({
    description: "The text is not shown, since the administrator may not read the room",
  }),
  has_upload: t.Boolean(),
  send_at: Timestamp,
  zone: t.String({ description: "In which the time was chosen" }),
  state: oneOf(["waiting", "failed"]),
  reason: Nullable(t.String({ description: "The code of the refusal, where it has failed" })),
  token: Nullable({
    ...t.Object({ id: Id, name: t.String(), last4: t.String() }),
    description: "The token that scheduled or last changed it",
  }),
  ended_at: Nullable(t.String({ description: "When it has failed" })),
  created_at: Timestamp,
});
const SendAt = t.String({ ...Time, description: "1 minute to 1 year from now" });
export const ScheduleMessage = t.Object({
  room_id: Id,
  ...MessageFields,
  send_at: SendAt,
  zone: Zone,
  client_id: t.Optional(
    Nullable({
      ...ClientId,
      description: "The entry's id: a repeated call returns the first entry",
    }),
  ),
});
/** Absent fields stay unchanged. A failed message becomes waiting again. */
export const ChangeScheduled = t.Partial(
  t.Object({ room_id: Id, ...MessageFields, send_at: SendAt, zone: Zone }),
);

export type BotScheduled = Static<typeof BotScheduled>;
export type Scheduled = Static<typeof Scheduled>;
export type ScheduleMessage = Static<typeof ScheduleMessage>;
export type ChangeScheduled = Static<typeof ChangeScheduled>;
