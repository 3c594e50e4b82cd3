import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { retryFailedJob } from "../jobs-queue/failed.ts";

/**
 * Retries a failed job now.
 * @throws Refusal `not_found`
 */
export function retryJob(
  db: Drizzle,
  actor: AuditActor,
  id: string,
): Promise<{ id: string; kind: string; state: "waiting" }> {
  return db.transaction(async (tx) => {
    const kind = await retryFailedJob(tx, id);
    await writeAudit(tx, actor, "job.retry", { id, name: kind });
    return { id, kind, state: "waiting" };
  });
}
