import { Elysia, t } from "elysia";
import { guard } from "../accounts/guard.ts";
import type { Identifier } from "../accounts/identify.ts";
import type { Database } from "../database/connect.ts";
import { Id } from "../wire/models.ts";
import { AuditFilter, AuditQuery, JobQuery } from "../wire/queries.ts";
import { auditCsv, listAudit } from "./audit-log.ts";
import { byOf } from "./by.ts";
import { listFailedJobs, retryJob } from "./jobs.ts";

/** What was done and what failed, for site administrators. */
export function logRoutes({ db, sql }: Database, identifier: Identifier) {
  return new Elysia({ name: "admin-logs" })
    .use(guard(identifier))
    .derive(byOf)
    .get("/api/admin/audit-log", ({ query }) => listAudit(db, query), { query: AuditQuery })
    .get("/api/admin/audit-log.csv", ({ query }) => auditCsv(db, query), { query: AuditFilter })
    .get("/api/admin/jobs", ({ query }) => listFailedJobs(sql, query), { query: JobQuery })
    .post("/api/admin/jobs/:id/retry", ({ by, params }) => retryJob(db, by, params.id), {
      params: t.Object({ id: Id }),
    });
}
