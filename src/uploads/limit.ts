import type { Query } from "../database/connect.ts";
import { uploadSettings } from "../database/schema.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { DEFAULT_UPLOAD_BYTES, MAX_UPLOAD_LIMIT, MIN_UPLOAD_LIMIT } from "../wire/limits.ts";
import { formatSize } from "../wire/files.ts";

export async function readUploadLimit(db: Query): Promise<number> {
  const [row] = await db.select().from(uploadSettings);
  return row?.maxBytes ?? DEFAULT_UPLOAD_BYTES;
}

/** @param maxBytes 1 KiB to 1 GiB @throws Refusal `validation` */
export async function setUploadLimit(tx: Query, maxBytes: number): Promise<void> {
  if (!Number.isInteger(maxBytes) || maxBytes < MIN_UPLOAD_LIMIT || maxBytes > MAX_UPLOAD_LIMIT) {
    const range = `${formatSize(MIN_UPLOAD_LIMIT)} to ${formatSize(MAX_UPLOAD_LIMIT)}`;
    throw makeFieldRefusal("/max_bytes", `The upload limit is a whole number of bytes, ${range}.`);
  }
  await tx
    .insert(uploadSettings)
    .values({ maxBytes })
    .onConflictDoUpdate({ target: uploadSettings.isOnly, set: { maxBytes } });
}

export function makeTooLargeRefusal(maxBytes: number): Refusal {
  return new Refusal("too_large", `This is larger than the limit of ${formatSize(maxBytes)}.`);
}
