import { stringify } from "csv-stringify/sync";
import { toUser } from "../accounts/users.ts";
import { type AuditRecord, findAuditHeads, readAuditEntries } from "../audit/read.ts";
import type { Query } from "../database/connect.ts";
import { VersionedTexts } from "../database/versioned-texts.ts";
import { decodeIdCursor } from "../platform/cursor.ts";
import type { AuditRow } from "../wire/admin.ts";
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

/** A row's JSON is about 500 characters. */
const MAX_CACHED = 2_000;

/** JSON of rows of the audit log. */
export const createAuditTexts = () => new VersionedTexts(MAX_CACHED);

/**
 * Lists the audit log, the latest first.
 * @returns the JSON of a page of `AuditRow`
 */
export async function listAuditEntries(
  tx: Query,
  texts: VersionedTexts,
  query: AuditQuery,
): Promise<string> {
  const heads = await findAuditHeads(tx, query, decodeIdCursor(query.cursor), query.limit + 1);
  return texts.renderPage(
    heads,
    query.limit,
    ({ id }) => id,
    async (ids) => (await readAuditEntries(tx, ids)).map(toAuditRow),
  );
}

/**
 * Streams the whole audit log as CSV (RFC 4180). Formulas are escaped, since spreadsheets would run one
 * in a name.
 * @throws Refusal `validation` for an impossible time
 */
export async function streamAuditCsv(tx: Query, filter: AuditFilter): Promise<Response> {
  // Read before the response starts, while a refusal can still be its status.
  let rows = await readBatch(tx, filter, null);
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const before = rows.at(-1)?.entry.id ?? null;
      if (!isFirst) rows = await readBatch(tx, filter, before);
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

async function readBatch(
  tx: Query,
  filter: AuditFilter,
  before: string | null,
): Promise<AuditRecord[]> {
  const heads = await findAuditHeads(tx, filter, before, BATCH_SIZE);
  const ids = heads.map(({ id }) => id);
  const found = new Map((await readAuditEntries(tx, ids)).map((row) => [row.entry.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
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
