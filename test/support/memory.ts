import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./leftovers.ts";

const MEMORY = "/dev/shm";
const PREFIX = "snug-tmp-";
/** What the databases and files of a run need at most, in bytes, with plenty of slack. */
const MIN_ROOM = 2 * 1_024 ** 3;

/** Where temporary files are by themselves: on a disk, mostly. */
export const DISK = tmpdir();

/** In memory where there is plenty: a database is hundreds of files, which live for seconds. */
export function findRoom(): string {
  if (!existsSync(MEMORY)) return DISK;
  const { bavail, bsize } = statfsSync(MEMORY);
  const isEnough = bavail * bsize > MIN_ROOM;
  return isEnough && !isWithoutPrograms() ? MEMORY : DISK;
}

/** Whether no program may be started from there; some tests have copies of PostgreSQL's. */
function isWithoutPrograms(): boolean {
  if (!existsSync("/proc/mounts")) return false;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  return mounts.some((line) => line.includes(` ${MEMORY} `) && /\bnoexec\b/.test(line));
}

/** The process that was called: files run in workers of it, or in it. */
export function runId(): number {
  return process.env.JEST_WORKER_ID ? process.ppid : process.pid;
}

/** The folder of a run's temporary files. */
export function folderOf(run: number): string {
  return join(MEMORY, `${PREFIX}${run}`);
}

/**
 * Puts the temporary files of this worker, and of the processes that it starts, into a folder of the
 * run in memory; removes those of runs that are over.
 */
export function useMemory(): void {
  const room = findRoom();
  if (room === DISK) return;
  for (const name of readdirSync(room)) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length)))) continue;
    rmSync(join(room, name), { recursive: true, force: true });
  }
  const folder = folderOf(runId());
  mkdirSync(folder, { recursive: true });
  // PostgreSQL runs as somebody else where the tests run as root.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
}
