import { constants } from "node:fs";
import { open, rename, stat } from "node:fs/promises";

import { ownAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { nameForServer } from "./cluster.ts";
import { PORT, restoreSocketDir, type Places } from "./places.ts";
import { removeStaleFiles, clusterSetting } from "./postmaster.ts";
import { runProgram } from "./run.ts";

const MAX_LOG_BYTES = 4 * 1024 * 1024;

export type Ended = {
  /** PostgreSQL's own message, if there is one. */
  why: string;
  /** True if someone stopped or killed it. */
  stopped: boolean;
};

/** A server that was just started. */
export type Launched = {
  /** Null while it runs. */
  ended(): Ended | null;
  /** Kills it, before anybody has connected to it. */
  kill(): void;
};

/** Starts the server and returns at once. To be called under the change lock, with none running. */
export async function launchServer(places: Places, binaries: Binaries): Promise<Launched> {
  await removeStaleFiles(places);
  await restoreSocketDir(places);
  await rotate(places.log);
  const log = await openLog(places);
  const from = (await log.stat()).size;
  const settings = [
    "listen_addresses=",
    // A list of folders, in which a quoted name may have any character.
    `unix_socket_directories="${places.socketSetting}"`,
    "unix_socket_permissions=0700",
    `port=${PORT}`,
    "cluster_name=snug",
    // Its stderr is the log. Its own collector would lose the first lines of a failure.
    "logging_collector=off",
    "log_destination=stderr",
    "log_checkpoints=off",
    await clusterSetting(places),
  ];
  const running = runProgram({
    program: binaries.postgres,
    args: ["-D", nameForServer(places.cluster, places), ...settings.flatMap((s) => ["-c", s])],
    cwd: places.cluster,
    account: places.account,
    stdout: log.fd,
    stderr: log.fd,
    // So that Ctrl-C stops the service, which then stops PostgreSQL, and not both at once.
    detached: true,
  });
  await log.close();
  let ended: Ended | null = null;
  void running.ended.then(async (how) => {
    const stopped = how === "" || Boolean(running.child?.signalCode);
    // Its log says more than its exit status.
    const words = stopped ? "" : await readLastError(places.log, from).catch(() => "");
    ended = { why: words || how || "it was stopped", stopped };
  });
  return { ended: () => ended, kill: () => void running.child?.kill("SIGKILL") };
}

/** Rotates the log at a start, since the server appends for months. */
async function rotate(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(log, `${log}.1`);
}

async function openLog(places: Places) {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = await open(places.log, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  const owner = await stat(places.home);
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
