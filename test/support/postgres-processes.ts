import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** The PostgreSQL processes, initdb among them, that work in a data folder at this moment (Linux). */
export function postgresProcesses(dataDir: string): string[] {
  const home = join(dataDir, "postgres");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        if (!/postgres|initdb/.test(command)) return [];
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(home) ? [`${pid} ${command}`] : [];
      } catch {
        // It has ended.
        return [];
      }
    });
}

/** Whether this system shows other processes' folders, as `postgresProcesses` needs. */
export function canSeeProcesses(): boolean {
  return statSync("/proc/self/cwd", { throwIfNoEntry: false }) !== undefined;
}
