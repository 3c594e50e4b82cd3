import type { SqlClient, Query } from "../database/connect.ts";
import { uploadSettings } from "../database/schema.ts";
import { invalid, Refusal } from "../platform/refusal.ts";
import { DEFAULT_UPLOAD_BYTES, MAX_UPLOAD_LIMIT, MIN_UPLOAD_LIMIT } from "../wire/limits.ts";
import { formatSize } from "../wire/sizes.ts";

/** How large an upload may be now, in bytes. Read anew for each one. */
export async function readUploadLimit(sql: SqlClient): Promise<number> {
  const [row] = await sql<{ max_bytes: number }[]>`select max_bytes from upload_settings`;
  return row?.max_bytes ?? DEFAULT_UPLOAD_BYTES;
}

/**
 * Sets how large an upload may be, for those that begin after the commit.
 * @param maxBytes 1 KiB to 1 GiB
 * @throws Refusal `validation`
 */
export async function setUploadLimit(tx: Query, maxBytes: number): Promise<void> {
  if (!Number.isInteger(maxBytes) || maxBytes < MIN_UPLOAD_LIMIT || maxBytes > MAX_UPLOAD_LIMIT) {
    const range = `${formatSize(MIN_UPLOAD_LIMIT)} to ${formatSize(MAX_UPLOAD_LIMIT)}`;
    throw invalid("/max_bytes", `The limit of uploads is a whole number of bytes, ${range}.`);
  }
  await tx
    .insert(uploadSettings)
    .values({ maxBytes })
    .onConflictDoUpdate({ target: uploadSettings.isOnly, set: { maxBytes } });
}

/** The refusal of what is larger than the limit, which it names. */
export function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too_large", `This is larger than ${formatSize(maxBytes)}, the most here.`);
}
