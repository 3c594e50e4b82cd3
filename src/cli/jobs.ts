import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { readFailedJobs, retryFailedJob } from "../jobs-queue/failed.ts";
import { type Command, firstArg, formatTable, parseId, readAllPages } from "./command.ts";

const list: Command = {
  name: "jobs",
  summary: "list jobs that have failed for good, the latest first",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const jobs = await readAllPages((page) => readFailedJobs(db, page));
      const rows = jobs.map((job) => [
        job.id,
        job.kind,
        `failed ${job.failed_at}`,
        job.last_error.split("\n")[0] ?? "",
      ]);
      return { json: jobs, text: jobs.length === 0 ? "No failed jobs." : formatTable(rows) };
    }),
};

const retry: Command = {
  name: "jobs retry",
  args: ["<job id>"],
  summary: "run a failed job again, by a running service",
  effect: "audited",
  run(call) {
    const id = parseId(firstArg(call));
    return withDatabase(call.config, async ({ db }) => {
      const job = await db.transaction((tx) => retryFailedJob(tx, COMMAND_LINE, id));
      return { json: job, text: `The job ${job.kind} will run again.` };
    });
  },
};

export const jobCommands: Command[] = [list, retry];
