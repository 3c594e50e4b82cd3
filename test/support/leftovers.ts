import type { Sql } from "postgres";

/** Drops the databases of test processes that are no more: nothing piles up. */
export async function dropLeftovers(maintenance: Sql): Promise<void> {
  const rows = await maintenance`select datname from pg_database where datname ~ '^test_[0-9]+_'`;
  for (const { datname } of rows) {
    const pid = Number(String(datname).split("_")[1]);
    if (!isAlive(pid)) await maintenance.unsafe(`drop database if exists ${datname} with (force)`);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
