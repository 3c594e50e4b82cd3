import { sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import {
  FILE_FIELDS,
  type FileRow,
  IMAGE_FIELDS,
  type ImageRow,
  toFile,
  toImage,
} from "../uploads/models.ts";
import type { RoomRef } from "../wire/models.ts";
import {
  makeUnknownUploadRefusal,
  makeThreadsOffRefusal,
  makeUnknownQuoteRefusal,
  makeUnknownThreadRefusal,
} from "./refusals.ts";
import type { RoomRow } from "../rooms/access.ts";

/** The room and the uploads that a draft or a scheduled message shows to its owner. */
export type UnsentColumns = {
  room_id: string;
  /** Null if the owner is not in the room. */
  room_kind: RoomRef["kind"] | null;
  room_name: string | null;
  image: Omit<ImageRow, "alt"> | null;
  file: FileRow | null;
};

/**
 * SQL columns of `UnsentColumns`, except `room_id`.
 * @param k the alias of a row with `user_id`, `room_id`, `image_id` and `file_id`
 */
export const unsentColumns = (k: string) => `
  own_room.kind as room_kind, own_room.name as room_name,
  case when ${k}.image_id is not null then (
    select json_build_object(${IMAGE_FIELDS})
    from message_images where id = ${k}.image_id and uploader_id = ${k}.user_id
  ) end as image,
  case when ${k}.file_id is not null then (
    select json_build_object(${FILE_FIELDS})
    from message_files where id = ${k}.file_id and uploader_id = ${k}.user_id
  ) end as file`;

/** SQL joins for these columns. Joins read the rooms of a whole list faster than subqueries. */
export const unsentJoins = (k: string) => `
  left join memberships own_membership on own_membership.user_id = ${k}.user_id and own_membership.room_id = ${k}.room_id
  left join rooms own_room on own_room.id = own_membership.room_id and own_room.deleted_at is null`;

export function toRoomRef({ room_id, room_kind, room_name }: UnsentColumns): RoomRef | null {
  return room_kind && { id: room_id, kind: room_kind, name: room_name };
}

/** @param alt the alternative text of the image */
export function toUploads({ room_id, image, file }: UnsentColumns, alt: string | null) {
  return {
    image: image && toImage(room_id, { ...image, alt }),
    file: file && toFile(room_id, file),
  };
}

/**
 * Checks that uploads belong to the user, are for this room, and are not used by a message.
 * @throws Refusal `unknown_upload`
 */
export async function checkOwnUploads(
  tx: Query,
  userId: string,
  roomId: string,
  { image_id, file_id }: { image_id?: string | null; file_id?: string | null },
): Promise<void> {
  const uploads = [
    ["message_images", "image_id", image_id] as const,
    ["message_files", "file_id", file_id] as const,
  ];
  for (const [table, column, id] of uploads) {
    if (!id) continue;
    const rows = await tx.execute(sql`
      select from ${sql.raw(table)} x
      where id = ${id} and room_id = ${roomId} and uploader_id = ${userId}
        and not exists (select from messages where ${sql.raw(column)} = x.id)`);
    if (rows.length === 0) throw makeUnknownUploadRefusal();
  }
}

/** The thread and the quoted message of a message that is not posted yet. */
export type Targets = { threadId: string | null; quoteId: string | null };

/**
 * Checks the thread and the quote of a message that will be posted later, by the rules of the
 * statement that posts it (`insert.ts`), which checks it again.
 * @throws Refusal `unknown_thread`, `threads_off`, `unknown_quote`
 */
export async function checkTargets(
  tx: Query,
  room: RoomRow,
  { threadId, quoteId }: Targets,
): Promise<void> {
  if (threadId === null && quoteId === null) return;
  const [row] = await tx.execute<{ root: boolean; thread: boolean; quote: boolean }>(sql`
    with root as (
      select id from messages
      where id = (select coalesce(thread_id, id) from messages where id = ${threadId}::uuid)
        and room_id = ${room.id} and deleted_at is null
    )
    select exists (select from root) as root,
      exists (select from threads where message_id = (select id from root)) as thread,
      exists (
        select from messages
        where id = ${quoteId}::uuid and room_id = ${room.id} and deleted_at is null
      ) as quote`);
  if (threadId !== null) {
    if (!row?.root) throw makeUnknownThreadRefusal();
    const isOff = room.kind === "direct" || (room.threads === "off" && !row.thread);
    if (isOff) throw makeThreadsOffRefusal();
  }
  if (quoteId !== null && !row?.quote) throw makeUnknownQuoteRefusal();
}
