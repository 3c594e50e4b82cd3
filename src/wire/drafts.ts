import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_DEVICE_LENGTH } from "./limits.ts";
import { File, Id, Image, Nullable, RoomRef, Timestamp } from "./models.ts";
import { ClientId, Content } from "./requests.ts";

/** The caller's draft in a room or thread. Without content it is a tombstone. */
export const DraftCopy = t.Object({
  room_id: Id,
  room: Nullable({ ...RoomRef, description: "null where the caller is no longer in it" }),
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

export type DraftCopy = Static<typeof DraftCopy>;
export type SaveDraft = Static<typeof SaveDraft>;
