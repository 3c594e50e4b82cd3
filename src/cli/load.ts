import type { Config } from "../config.ts";
import { countCommits, readLoad } from "./load-statements.ts";
import { withDatabase } from "../database/open.ts";
import { formatTable, type Result } from "./command.ts";

/** How long commits are counted. PostgreSQL's figures follow about each second. */
const SAMPLE_MS = 3_000;
/**
 * The limits that were measured on two cores (docs/scaling.md). A larger machine has higher ones:
 * compare orders of magnitude only.
 */
const MEASURED = {
  /**
   * Commits that notify, which PostgreSQL makes one after the other; under load one commit has many
   * messages.
   */
  messagesASecond: 700,
  peopleOnAnInstance: 10_000,
};
/** The share of a limit from which it is time to act: a busy hour may use the rest. */
const NEAR = 0.5;

/** Reports how close the service is to its limits. */
export function reportLoad(config: Config): Promise<Result> {
  return withDatabase(config, async ({ sql }) => {
    const before = await countCommits(sql);
    const from = performance.now();
    await Bun.sleep(SAMPLE_MS);
    const commits = ((await countCommits(sql)) - before) / ((performance.now() - from) / 1_000);
    const load = await readLoad(sql, idSince(Date.now() - 3_600_000));
    const peak = load.busiest_minute / 60;
    const people = load.people_connected / Math.max(load.instances, 1);
    const parts = [
      part("messages", peak / MEASURED.messagesASecond, [
        `${load.messages} in the last hour, in its busiest minute ${peak.toFixed(1)} a second`,
        "give PostgreSQL a disk that flushes faster",
      ]),
      part("commits", 0, [`${commits.toFixed(0)} a second, those that only read included`]),
      part("people", people / MEASURED.peopleOnAnInstance, [
        `${load.people_connected} connected to ${load.instances} instances`,
        "add an instance",
      ]),
      part("connections", load.connections / load.max_connections, [
        `${load.connections} of ${load.max_connections} of PostgreSQL are in use`,
        "lower DATABASE_POOL, raise max_connections, or use a pooler",
      ]),
      part("notifications", load.notification_queue, [
        `${(load.notification_queue * 100).toFixed(0)}% of PostgreSQL's queue is full`,
        "find the session that listens and does not read (pg_stat_activity)",
      ]),
      part("sizes", 0, [
        `${gigabytes(load.database_bytes)} of database with about ${load.all_messages} messages, ` +
          `${load.uploads} uploads of ${gigabytes(load.uploads_bytes)}`,
      ]),
    ];
    const json = { ...load, commits_a_second: commits, parts };
    const lines = parts.map(({ part, used, detail }) => [part, used, detail]);
    return { json, text: formatTable(lines) };
  });
}

/** @param share of what was measured, from 0 to 1 and more */
function part(name: string, share: number, [state = "", advice]: string[]) {
  const detail = share >= NEAR && advice ? `${state}: ${advice}` : state;
  return { part: name, used: advice ? `${Math.round(share * 100)}%` : "", detail };
}

/** The smallest UUID of version 7 of a moment. */
function idSince(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}
