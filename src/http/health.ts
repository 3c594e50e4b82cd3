import { Type as t } from "@sinclair/typebox";
import type { SqlClient } from "../database/connect.ts";
import { countAppliedMigrations, countKnownMigrations } from "../database/migrate.ts";
import { Refusal } from "../platform/refusal.ts";
import { route } from "../routing/route.ts";

const Status = t.Object({ status: t.String() });

export const healthRoutes = (sql: SqlClient, isDraining: () => boolean) => [
  route("GET /healthz", {
    access: "public",
    summary: "Check that the process is alive",
    responses: { 200: Status },
    handler: () => ({ status: "ok" }),
  }),
  route("GET /readyz", {
    access: "public",
    summary: "Check that the service is ready for requests",
    responses: { 200: Status },
    errors: ["unavailable"],
    async handler() {
      if (isDraining()) throw new Refusal("unavailable", "Stopping.", { retryAfter: 1 });
      if ((await countAppliedMigrations(sql)) < countKnownMigrations()) {
        throw new Refusal("unavailable", "Migrations are missing.", { retryAfter: 5 });
      }
      return { status: "ok" };
    },
  }),
];
