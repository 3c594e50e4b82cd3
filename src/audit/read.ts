import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { adminAuditLog, users } from "../database/schema.ts";
import { timeOf } from "../platform/time.ts";
import type { AuditFilter } from "../wire/queries.ts";

export type AuditRecord = Awaited<ReturnType<typeof readAudit>>[number];

/**
 * The audit log, the latest first.
 * @param before an id: what is older than that row
 * @throws Refusal `validation` for a day that no calendar has
 */
export function readAudit(tx: Query, filter: AuditFilter, before: string | null, limit: number) {
  return tx
    .select({ entry: adminAuditLog, actor: users })
    .from(adminAuditLog)
    .leftJoin(users, eq(users.id, adminAuditLog.actorId))
    .where(and(...matching(filter), before === null ? undefined : lt(adminAuditLog.id, before)))
    .orderBy(desc(adminAuditLog.id))
    .limit(limit);
}

function matching({ actor_id, action, from, to }: AuditFilter): (SQL | undefined)[] {
  const log = adminAuditLog;
  return [
    actor_id === undefined ? undefined : eq(log.actorId, actor_id),
    action === undefined
      ? undefined
      : action.endsWith(".")
        ? sql`starts_with(${log.action}, ${action})`
        : eq(log.action, action),
    from === undefined ? undefined : gte(log.createdAt, timeOf(from, "/from")),
    to === undefined ? undefined : lt(log.createdAt, timeOf(to, "/to")),
  ];
}
