import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

const TICKS_A_SECOND = 100;

/** The fields of /proc/<pid>/stat from the state on: the name before them may hold blanks. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** CPU seconds that a process has used, user and system; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = statOf(pid);
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}

/**
 * CPU seconds of a process and its children, as PostgreSQL's are: one for each connection. Those that
 * have ended count too.
 */
export function familyCpuSeconds(pid: number): number {
  const ended = statOf(pid).slice(13, 15).map(Number);
  let seconds = cpuSeconds(pid) + ended.reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (Number(statOf(Number(entry))[1]) === pid) seconds += cpuSeconds(Number(entry));
    } catch {
      // It has ended in the meantime.
    }
  }
  return seconds;
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

export type Used<T> = {
  result: T;
  seconds: number;
  /** CPU seconds of the measured process. */
  service: number;
  /** CPU seconds of PostgreSQL, if its postmaster was named. */
  postgres: number;
  /** The share of the machine's CPU that this process, the client, used. */
  share: number;
};

/** Runs something and measures the CPU of the service, of PostgreSQL and of the client. */
export async function withCpu<T>(
  pids: { service: number; postmaster?: number },
  work: () => Promise<T>,
): Promise<Used<T>> {
  const before = process.cpuUsage();
  const service = cpuSeconds(pids.service);
  const postgres = pids.postmaster ? familyCpuSeconds(pids.postmaster) : 0;
  const started = performance.now();
  const result = await work();
  const used = process.cpuUsage(before);
  const seconds = (performance.now() - started) / 1_000;
  return {
    result,
    seconds,
    service: cpuSeconds(pids.service) - service,
    postgres: pids.postmaster ? familyCpuSeconds(pids.postmaster) - postgres : 0,
    share: (used.user + used.system) / 1e6 / seconds / cpus().length,
  };
}

export const percent = (share: number) => `${Math.round(share * 100)}%`;
