import { and, eq, lt, notExists, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { messageFiles, messageImages, messages } from "../database/schema.ts";

const KEPT_HOURS = 24;

/**
 * Deletes uploads of more than 24 hours ago that no message uses. If a message claims one in the same
 * moment the statement fails, and the job is retried.
 */
export async function deleteUnusedUploads(db: Drizzle): Promise<void> {
  const since = sql`clock_timestamp() - ${KEPT_HOURS} * interval '1 hour'`;
  const withImage = db.select().from(messages).where(eq(messages.imageId, messageImages.id));
  await db
    .delete(messageImages)
    .where(and(lt(messageImages.createdAt, since), notExists(withImage)));
  const withFile = db.select().from(messages).where(eq(messages.fileId, messageFiles.id));
  await db.delete(messageFiles).where(and(lt(messageFiles.createdAt, since), notExists(withFile)));
}
