import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_DEVICE_LENGTH, MAX_NOTE_LENGTH } from "./limits.ts";
import { File, Id, Image, Message, Nullable, RoomKind, Timestamp } from "./models.ts";
import { atMost, ClientId, Content, MessageParts, Time } from "./requests.ts";

/** Saved messages, scheduled messages and drafts: only their owner sees them. */

/** Where something is; a conversation has no name. */
const KeptRoom = t.Object({ id: Id, kind: RoomKind, name: Nullable(t.String()) });

/** A message that the caller has saved. */
export const Saved = t.Object({
  message: Message,
  room: KeptRoom,
  note: Nullable(t.String()),
  saved_at: Timestamp,
  remind_at: Nullable(Timestamp),
  reminded_at: Nullable(t.String({ description: "When the reminder was sent" })),
  done_at: Nullable(Timestamp),
});
export const SavedIds = t.Object({
  ids: t.Array(Id, { description: "Of the messages that are saved and not done" }),
  due_count: t.Integer({ description: "How many of them have a reminder whose time has come" }),
});
/** Fields that are absent stay as they are; a message that is done is open again. */
export const SaveMessage = t.Partial(
  t.Object({
    note: Nullable(
      t.String({
        ...atMost(MAX_NOTE_LENGTH),
        expected: `text of at most ${MAX_NOTE_LENGTH} characters`,
      }),
    ),
    remind_at: Nullable(t.String({ ...Time, description: "1 minute to 2 years from now" })),
  }),
);

export const ScheduledState = t.Union([
  t.Literal("waiting"),
  t.Literal("sent"),
  t.Literal("failed"),
]);
const Zone = t.String({
  minLength: 1,
  maxLength: 64,
  description: "As Europe/Berlin (IANA)",
  expected: "the name of a time zone",
});
/** A message that its author has scheduled. */
export const Scheduled = t.Object({
  id: t.String({ description: "UUID; also the `client_id` of the message" }),
  room_id: Id,
  room: Nullable({ ...KeptRoom, description: "null where the author is no longer in it" }),
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
const SendAt = t.String({ ...Time, description: "1 minute to 1 year from now" });
export const ScheduleMessage = t.Object({
  room_id: Id,
  ...MessageParts,
  send_at: SendAt,
  zone: Zone,
  client_id: t.Optional(
    Nullable({ ...ClientId, description: "The entry's id: a repeated call answers the first one" }),
  ),
});
/** Fields that are absent stay as they are; a message that has failed waits again. */
export const ChangeScheduled = t.Partial(
  t.Object({ room_id: Id, ...MessageParts, send_at: SendAt, zone: Zone }),
);

/** The caller's draft in a room or thread. Without content it is a tombstone. */
export const DraftCopy = t.Object({
  room_id: Id,
  room: Nullable({ ...KeptRoom, description: "null where the caller is no longer in it" }),
  thread_id: Nullable(Id),
  content: Nullable(t.String()),
  quote_id: Nullable(Id),
  image: Nullable(Image),
  file: Nullable(File),
  client_id: Nullable(
    t.String({ description: "With which it will be posted, and with `clears_draft`" }),
  ),
  version: t.Integer({
    minimum: 0,
    description: "Counts changes; 0 if the service has no draft",
  }),
  device: Nullable(t.String({ description: "The name of the device that wrote it" })),
  updated_at: Timestamp,
});
export const SaveDraft = t.Object({
  room_id: Id,
  thread_id: t.Optional(Nullable(Id)),
  base_version: t.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: "The version on which this one is based; 0 for none",
  }),
  content: Nullable(Content),
  quote_id: t.Optional(Nullable(Id)),
  image_id: t.Optional(Nullable(Id)),
  file_id: t.Optional(Nullable(Id)),
  client_id: t.Optional(
    Nullable({
      ...ClientId,
      description: "A message that is posted with it and `clears_draft` clears the draft",
    }),
  ),
  device: t.Optional(
    Nullable(
      t.String({
        maxLength: MAX_DEVICE_LENGTH,
        expected: `text of at most ${MAX_DEVICE_LENGTH} characters`,
      }),
    ),
  ),
});

export type KeptRoom = Static<typeof KeptRoom>;
export type Saved = Static<typeof Saved>;
export type SavedIds = Static<typeof SavedIds>;
export type SaveMessage = Static<typeof SaveMessage>;
export type Scheduled = Static<typeof Scheduled>;
export type ScheduleMessage = Static<typeof ScheduleMessage>;
export type ChangeScheduled = Static<typeof ChangeScheduled>;
export type DraftCopy = Static<typeof DraftCopy>;
export type SaveDraft = Static<typeof SaveDraft>;
