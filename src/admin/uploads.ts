import { audit } from "../audit/audit.ts";
import type { Drizzle } from "../database/connect.ts";
import { setUploadLimit } from "../uploads/limit.ts";
import type { UploadSettings } from "../wire/admin.ts";
import type { By } from "./by.ts";

/** Sets how large an upload may be, for those that begin from now on. */
export function updateUploads(
  db: Drizzle,
  by: By,
  { max_bytes }: UploadSettings,
): Promise<UploadSettings> {
  return db.transaction(async (tx) => {
    await setUploadLimit(tx, max_bytes);
    const target = { targetType: "settings", targetId: null, targetName: "uploads" };
    await audit(tx, { ...by, action: "settings.uploads", ...target, details: { max_bytes } });
    return { max_bytes };
  });
}
