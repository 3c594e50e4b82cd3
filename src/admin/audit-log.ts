import { stringify } from "csv-stringify/sync";
import { toUser } from "../accounts/users.ts";
import { type AuditRecord, readAuditEntries } from "../audit/read.ts";
import type { Query } from "../database/connect.ts";
import { decodeIdCursor, toPage } from "../platform/cursor.ts";
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

/** A page of the audit log, the latest first. */
export async function listAuditEntries(tx: Query, query: AuditQuery): Promise<Page<AuditRow>> {
  const rows = await readAuditEntries(tx, query, decodeIdCursor(query.cursor), query.limit + 1);
  return toPage(rows, query.limit, ({ entry }) => entry.id, toAuditRow);
}

/**
 * Streams the whole audit log as CSV (RFC 4180). Formulas are escaped, since spreadsheets would run one
 * in a name.
 * @throws Refusal `validation` for an impossible time
 */
export async function streamAuditCsv(tx: Query, filter: AuditFilter): Promise<Response> {
  // Read before the response starts, while a refusal can still be its status.
  let rows: AuditRecord[] = await readAuditEntries(tx, filter, null, BATCH_SIZE);
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const before = rows.at(-1)?.entry.id ?? null;
      if (!isFirst) rows = await readAuditEntries(tx, filter, before, BATCH_SIZE);
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
