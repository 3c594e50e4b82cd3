import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_NOTE_LENGTH } from "./limits.ts";
import { Id, Message, Nullable, RoomRef, Timestamp } from "./models.ts";
import { atMost, Time } from "./requests.ts";

export const Saved = t.Object({
  message: Message,
  room: RoomRef,
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
/** Absent fields stay unchanged. A message marked as done becomes open again. */
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

export type Saved = Static<typeof Saved>;
export type SavedIds = Static<typeof SavedIds>;
export type SaveMessage = Static<typeof SaveMessage>;
