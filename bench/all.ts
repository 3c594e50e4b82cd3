/** Every scenario, one after the other; fails at the end if one of them did. */
import { join } from "node:path";

const SCENARIOS = [
  "start",
  "accept",
  "direct",
  "fan-out",
  "idle",
  "storm",
  "history",
  "cross",
  "instances",
  "unread",
  "restart",
  "slow",
  "hidden",
  "scheduled",
  "routes",
  "first-load",
  "markdown",
  "text",
  "scroll",
  "typing",
];

const failed: string[] = [];
for (const scenario of SCENARIOS) {
  console.log(`\n# ${scenario}`);
  const file = join(import.meta.dir, `${scenario}.ts`);
  const child = Bun.spawn([process.execPath, file], { stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) failed.push(scenario);
}
if (failed.length > 0) console.error(`\nFailed: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);
