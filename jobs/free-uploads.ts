import type { Database } from "../src/database/connect.ts";
import type { Handling } from "../src/jobs-queue/kinds.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { sweepBlobs } from "../src/uploads/remove.ts";

/**
 * Deletes uploads of more than 24 hours ago that no message uses, then the bytes that nothing names
 * any more: theirs, and those of rooms that were deleted. A message that takes one in the same
 * moment makes the statement fail, and the job is tried again.
 */
export function freeUploads(database: Database, storage: Storage): Handling<"free_uploads"> {
  const { sql } = database;
  return {
    // After the deletion of a large room there is much to remove.
    timeoutSeconds: 3_600,
    async run(_, { signal }) {
      await sql`delete from message_images i
        where created_at < clock_timestamp() - interval '24 hours'
          and not exists (select from messages where image_id = i.id)`;
      await sql`delete from message_files f
        where created_at < clock_timestamp() - interval '24 hours'
          and not exists (select from messages where file_id = f.id)`;
      await sweepBlobs(database, storage, signal);
    },
  };
}
