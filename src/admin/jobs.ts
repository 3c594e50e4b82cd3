import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { retryFailedJob } from "../jobs-queue/failed.ts";

/**
 * Retries a failed job now.
 * @throws Refusal `not_found`
 */
export async function retryJob(
  tx: Transaction,
  actor: AuditActor,
  id: string,
): Promise<{ id: string; kind: string; state: "waiting" }> {
  const kind = await retryFailedJob(tx, id);
  await writeAudit(tx, actor, "job.retry", { id, name: kind });
  return { id, kind, state: "waiting" };
}
