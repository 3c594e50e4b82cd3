import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Drizzle } from "../database/connect.ts";
import { schedules } from "../database/schema.ts";
import { getLogger } from "../platform/log.ts";
import { enqueueJob } from "./enqueue.ts";
import type { Jobs } from "./job.ts";
import type { JobKind } from "./kinds.ts";

const log = getLogger("jobs");
const TICK_MS = 60_000;

/**
 * Queues each periodic job that is due, once across all instances and without a leader: the instance
 * that advances the period's time queues the job. The time advances by whole periods, so that it does
 * not drift, and skips missed periods: after a long downtime each job is due once.
 */
export async function enqueuePeriodicJobs(db: Drizzle, jobs: Partial<Jobs>): Promise<void> {
  const periods = listPeriods(jobs);
  if (periods.size === 0) return;
  // Truncated, because the column rounds up and the job must be due for the next statement.
  const nextAt = sql`date_trunc('milliseconds', clock_timestamp())`;
  await db
    .insert(schedules)
    .values(Array.from(periods.keys(), (name) => ({ name, nextAt })))
    .onConflictDoNothing();
  const dueSchedules = await db
    .select({ name: schedules.name })
    .from(schedules)
    .where(and(inArray(schedules.name, [...periods.keys()]), isDue()));
  for (const { name } of dueSchedules)
    await enqueueIfDue(db, name as JobKind, periods.get(name) ?? 0);
}

export function listPeriods(jobs: Partial<Jobs>): Map<string, number> {
  return new Map(
    Object.entries(jobs).flatMap(([name, { everyMinutes }]) =>
      everyMinutes === undefined ? [] : [[name, everyMinutes * 60] as const],
    ),
  );
}

const isDue = () => lte(schedules.nextAt, sql`statement_timestamp()`);

/** Queues a job unless another instance has queued it for this period. */
function enqueueIfDue(db: Drizzle, kind: JobKind, seconds: number): Promise<void> {
  return db.transaction(async (tx) => {
    const periods = sql`1 + floor(
      extract(epoch from statement_timestamp() - ${schedules.nextAt}) / ${seconds}::float8)`;
    const movedSchedules = await tx
      .update(schedules)
      .set({
        nextAt: sql`${schedules.nextAt} + interval '1 second' * ${seconds}::float8 * (${periods})`,
      })
      .where(and(eq(schedules.name, kind), isDue()))
      .returning({ name: schedules.name });
    // A job that is still waiting or running counts for this period.
    if (movedSchedules.length > 0)
      await enqueueJob(tx, { kind, payload: {}, key: `schedule:${kind}` });
  });
}

/**
 * Checks now and every minute which periodic jobs are due.
 * @returns a function that stops the checks and waits for one in progress
 */
export function startSchedule(db: Drizzle, jobs: Partial<Jobs>): () => Promise<void> {
  let lastRun = Promise.resolve();
  const run = () => {
    lastRun = enqueuePeriodicJobs(db, jobs).catch((error) =>
      log.warn("Periodic jobs could not be queued; retrying in a minute.", {
        error: String(error),
      }),
    );
  };
  run();
  const timer = setInterval(run, TICK_MS);
  return () => {
    clearInterval(timer);
    return lastRun;
  };
}
