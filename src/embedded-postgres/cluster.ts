import { existsSync } from "node:fs";
import { chown, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { canReach } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { codeOf, EmbeddedPostgresError, messageOf } from "./error.ts";
import type { Paths } from "./paths.ts";
import { runProgram } from "./program.ts";

export const SUPERUSER = "snug";

/**
 * Creates the cluster if it does not exist, and checks that these binaries can run it. The caller must hold
 * the change lock.
 * @throws EmbeddedPostgresError if the cluster is of another major version or initdb fails
 */
export async function ensureCluster(
  paths: Paths,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<void> {
  const { cluster } = paths;
  await removeLeftovers(paths.home);
  const version = await readFile(join(cluster, "PG_VERSION"), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw new EmbeddedPostgresError(`Cannot read the database in ${cluster}: ${messageOf(error)}.`);
  });
  if (version === null) {
    // An empty folder counts as no cluster.
    await rmdir(cluster).catch(() => {});
    if (!existsSync(cluster)) return await create(paths, binaries, log);
    throw new EmbeddedPostgresError(
      `${cluster} is not a PostgreSQL database, it has no PG_VERSION: move it away or restore it from a backup.`,
    );
  }
  const major = version.trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was written by PostgreSQL ${major}, and this Snug brings PostgreSQL ${binaries.major}: dump it with the Snug or PostgreSQL that wrote it (pg_dump), move the folder away and restore the dump, or set DATABASE_URL to a PostgreSQL ${major} server.`,
  );
}

/**
 * The path that the server and initdb use for their data folder, which is their working directory.
 *
 * PostgreSQL's user may be unable to reach the folder by its absolute path, for example if DATA_DIR is
 * below root's home. The data cannot be stored elsewhere, since containers and backups only keep
 * DATA_DIR. So root enters the folder and drops its privileges there: /proc/self/cwd then leads to it
 * without traversing its parents. PostgreSQL never leaves that directory, and all its other paths are
 * relative to it. Unlike a namespace, this needs no capability or mount.
 */
export function nameForServer(folder: string, paths: Paths): string {
  if (canReach(folder, paths.account)) return folder;
  if (existsSync("/proc/self/cwd")) return "/proc/self/cwd";
  throw new EmbeddedPostgresError(
    `User ${paths.account.uid}, which runs PostgreSQL for root, cannot enter ${folder}: run Snug as an ordinary user, or choose a DATA_DIR that everyone can enter.`,
  );
}

async function create(paths: Paths, binaries: Binaries, log: (line: string) => void) {
  log(`Creating a PostgreSQL ${binaries.version} database in ${paths.cluster}.`);
  let failure = "";
  // Character classes (search, citext) need a UTF-8 LC_CTYPE; no locale exists everywhere.
  for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    const folder = await mkdtemp(join(paths.home, "new-"));
    if (paths.account.isSwitched) await chown(folder, paths.account.uid, paths.account.gid);
    failure = await initdb(folder, ctype, paths, binaries);
    if (failure === "") {
      // Renamed after initdb has flushed the complete cluster to disk.
      await rename(folder, paths.cluster);
      return await flushFolder(paths.home);
    }
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    if (!/locale/i.test(failure)) break;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL could not create its database in ${paths.cluster} (${failure}): fix this, or set DATABASE_URL.`,
  );
}

/** A killed start's initdb may still be writing, so names are never reused. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith("new-")) continue;
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** @returns initdb's error, or "" if it succeeded */
async function initdb(
  folder: string,
  ctype: string,
  paths: Paths,
  binaries: Binaries,
): Promise<string> {
  const options = [
    ["--pgdata", nameForServer(folder, paths)],
    ["--username", SUPERUSER],
    // Safe, because only this user can enter the socket's folder.
    ["--auth-local", "trust"],
    ["--auth-host", "reject"],
    ["--encoding", "UTF8"],
    // Makes sorting and case folding the same on every machine, independent of libc.
    ["--locale-provider", "builtin"],
    ["--builtin-locale", "C.UTF-8"],
    ["--locale", "C"],
    ["--lc-ctype", ctype],
    // initdb writes these settings to postgresql.conf, where an operator can change them.
    ["--set", "max_connections=100"],
    // Uses little memory: the operating system caches the rest.
    ["--set", "shared_buffers=64MB"],
    ["--set", "io_method=sync"],
    ["--set", "max_logical_replication_workers=0"],
    ["--set", "timezone=UTC"],
    ["--set", "log_timezone=UTC"],
  ].flat();
  const { child, exit } = runProgram({
    program: binaries.initdb,
    args: [...options, "--no-instructions"],
    cwd: folder,
    account: paths.account,
    stdout: "ignore",
    stderr: "pipe",
    isDetached: false,
  });
  let stderr = "";
  child?.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const reason = await exit;
  if (reason === "") return "";
  return messageOf(
    stderr.split("\n").find((line) => /error|fatal|could not/i.test(line)) ?? reason,
  );
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}
