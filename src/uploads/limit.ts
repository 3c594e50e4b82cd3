import type { Query } from "../database/connect.ts";
import { prepareQuery } from "../database/prepared.ts";
import { uploadSettings } from "../database/schema.ts";
import { makeInvalid, Refusal } from "../platform/refusal.ts";
import { DEFAULT_UPLOAD_BYTES, MAX_UPLOAD_LIMIT, MIN_UPLOAD_LIMIT } from "../wire/limits.ts";
import { formatSize } from "../wire/sizes.ts";

const findSettings = prepareQuery("upload_settings", (db) => db.select().from(uploadSettings));

/** How large an upload may be now, in bytes. Read for each upload. */
export async function readUploadLimit(db: Query): Promise<number> {
  const [row] = await findSettings(db, {});
  return row?.maxBytes ?? DEFAULT_UPLOAD_BYTES;
}

/**
 * Sets how large an upload may be. It holds for uploads that begin after the commit.
 * @param maxBytes 1 KiB to 1 GiB
 * @throws Refusal `validation`
 */
export async function setUploadLimit(tx: Query, maxBytes: number): Promise<void> {
  if (!Number.isInteger(maxBytes) || maxBytes < MIN_UPLOAD_LIMIT || maxBytes > MAX_UPLOAD_LIMIT) {
    const range = `${formatSize(MIN_UPLOAD_LIMIT)} to ${formatSize(MAX_UPLOAD_LIMIT)}`;
    throw makeInvalid("/max_bytes", `The limit of uploads is a whole number of bytes, ${range}.`);
  }
  await tx
    .insert(uploadSettings)
    .values({ maxBytes })
    .onConflictDoUpdate({ target: uploadSettings.isOnly, set: { maxBytes } });
}

/** The refusal of an upload that is larger than the limit. */
export function makeTooLargeRefusal(maxBytes: number): Refusal {
  return new Refusal("too_large", `This is larger than ${formatSize(maxBytes)}, the most here.`);
}
