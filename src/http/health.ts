import { Elysia } from "elysia";
import { isPublic } from "../accounts/guard.ts";
import type { HandSql } from "../database/connect.ts";
import { knownMigrations } from "../database/migrate.ts";
import { Refusal } from "../platform/refusal.ts";

/** Whether the process lives, and whether it can serve. */
export function healthRoutes(sql: HandSql, isDraining: () => boolean) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => ({ status: "ok" }), isPublic)
    .get(
      "/readyz",
      async () => {
        if (isDraining()) throw new Refusal("unavailable", "Stopping.", { retryAfter: 1 });
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from drizzle.__drizzle_migrations`;
        if ((row?.count ?? 0) < knownMigrations()) {
          throw new Refusal("unavailable", "Migrations are missing.", { retryAfter: 5 });
        }
        return { status: "ok" };
      },
      isPublic,
    );
}
