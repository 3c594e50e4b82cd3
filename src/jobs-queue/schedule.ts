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
 * whoever moves the time on queues the job. After a long stop each is due once, not once a period
 * that was missed.
 */
export async function tick({ db, sql }: Database, periods: Period[]): Promise<void> {
  for (const { kind, payload, minutes } of periods) {
    await sql`insert into schedules (name, next_at) values (${kind}, clock_timestamp())
      on conflict (name) do nothing`;
    await db.transaction(async (tx) => {
      const due = await tx.execute(statement`
        update schedules set next_at = clock_timestamp() + ${minutes} * interval '1 minute'
        where name = ${kind} and next_at <= clock_timestamp() returning name`);
      if (due.length > 0) await enqueue(tx, { kind, payload, key: `schedule:${kind}` });
    });
  }
}

/** Ticks now and every minute; a period is kept to that minute. @returns a function that stops */
export function startSchedule(database: Database, periods: Period[]): () => void {
  const run = () =>
    void tick(database, periods).catch((error) =>
      log.warn("The schedule could not be kept.", { error: String(error) }),
    );
  run();
  const timer = setInterval(run, 60_000);
  return () => clearInterval(timer);
}
