import { sql as statement } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { enqueue } from "./enqueue.ts";
import type { JobKind, JobPayloads } from "./kinds.ts";

const log = getLogger("jobs");

export type Period<K extends JobKind = JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  minutes: number;
};

/**
 * Queues what is to be done every so often, once on all instances together and without a leader:
 * whoever moves the time on queues the job. The time moves by whole periods, so that it does not
 * drift, and past those that were missed: after a long stop each is due once.
 */
export async function tick({ db, sql }: Database, periods: Period[]): Promise<void> {
  for (const { kind, payload, minutes } of periods) {
    // Cut, since the column would round: what is due now is due to the next statement.
    await sql`insert into schedules (name, next_at)
      values (${kind}, date_trunc('milliseconds', clock_timestamp()))
      on conflict (name) do nothing`;
    await db.transaction(async (tx) => {
      const seconds = minutes * 60;
      const due = await tx.execute(statement`
        update schedules set next_at = next_at + interval '1 second' * ${seconds}::float8
          * (1 + floor(extract(epoch from statement_timestamp() - next_at) / ${seconds}::float8))
        where name = ${kind} and next_at <= statement_timestamp() returning name`);
      // While one still waits or runs, this period is its.
      if (due.length > 0) await enqueue(tx, { kind, payload, key: `schedule:${kind}` });
    });
  }
}

/**
 * Ticks now and every minute; a period is kept to that minute.
 * @returns a function that stops, and waits for a tick that is under way
 */
export function startSchedule(database: Database, periods: Period[]): () => Promise<void> {
  let ticking = Promise.resolve();
  const run = () => {
    ticking = tick(database, periods).catch((error) =>
      log.warn("The schedule could not be kept.", { error: String(error) }),
    );
  };
  run();
  const timer = setInterval(run, 60_000);
  return () => {
    clearInterval(timer);
    return ticking;
  };
}
