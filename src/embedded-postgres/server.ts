import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { open, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ownAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { nameForServer } from "./cluster.ts";
import { codeOf, EmbeddedPostgresError } from "./error.ts";
import { type Paths, PORT, removeSocketDir, restoreSocketDir } from "./paths.ts";
import { runProgram } from "./program.ts";

/** A running server of this cluster, from its postmaster.pid. */
export type Postmaster = {
  pid: number;
  /** `foreign`: started by someone else, for example by hand. */
  kind: "ours" | "foreign";
  state: "starting" | "ready" | "stopping";
};

/**
 * The setting that identifies a server of this cluster. Its pid may have been reused by another
 * program, the path may have been renamed, and `show data_directory` needs a responsive server. Device
 * and inode identify the folder; a copied folder has different ones. The setting is part of the command
 * line, which every user can read, even where a container hides a process's working directory.
 */
async function clusterSetting(paths: Paths): Promise<string> {
  const { dev, ino } = await stat(paths.cluster, { bigint: true });
  return `snug.cluster=${dev}-${ino}`;
}

/** Finds the running server of this cluster. Ignores the pid file of a dead server and returns null. */
export async function findPostmaster(paths: Paths): Promise<Postmaster | null> {
  const file = join(paths.cluster, "postmaster.pid");
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
  // A server in single-user mode writes a negative pid.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isSafeInteger(pid) || pid === 0) return null;
  const command = await readCommandLine(pid);
  const kind = command.includes(await clusterSetting(paths))
    ? "ours"
    : (await isOtherPostgres(pid, command, paths))
      ? "foreign"
      : null;
  if (kind === null) return null;
  const status = lines[7]?.trim();
  return { pid, kind, state: status === "ready" || status === "stopping" ? status : "starting" };
}

/**
 * Stops the server and waits for it to exit: a fast shutdown, an immediate one after 15 s (with
 * recovery at the next start), SIGKILL after 5 s more. The caller must hold the change lock.
 */
export async function stopPostmaster(paths: Paths, log: (line: string) => void): Promise<void> {
  const steps = [
    { signal: "SIGINT", waitMs: 15_000 },
    { signal: "SIGQUIT", waitMs: 5000 },
    { signal: "SIGKILL", waitMs: 5000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    const server = await findPostmaster(paths);
    if (server?.kind !== "ours") break;
    if (signal !== "SIGINT")
      log(`PostgreSQL (pid ${server.pid}) does not stop, sending ${signal}.`);
    signalPostmaster(server.pid, signal);
    const deadline = performance.now() + waitMs;
    const setting = await clusterSetting(paths);
    // It exits shortly after it removes its pid file.
    const isAlive = async () => (await readCommandLine(server.pid)).includes(setting);
    while ((await isAlive()) && performance.now() < deadline) await Bun.sleep(4);
  }
  await removeSocketDir(paths);
}

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
 * Removes the pid and lock files of a killed server. PostgreSQL does that itself unless the pid has
 * been reused by another program. It detects remaining processes of the dead server without these
 * files.
 */
async function removeStaleFiles(paths: Paths): Promise<void> {
  await rm(join(paths.cluster, "postmaster.pid"), { force: true });
  await rm(join(paths.socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** Returns a process's arguments; empty if it has exited or is a zombie (which still has a pid). */
async function readCommandLine(pid: number): Promise<string[]> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  // Splits paths that contain spaces, which matters only in isOtherPostgres.
  const ps = promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
  return (await ps.catch(() => ({ stdout: "" }))).stdout.trim().split(" ");
}

async function isOtherPostgres(pid: number, command: string[], paths: Paths): Promise<boolean> {
  if (process.platform !== "linux") return command.join(" ").includes(`-D ${paths.cluster}`);
  if (!command[0]?.endsWith("postgres")) return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === paths.cluster;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;

export type ServerExit = {
  reason: string;
  /** True if it was stopped or killed by someone. */
  wasStopped: boolean;
};

export type Server = {
  exit(): ServerExit | null;
  /** Kills the server; must not be called after anyone has connected to it. */
  kill(): void;
};

/** Does not wait for the server. The caller must hold the change lock; no server may run. */
export async function launchServer(paths: Paths, binaries: Binaries): Promise<Server> {
  await removeStaleFiles(paths);
  await restoreSocketDir(paths);
  await rotate(paths.log);
  const log = await openLog(paths);
  const from = (await log.stat()).size;
  const settings = [
    "listen_addresses=",
    // The setting is a list of folders, in which a quoted name may contain any character.
    `unix_socket_directories="${paths.socketSetting}"`,
    "unix_socket_permissions=0700",
    `port=${PORT}`,
    "cluster_name=snug",
    // stderr is the log file: the logging collector would lose the first lines of a failed start.
    "logging_collector=off",
    "log_destination=stderr",
    "log_checkpoints=off",
    await clusterSetting(paths),
  ];
  const program = runProgram({
    program: binaries.postgres,
    args: ["-D", nameForServer(paths.cluster, paths), ...settings.flatMap((s) => ["-c", s])],
    cwd: paths.cluster,
    account: paths.account,
    stdout: log.fd,
    stderr: log.fd,
    // Ctrl-C must stop the service, which then stops PostgreSQL, rather than both at once.
    isDetached: true,
  });
  await log.close();
  let exit: ServerExit | null = null;
  void program.exit.then(async (reason) => {
    const wasStopped = reason === "" || Boolean(program.child?.signalCode);
    // The log says more than the exit status.
    const words = wasStopped ? "" : await readLastError(paths.log, from).catch(() => "");
    exit = { reason: words || reason || "it was stopped", wasStopped };
  });
  return { exit: () => exit, kill: () => void program.child?.kill("SIGKILL") };
}

/** Rotates the log at startup, since the server appends to it for months. */
async function rotate(log: string): Promise<void> {
  const size = await stat(log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(log, `${log}.1`);
}

async function openLog(paths: Paths) {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = await open(paths.log, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  const owner = await stat(paths.home);
  // If root starts a user's server, that user must still be able to write the log.
  if (owner.uid !== ownAccount().uid) await log.chown(owner.uid, owner.gid);
  return log;
}

async function readLastError(log: string, from: number): Promise<string> {
  const text = await Bun.file(log).slice(from).text();
  const line = text
    .split("\n")
    .findLast((candidate) => /\b(FATAL|PANIC|error)[: ]/.test(candidate));
  return line?.replace(/^.*?\b(FATAL|PANIC|error)[: ]\s*/, "").trim() ?? "";
}
