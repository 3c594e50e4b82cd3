import type { Database, SqlClient } from "../database/connect.ts";
import { route } from "../routing/route.ts";
import { VERSION } from "../wire/version.ts";
import { COUNTED_OF_WEEK, countSite } from "./statements.ts";
import { Overview } from "../wire/admin.ts";

/** What administrators see of the whole site at a glance. */
export const overviewRoutes = ({ sql }: Database) => [
  route("GET /api/admin/overview", {
    access: "administrator",
    summary: "Count what the site holds",
    description: "Of direct conversations administrators see their number and size, nothing else.",
    answers: { 200: Overview },
    run: () => readOverview(sql),
  }),
];

const WEEK_MS = 7 * 86_400_000;

async function readOverview(sql: SqlClient): Promise<Overview> {
  const site = await countSite(sql, firstIdOf(Date.now() - WEEK_MS));
  const { active, online, deactivated, bots, waiting, failed } = site;
  return {
    version: VERSION,
    people: { active, online, deactivated, bots },
    rooms: { active: site.rooms, archived: site.archived },
    messages: {
      count: site.messages,
      is_estimate: site.is_estimate,
      last_week: site.last_week,
      is_last_week_estimate: site.last_week >= COUNTED_OF_WEEK,
    },
    storage: { bytes: site.bytes },
    jobs: { waiting, failed },
    invites: { pending: site.invites },
    webhooks: { disabled: site.webhooks },
    sends_mail: site.sends_mail,
    last_backup_at: site.last_backup_at?.toISOString() ?? null,
    directs: { count: site.directs, bytes: site.direct_bytes },
  };
}

/** The smallest UUIDv7 of a millisecond. */
function firstIdOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
