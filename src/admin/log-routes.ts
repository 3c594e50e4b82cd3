import { Type as t } from "@sinclair/typebox";
import type { Database } from "../database/connect.ts";
import { readFailedJobs } from "../jobs-queue/failed.ts";
import { jsonText, route } from "../routing/route.ts";
import { AuditRow, FailedJob } from "../wire/admin.ts";
import { Id, Page } from "../wire/models.ts";
import { AuditFilter, AuditQuery, JobQuery } from "../wire/queries.ts";
import { createAuditTexts, listAuditEntries, streamAuditCsv } from "./audit-log.ts";
import { changeAsAdministrator } from "./change.ts";
import { retryJob } from "./jobs.ts";

/** The audit log and failed jobs, for site administrators. */
export const logRoutes = ({ db }: Database, texts = createAuditTexts()) => [
  route("GET /api/admin/audit-log", {
    access: "administrator",
    summary: "List what administrators did",
    query: AuditQuery,
    answers: { 200: Page(AuditRow) },
    run: async ({ query }) => jsonText(await listAuditEntries(db, texts, query)),
  }),
  route("GET /api/admin/audit-log.csv", {
    access: "administrator",
    summary: "Get the audit log as CSV",
    query: AuditFilter,
    answers: { 200: { media: "text/csv", description: "RFC 4180, with a header" } },
    run: ({ query }) => streamAuditCsv(db, query),
  }),
  route("GET /api/admin/jobs", {
    access: "administrator",
    summary: "List jobs that failed for good",
    query: JobQuery,
    answers: { 200: Page(FailedJob) },
    run: ({ query }) => readFailedJobs(db, query),
  }),
  route("POST /api/admin/jobs/:id/retry", {
    access: "administrator",
    proof: "none",
    summary: "Retry a failed job",
    answers: { 200: t.Object({ id: Id, kind: t.String(), state: t.Literal("waiting") }) },
    errors: ["not_found"],
    run: (call) =>
      changeAsAdministrator(db, call, (tx, actor) => retryJob(tx, actor, call.params.id)),
  }),
];
