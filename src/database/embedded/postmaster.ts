import { execFile } from "node:child_process";
import { readFile, readlink, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { codeOf, EmbeddedPostgresError } from "./error.ts";
import { PORT, removeSocketDir, type Places } from "./places.ts";

/** A live server of this cluster, found by its postmaster.pid. */
export type Postmaster = {
  pid: number;
  /** `foreign`: someone else started it on this folder, such as by hand. */
  kind: "ours" | "foreign";
  state: "starting" | "ready" | "stopping";
};

/**
 * The setting that identifies a server of this cluster. Its pid may belong to another program by now,
 * the path may have been renamed, and `show data_directory` needs a server that answers. Device and
 * inode identify the folder; a copied folder has others. The setting is in the command line, which
 * everyone may read, also in a container that hides a process's working directory.
 */
export async function clusterSetting(places: Places): Promise<string> {
  const { dev, ino } = await stat(places.cluster, { bigint: true });
  return `snug.cluster=${dev}-${ino}`;
}

/** The live server of this cluster, or null. The pid file of a dead server does not count. */
export async function findPostmaster(places: Places): Promise<Postmaster | null> {
  const file = join(places.cluster, "postmaster.pid");
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  // A server in single-user mode writes its pid as a negative number.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isSafeInteger(pid) || pid === 0) return null;
  const command = await readCommandLine(pid);
  const kind = command.includes(await clusterSetting(places))
    ? "ours"
    : (await isOtherPostgres(pid, command, places))
      ? "foreign"
      : null;
  if (kind === null) return null;
  const status = lines[7]?.trim();
  return { pid, kind, state: status === "ready" || status === "stopping" ? status : "starting" };
}

/**
 * Stops the server and waits until it is gone: fast (clients are disconnected), after 15 s at once
 * (recovers when next started), after 5 more by force. To be called under the change lock.
 */
export async function stopPostmaster(places: Places, log: (line: string) => void): Promise<void> {
  const steps = [
    { signal: "SIGINT", waitMs: 15_000 },
    { signal: "SIGQUIT", waitMs: 5000 },
    { signal: "SIGKILL", waitMs: 5000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    const server = await findPostmaster(places);
    if (server?.kind !== "ours") break;
    if (signal !== "SIGINT")
      log(`PostgreSQL (pid ${server.pid}) does not stop, sending ${signal}.`);
    signalPostmaster(server.pid, signal);
    const deadline = performance.now() + waitMs;
    while ((await isAlive(server, places)) && performance.now() < deadline) await Bun.sleep(4);
  }
  await removeSocketDir(places);
}

/** Whether the server's process is alive. It ends a moment after its pid file. */
async function isAlive({ pid }: Postmaster, places: Places): Promise<boolean> {
  return (await readCommandLine(pid)).includes(await clusterSetting(places));
}

/** Sends a signal to a server, which may have ended. */
export function signalPostmaster(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return;
    throw new EmbeddedPostgresError(
      `This process may not stop PostgreSQL (pid ${pid}): run it as the user that started the service.`,
    );
  }
}

/**
 * Removes the pid and lock files of a killed server. PostgreSQL does that itself unless the pid in them
 * is in use again, by any program. It detects remaining processes of the dead server without them.
 */
export async function removeStaleFiles(places: Places): Promise<void> {
  await rm(join(places.cluster, "postmaster.pid"), { force: true });
  await rm(join(places.socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** A process's arguments, or nothing if it has ended or is a zombie (which still has a pid). */
async function readCommandLine(pid: number): Promise<string[]> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  // Splits a path with spaces, which matters only in isOtherPostgres.
  const ps = promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
  return (await ps.catch(() => ({ stdout: "" }))).stdout.trim().split(" ");
}

async function isOtherPostgres(pid: number, command: string[], places: Places): Promise<boolean> {
  if (process.platform !== "linux") return command.join(" ").includes(`-D ${places.cluster}`);
  if (!command[0]?.endsWith("postgres")) return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === places.cluster;
}
