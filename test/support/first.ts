import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { folderOf, runId } from "./memory.ts";

/** What has come in this worker. */
const claimed = new Set<string>();

/** Whether something comes for the first time in this run; without a folder of the run, in this worker. */
export function isFirstInRun(name: string): boolean {
  if (claimed.has(name)) return false;
  claimed.add(name);
  try {
    mkdirSync(join(folderOf(runId()), `first-${name.replaceAll(" ", "-")}`));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}
