import type { SqlClient } from "../src/database/connect.ts";
import type { Handler } from "../src/jobs-queue/kinds.ts";

/** Of failed jobs the newest are kept. */
const MAX_FAILED = 10_000;

/** Deletes sessions, links, counts of attempts and failed jobs that have expired. */
export function sweep(sql: SqlClient): Handler<"sweep"> {
  return async () => {
    await sql`delete from sessions where expires_at < clock_timestamp()`;
    // Kept a while past their end, so that a late click hears "expired" rather than "unknown".
    await sql`delete from invites where expires_at < clock_timestamp() - interval '30 days'`;
    await sql`delete from password_resets where expires_at < clock_timestamp() - interval '1 day'`;
    await sql`delete from rate_limits where expires_at < clock_timestamp()`;
    // Long enough for an administrator to look and try again.
    await sql`delete from jobs where failed_at < clock_timestamp() - interval '30 days'`;
    await sql`delete from jobs where id = any(array(
      select id from jobs where failed_at is not null order by id desc offset ${MAX_FAILED}))`;
  };
}
