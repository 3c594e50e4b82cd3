import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { type Params, prepareQuery } from "../database/prepared.ts";
import { adminAuditLog, users } from "../database/schema.ts";
import type { VersionedHead } from "../database/versioned-texts.ts";
import { LARGEST_ID } from "../platform/cursor.ts";
import { parseTime } from "../platform/time.ts";
import type { AuditFilter } from "../wire/queries.ts";

/** What the log shows of an actor. */
const actor = {
  id: users.id,
  username: users.username,
  displayName: users.displayName,
  avatarVersion: users.avatarVersion,
  isBot: users.isBot,
  isActive: users.isActive,
};

/** Null for what does not matter. */
type Filter = {
  actorId: string | null;
  /** How an action begins, or is called if it is the whole. */
  action: string;
  isWhole: boolean;
  from: string | null;
  to: string | null;
  before: string;
  limit: number;
};

const selectHeads = prepareQuery("list_audit_log", (db, params: Params<Filter>) => {
  const { id, actorId, action, createdAt } = adminAuditLog;
  return db
    .select({ id, version: sql<string>`(select version from people_version)` })
    .from(adminAuditLog)
    .where(
      and(
        lt(id, params.before),
        sql`(${params.actorId}::uuid is null or ${actorId} = ${params.actorId})`,
        sql`case when ${params.isWhole} then ${action} = ${params.action}
          else starts_with(${action}, ${params.action}) end`,
        sql`${createdAt} >= coalesce(${params.from}::timestamptz, '-infinity')`,
        sql`${createdAt} < coalesce(${params.to}::timestamptz, 'infinity')`,
      ),
    )
    .orderBy(desc(id))
    .limit(params.limit);
});

const selectEntries = prepareQuery("read_audit_log", (db, params: Params<{ ids: string[] }>) =>
  db
    .select({ entry: adminAuditLog, actor })
    .from(adminAuditLog)
    .leftJoin(users, eq(users.id, adminAuditLog.actorId))
    .where(sql`${adminAuditLog.id} = any(${params.ids}::uuid[])`),
);

export type AuditRecord = Awaited<ReturnType<typeof readAuditEntries>>[number];

/**
 * Finds rows of the audit log, the latest first. A row never changes, but people do.
 * @param before the id of a row: finds older rows
 * @throws Refusal `validation` for an impossible day
 */
export function findAuditHeads(
  tx: Query,
  { actor_id, action, from, to }: AuditFilter,
  before: string | null,
  limit: number,
): Promise<VersionedHead[]> {
  return selectHeads(tx, {
    actorId: actor_id ?? null,
    action: action ?? "",
    isWhole: action !== undefined && !action.endsWith("."),
    from: from === undefined ? null : parseTime(from, "/from").toISOString(),
    to: to === undefined ? null : parseTime(to, "/to").toISOString(),
    before: before ?? LARGEST_ID,
    limit,
  });
}

/** Rows by id with each actor's account, in no order. */
export function readAuditEntries(tx: Query, ids: string[]) {
  return selectEntries(tx, { ids });
}
