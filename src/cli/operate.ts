import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf } from "../config.ts";
import { countKnownMigrations } from "../database/migrate.ts";
import { type OpenDatabase, withDatabase } from "../database/open.ts";
import { readFailedJobs, retryFailedJob } from "../jobs-queue/failed.ts";
import { readSearchStatus, requestReindex, type SearchStatus } from "../search/status.ts";
import { formatSize } from "../wire/files.ts";
import { VERSION } from "../wire/version.ts";
import {
  type Command,
  formatCount,
  formatTable,
  inDatabase,
  inTransaction,
  listResult,
  readAllPages,
  type Result,
  textOf,
} from "./command.ts";
import { doctor } from "./doctor.ts";

function describe(status: SearchStatus): string[][] {
  const { rooms, incomplete_rooms, lag, messages, is_estimate, size_bytes } = status;
  return [
    ["rooms", `${rooms - incomplete_rooms} of ${rooms} indexed`],
    ["behind", `${lag} events`],
    ["messages", is_estimate ? `about ${messages}` : String(messages)],
    ["size", formatSize(size_bytes)],
  ];
}

export const operateCommands: Command[] = [
  {
    name: "migrate",
    summary: "apply pending database migrations",
    effect: "operate",
    async run({ config }) {
      const report = async (_: unknown, { migrated, schema }: OpenDatabase): Promise<Result> => {
        const text =
          migrated === 0
            ? "The schema is up to date."
            : `Applied ${formatCount(migrated, "migration")}.`;
        return { json: { applied: migrated, total: schema.appliedCount }, text };
      };
      return withDatabase(config, report, { schema: "migrate" });
    },
  },
  doctor,
  {
    name: "version",
    summary: "print the version of Snug and of Bun; --version does the same",
    effect: "read",
    async run() {
      const json = { version: VERSION, bun: Bun.version, migrations: countKnownMigrations() };
      return { json, text: `Snug ${VERSION} (Bun ${Bun.version})` };
    },
  },
  {
    name: "demo",
    summary: "fill an empty service with example people, rooms and messages",
    effect: "operate",
    async run({ config }) {
      // Imported here because it loads the whole service, which would slow other commands down.
      const { createDemo } = await import("./demo/create.ts");
      const { usernames, password } = await createDemo(config);
      const text = `Sign in at ${baseUrlOf(config)} as ${usernames.join(", ")}. ada is the administrator.\nPassword of all accounts (shown once): ${password}`;
      return { json: { usernames, password }, text };
    },
  },
  {
    name: "jobs",
    summary: "list jobs that have failed for good, the latest first",
    effect: "read",
    run: inDatabase(async ({ db }) => {
      const jobs = await readAllPages((page) => readFailedJobs(db, page));
      return listResult(jobs, "No failed jobs.", (job) => [
        job.id,
        job.kind,
        `failed ${job.failed_at}`,
        job.last_error.split("\n")[0] ?? "",
      ]);
    }),
  },
  {
    name: "jobs retry",
    args: ["<job id>"],
    summary: "run a failed job again, by a running service",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const job = await retryFailedJob(tx, COMMAND_LINE, call.arg);
      return { json: job, text: `The job ${job.kind} will run again.` };
    }),
  },
  {
    name: "search status",
    summary: "show the state of the search index",
    effect: "read",
    run: inDatabase(async ({ sql }) => {
      const status = await readSearchStatus(sql);
      return { json: status, text: formatTable(describe(status)) };
    }),
  },
  {
    name: "search reindex",
    summary: "index messages again, the newest first; the running service does it",
    effect: "operate",
    options: { room: { value: "<name>", help: "only this room" } },
    run: inDatabase(async ({ sql }, call) => {
      const room = textOf(call, "room") ?? null;
      const count = await requestReindex(sql, room);
      const scope = room === null ? `${count} rooms` : `#${room}`;
      const text = `The service reindexes ${scope}. Until it is done, search uses the old index.`;
      return { json: { rooms: count }, text };
    }),
  },
];
