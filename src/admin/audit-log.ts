import { stringify } from "csv-stringify/sync";
import { toUser } from "../accounts/users.ts";
import { type AuditRecord, readAudit } from "../audit/read.ts";
import type { Query } from "../database/connect.ts";
import { decodeIdCursor, page } from "../platform/cursor.ts";
import type { AuditRow } from "../wire/admin.ts";
import type { Page } from "../wire/models.ts";
import type { AuditFilter, AuditQuery } from "../wire/queries.ts";

const ROWS_AT_ONCE = 1_000;
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

/** What administrators did, the latest first. */
export async function listAudit(tx: Query, query: AuditQuery): Promise<Page<AuditRow>> {
  const rows = await readAudit(tx, query, decodeIdCursor(query.cursor), query.limit + 1);
  const { items, next } = page(rows, query.limit, ({ entry }) => entry.id);
  return { items: items.map(toAuditRow), next };
}

/**
 * The same as CSV (RFC 4180), all of it, some rows at a time. No cell begins a formula: a name is
 * anyone's to choose, and spreadsheets would run it.
 * @throws Refusal `validation` for a time that is none
 */
export async function auditCsv(tx: Query, filter: AuditFilter): Promise<Response> {
  // Before the answer begins: what is refused later could only cut it off.
  let rows: AuditRecord[] = await readAudit(tx, filter, null, ROWS_AT_ONCE);
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const before = rows.at(-1)?.entry.id ?? null;
      if (!isFirst) rows = await readAudit(tx, filter, before, ROWS_AT_ONCE);
      const text = stringify(rows.map(toCells), {
        header: isFirst,
        columns: COLUMNS,
        escape_formulas: true,
        record_delimiter: "windows",
      });
      isFirst = false;
      controller.enqueue(new TextEncoder().encode(text));
      if (rows.length < ROWS_AT_ONCE) controller.close();
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

function toAuditRow({ entry, actor }: AuditRecord): AuditRow {
  return {
    id: entry.id,
    actor: actor && toUser(actor),
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    target_name: entry.targetName,
    details: entry.details,
    ip: entry.ip,
    created_at: entry.createdAt.toISOString(),
  };
}

function toCells({ entry, actor }: AuditRecord): string[] {
  return [
    entry.createdAt.toISOString(),
    actor?.username ?? "command line",
    entry.action,
    entry.targetType,
    entry.targetName ?? "",
    entry.targetId ?? "",
    JSON.stringify(entry.details),
    entry.ip ?? "",
    entry.id,
  ];
}
