import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { adminAuditLog, users } from "../database/schema.ts";
import { parseTime } from "../platform/time.ts";
import type { AuditFilter } from "../wire/queries.ts";

export type AuditRecord = Awaited<ReturnType<typeof readAuditEntries>>[number];

/**
 * Reads the audit log, the latest first, with each actor's account.
 * @param before the id of a row: reads older rows
 * @throws Refusal `validation` for an impossible day
 */
export function readAuditEntries(
  tx: Query,
  filter: AuditFilter,
  before: string | null,
  limit: number,
) {
  return tx
    .select({ entry: adminAuditLog, actor: users })
    .from(adminAuditLog)
    .leftJoin(users, eq(users.id, adminAuditLog.actorId))
    .where(and(...toConditions(filter), before === null ? undefined : lt(adminAuditLog.id, before)))
    .orderBy(desc(adminAuditLog.id))
    .limit(limit);
}

function toConditions({ actor_id, action, from, to }: AuditFilter): (SQL | undefined)[] {
  const log = adminAuditLog;
  return [
    actor_id === undefined ? undefined : eq(log.actorId, actor_id),
    action === undefined
      ? undefined
      : action.endsWith(".")
        ? sql`starts_with(${log.action}, ${action})`
        : eq(log.action, action),
    from === undefined ? undefined : gte(log.createdAt, parseTime(from, "/from")),
    to === undefined ? undefined : lt(log.createdAt, parseTime(to, "/to")),
  ];
}
