import { COMMAND_LINE } from "../audit/write.ts";
import { readFailedJobs, retryFailedJob } from "../jobs-queue/failed.ts";
import {
  type Command,
  firstArg,
  inDatabase,
  inTransaction,
  listResult,
  readAllPages,
} from "./command.ts";

const list: Command = {
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
};

const retry: Command = {
  name: "jobs retry",
  args: ["<job id>"],
  summary: "run a failed job again, by a running service",
  effect: "audited",
  run: inTransaction(async (tx, call) => {
    const job = await retryFailedJob(tx, COMMAND_LINE, firstArg(call));
    return { json: job, text: `The job ${job.kind} will run again.` };
  }),
};

export const jobCommands: Command[] = [list, retry];
