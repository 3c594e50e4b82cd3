import { type AuditActor, writeAudit } from "../audit/write.ts";
import type { Drizzle } from "../database/connect.ts";
import { readFailedJobs, retryFailedJob } from "../jobs-queue/failed.ts";
import type { FailedJob } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";

/** Jobs whose attempts are used up, the last queued first. */
export async function listFailedJobs(db: Drizzle, query: PageQuery): Promise<Page<FailedJob>> {
  const { items, next } = await readFailedJobs(db, query);
  const shown = items.map((job) => ({
    ...job,
    created_at: job.created_at.toISOString(),
    failed_at: job.failed_at.toISOString(),
  }));
  return { items: shown, next };
}

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
