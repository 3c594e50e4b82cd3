import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Bed } from "./bed.ts";

/** Where Debian installs it, outside of the PATH. */
const DEBIAN = "/usr/lib/postgresql";

function findPgbench(): string {
  const onPath = Bun.which("pgbench");
  if (onPath) return onPath;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  const match = versions
    .map((v) => join(DEBIAN, v, "bin/pgbench"))
    .find((path) => existsSync(path));
  if (!match) throw new Error("pgbench is not installed: it is in Debian's postgresql-contrib.");
  return match;
}

/**
 * Runs one statement over and over on the bed's cluster.
 * @returns transactions a second
 */
export async function pgbench(
  bed: Bed,
  script: string,
  clients: number,
  seconds: number,
): Promise<number> {
  const file = join(bed.folder, `pgbench-${clients}.sql`);
  await Bun.write(file, script);
  const { host, port, username, database } = bed.postgres.connection;
  const args = [
    "-n",
    "-M",
    "prepared",
    "-f",
    file,
    "-c",
    `${clients}`,
    "-j",
    "2",
    "-T",
    `${seconds}`,
  ];
  const child = Bun.spawn(
    [findPgbench(), "-h", host, "-p", `${port}`, "-U", username, ...args, database],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const tps = /tps = ([\d.]+) \(without/.exec(out)?.[1];
  if (!tps) throw new Error(`pgbench: ${err}`);
  return Number(tps);
}

/** The best of several numbers of clients. */
export async function bestOf(
  bed: Bed,
  script: string,
  clients: number[],
  seconds: number,
): Promise<number> {
  let best = 0;
  for (const count of clients) best = Math.max(best, await pgbench(bed, script, count, seconds));
  return best;
}
