import { readFileSync } from "node:fs";
import { cpus } from "node:os";

const TICKS_A_SECOND = 100;

/** CPU seconds that a process has used, user and system; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in brackets, which may hold blanks; then the 12th and 13th are utime and stime.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory of a process in bytes; NaN where there is no /proc. */
export function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** Runs something and tells which share of the machine's CPU this process, the client, took. */
export async function withClientShare<T>(
  work: () => Promise<T>,
): Promise<{ result: T; share: number }> {
  const before = process.cpuUsage();
  const started = performance.now();
  const result = await work();
  const used = process.cpuUsage(before);
  const seconds = (performance.now() - started) / 1_000;
  return { result, share: (used.user + used.system) / 1e6 / seconds / cpus().length };
}
