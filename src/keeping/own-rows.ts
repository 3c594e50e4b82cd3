import { eq, sql } from "drizzle-orm";
import type { Query, Transaction } from "../database/connect.ts";
import { users } from "../database/schema.ts";
import { makeInvalid } from "../platform/refusal.ts";
import { parseTime } from "../platform/time.ts";
import { makeUnknownUpload } from "../messages/refusals.ts";
import { MIN_AHEAD_SECONDS } from "../wire/limits.ts";

/** Locks someone's row, so that their limits are counted one change after the other. */
export async function lockOwner(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** The time that a request for "in one minute" may take to arrive. */
const SLACK_SECONDS = 5;
const DAY_MS = 86_400_000;

/**
 * Parses a time ahead: at least a minute, at most `maxDays` from now.
 * @throws Refusal `validation`
 */
export function parseAhead(text: string, path: string, maxDays: number): Date {
  const at = parseTime(text, path);
  const ahead = at.getTime() - Date.now();
  if (ahead < (MIN_AHEAD_SECONDS - SLACK_SECONDS) * 1_000) {
    throw makeInvalid(path, "This time is over, or less than a minute ahead. Choose a later one.");
  }
  if (ahead > maxDays * DAY_MS) throw makeInvalid(path, "This time is too far ahead.");
  return at;
}

/**
 * Checks that uploads are the user's own, were made for this room, and are used by no message.
 * @throws Refusal `unknown_upload`
 */
export async function checkOwnUploads(
  tx: Query,
  userId: string,
  roomId: string,
  { image_id, file_id }: { image_id?: string | null; file_id?: string | null },
): Promise<void> {
  const wanted = [
    ["message_images", "image_id", image_id] as const,
    ["message_files", "file_id", file_id] as const,
  ];
  for (const [table, column, id] of wanted) {
    if (!id) continue;
    const found = await tx.execute(sql`
      select from ${sql.raw(table)} x
      where id = ${id} and room_id = ${roomId} and uploader_id = ${userId}
        and not exists (select from messages where ${sql.raw(column)} = x.id)`);
    if (found.length === 0) throw makeUnknownUpload();
  }
}
