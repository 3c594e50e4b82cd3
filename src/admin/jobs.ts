import { audit } from "../audit/audit.ts";
import type { Drizzle, SqlClient } from "../database/connect.ts";
import { listFailed, retryFailed } from "../jobs-queue/failed.ts";
import type { FailedJob } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { PageQuery } from "../wire/queries.ts";
import type { By } from "./by.ts";

/** Jobs whose tries are used up, the last queued first. */
export async function listFailedJobs(sql: SqlClient, query: PageQuery): Promise<Page<FailedJob>> {
  const { items, next } = await listFailed(sql, query);
  const shown = items.map((job) => ({
    ...job,
    created_at: job.created_at.toISOString(),
    failed_at: job.failed_at.toISOString(),
  }));
  return { items: shown, next };
}

/**
 * Lets a failed job be tried again, now.
 * @throws Refusal `not_found`
 */
export function retryJob(
  db: Drizzle,
  by: By,
  id: string,
): Promise<{ id: string; kind: string; state: "waiting" }> {
  return db.transaction(async (tx) => {
    const kind = await retryFailed(tx, id);
    const target = { targetType: "job", targetId: id, targetName: kind };
    await audit(tx, { ...by, action: "job.retry", ...target });
    return { id, kind, state: "waiting" };
  });
}
