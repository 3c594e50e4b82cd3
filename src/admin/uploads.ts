import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { setUploadLimit } from "../uploads/limit.ts";
import type { UploadSettings } from "../wire/admin.ts";

/** Sets how large an upload may be, for those that begin from now on. */
export function updateUploads(
  db: Drizzle,
  actor: AuditActor,
  { max_bytes }: UploadSettings,
): Promise<UploadSettings> {
  return db.transaction(async (tx) => {
    await setUploadLimit(tx, max_bytes);
    await writeAudit(tx, actor, "settings.uploads", { id: null, name: "uploads" }, { max_bytes });
    return { max_bytes };
  });
}
