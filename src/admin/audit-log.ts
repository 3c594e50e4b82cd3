import { stringify } from "csv-stringify/sync";
import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Query } from "../database/connect.ts";
import { adminAuditLog, users } from "../database/schema.ts";
import { decodeIdCursor, toPage } from "../platform/input/cursor.ts";
import { parseTime } from "../platform/input/time.ts";
import { toUser, userColumns } from "../users/users.ts";
import type { AuditRow } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AuditFilter, AuditQuery } from "../wire/queries.ts";

const BATCH_SIZE = 1_000;
const COLUMNS = [
  "created_at",
  "actor",
  "action",
  "target_type",
  "target_name",
  "target_id",
  "details",
  "ip",
  "id",
];

/** @throws Refusal `validation` for an impossible time */
export async function listAuditRows(tx: Query, query: AuditQuery): Promise<Page<AuditRow>> {
  const rows = await selectRows(tx, query, decodeIdCursor(query.cursor), query.limit + 1);
  return toPage(rows, query.limit, ({ id }) => id, toAuditRow);
}

/** @throws Refusal `validation` for an impossible time */
export async function readAuditRows(
  tx: Query,
  filter: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  return (await selectRows(tx, filter, null, limit)).map(toAuditRow);
}

/**
 * Streams the whole audit log as CSV (RFC 4180). Formulas are escaped, since spreadsheets would run one
 * in a name.
 * @throws Refusal `validation` for an impossible time
 */
export async function streamAuditCsv(tx: Query, filter: AuditFilter): Promise<Response> {
  // Read before the response starts, while a refusal can still be its status.
  let rows = await selectRows(tx, filter, null, BATCH_SIZE);
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const before = rows.at(-1)?.id ?? null;
      if (!isFirst) rows = await selectRows(tx, filter, before, BATCH_SIZE);
      const text = stringify(rows.map(toCells), {
        header: isFirst,
        columns: COLUMNS,
        escape_formulas: true,
        record_delimiter: "windows",
      });
      isFirst = false;
      controller.enqueue(new TextEncoder().encode(text));
      if (rows.length < BATCH_SIZE) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="audit-log.csv"',
      "cache-control": "no-store",
    },
  });
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** @param before the id of a row: selects older rows */
function selectRows(
  tx: Query,
  { actor_id, action, from, to }: AuditFilter,
  before: string | null,
  limit: number,
) {
  const log = adminAuditLog;
  return tx
    .select({
      id: log.id,
      actor: userColumns,
      action: log.action,
      target_type: log.targetType,
      target_id: log.targetId,
      target_name: log.targetName,
      details: log.details,
      ip: log.ip,
      created_at: log.createdAt,
    })
    .from(log)
    .leftJoin(users, eq(users.id, log.actorId))
    .where(
      and(
        before === null ? undefined : lt(log.id, before),
        actor_id === undefined ? undefined : eq(log.actorId, actor_id),
        action === undefined ? undefined : matchesAction(action),
        from === undefined ? undefined : gte(log.createdAt, parseTime(from, "/from")),
        to === undefined ? undefined : lt(log.createdAt, parseTime(to, "/to")),
      ),
    )
    .orderBy(desc(log.id))
    .limit(limit);
}

function matchesAction(action: string) {
  return action.endsWith(".")
    ? sql`starts_with(${adminAuditLog.action}, ${action})`
    : eq(adminAuditLog.action, action);
}

function toAuditRow({ actor, created_at, ...row }: Row): AuditRow {
  return { ...row, actor: actor && toUser(actor), created_at: created_at.toISOString() };
}

function toCells(row: Row): string[] {
  return [
    row.created_at.toISOString(),
    row.actor?.username ?? "command line",
    row.action,
    row.target_type,
    row.target_name ?? "",
    row.target_id ?? "",
    JSON.stringify(row.details),
    row.ip ?? "",
    row.id,
  ];
}
