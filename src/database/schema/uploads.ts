import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { byUser, ofUser } from "./accounts.ts";
import { at, bytes, now, number } from "./columns.ts";
import { ofRoom } from "./rooms.ts";

/**
 * Byte sequences in the storage. A row is inserted before the bytes are stored, and deleted with them.
 * Every table that uses bytes has a foreign key to this one, so that bytes in use are never deleted.
 */
export const blobs = pgTable(
  "blobs",
  {
    /** The SHA-256 of the bytes, which is their key in the storage. */
    sha256: bytes("sha256").primaryKey(),
    sizeBytes: number("size_bytes").notNull(),
    /** When these bytes were last uploaded. A message that uses that upload may not exist yet. */
    touchedAt: now("touched_at"),
    /** The number of uploads of these bytes that are not used yet, including failed ones. */
    pending: integer("pending").notNull().default(0),
    /** When a process started to delete the bytes. Its claim expires after ten minutes. */
    removingAt: at("removing_at"),
  },
  (t) => [check("blobs_sha256", sql`octet_length(${t.sha256}) = 32`)],
);

export const ofBlob = () =>
  bytes("sha256")
    .notNull()
    .references(() => blobs.sha256);

export const avatars = pgTable(
  "avatars",
  {
    userId: ofUser(),
    /** The side length of the requested square in pixels. Smaller pictures are not enlarged. */
    side: integer("side").notNull(),
    sha256: ofBlob(),
    sizeBytes: number("size_bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.side] }), index("avatars_sha256").on(t.sha256)],
);

/** Images uploaded to a room. A message uses an image at most once. The bytes are in the storage. */
export const messageImages = pgTable(
  "message_images",
  {
    id: uuid("id").primaryKey(),
    roomId: ofRoom(),
    uploaderId: byUser("uploader_id"),
    /** The SHA-256 of the stored bytes: their key in the storage and in the URL. */
    sha256: ofBlob(),
    /** The storage key of the WebP thumbnail; null if the image is small enough. */
    thumbSha256: bytes("thumb_sha256").references(() => blobs.sha256),
    mime: text("mime").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    blurhash: text("blurhash"),
    createdAt: now("created_at"),
  },
  (t) => [
    index("message_images_room").on(t.roomId, t.sha256),
    index("message_images_uploader").on(t.uploaderId, t.createdAt),
    index("message_images_sha256").on(t.sha256),
    index("message_images_thumb").on(t.thumbSha256),
    check("message_images_size", sql`${t.width} > 0 and ${t.height} > 0`),
  ],
);

/** Files of any type that were uploaded to a room. */
export const messageFiles = pgTable(
  "message_files",
  {
    id: uuid("id").primaryKey(),
    roomId: ofRoom(),
    uploaderId: byUser("uploader_id"),
    sha256: ofBlob(),
    /** The file name given by the uploader. */
    name: text("name").notNull(),
    mime: text("mime").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    createdAt: now("created_at"),
  },
  (t) => [
    index("message_files_room").on(t.roomId),
    index("message_files_uploader").on(t.uploaderId, t.createdAt),
    index("message_files_sha256").on(t.sha256),
    check("message_files_name", sql`octet_length(${t.name}) between 1 and 255`),
  ],
);

/** Upload limits set by an administrator: at most one row. */
export const uploadSettings = pgTable(
  "upload_settings",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    maxBytes: number("max_bytes").notNull(),
  },
  (t) => [
    check("upload_settings_is_only", sql`${t.isOnly}`),
    check("upload_settings_max_bytes", sql`${t.maxBytes} between 1024 and 1073741824`),
  ],
);
