/**
 * From the start of a process to its readiness, with a database in place, and the memory that it takes 20
 * seconds later. Anchor: a process of Bun that does nothing but print a line.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Bed } from "./support/bed.ts";
import { cpuSeconds } from "./support/cpu.ts";
import { spread } from "./support/stats.ts";

const STARTS = 7;
const SETTLE_MS = 20_000;

/** Memory of a process in MB: shared pages by their share, and what is its own. */
function memoryOf(pid: number): { pss: number; resident: number; own: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1024) / 1e6;
  return { pss: read("Pss"), resident: read("Rss"), own: read("Anonymous") };
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    try {
      const stat = readFileSync(`/proc/${Number(entry)}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return parent === pid ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}

const bed = await Bed.make();
// The first one migrates.
await bed.end(await bed.start());
const bare: number[] = [];
const ready: number[] = [];
const cpu: number[] = [];
for (let i = 0; i < STARTS; i++) {
  const before = performance.now();
  const child = Bun.spawn([process.execPath, "-e", "console.log(1)"], { stdout: "pipe" });
  await child.stdout.getReader().read();
  bare.push(performance.now() - before);
  await child.exited;
  const started = performance.now();
  const service = await bed.start();
  ready.push(performance.now() - started);
  cpu.push(cpuSeconds(service.pid) * 1_000);
  await bed.end(service);
}
const show = (values: number[], unit: string) => {
  const { min, median, max } = spread(values);
  return `${median.toFixed(0)} ${unit} (${min.toFixed(0)} to ${max.toFixed(0)})`;
};
console.log(`\nstart to ready ${show(ready, "ms")}, of CPU ${show(cpu, "ms")} (reach 600 ms)`);
console.log(`a process of Bun that prints a line ${show(bare, "ms")}`);
const service = await bed.start();
await Bun.sleep(SETTLE_MS);
const { pss, resident, own } = memoryOf(service.pid);
console.log(
  `service after ${SETTLE_MS / 1_000} s: ${pss.toFixed(0)} MB by share, ${resident.toFixed(0)} MB resident, ` +
    `${own.toFixed(0)} MB its own (reach 90 MB)`,
);
const postgres = [bed.postmaster, ...childrenOf(bed.postmaster)].map((pid) => memoryOf(pid).pss);
const sum = postgres.reduce((all, part) => all + part, 0);
console.log(
  `PostgreSQL, ${postgres.length} processes: ${sum.toFixed(0)} MB by share (reach 80 MB)`,
);
await bed.clear();
process.exit(0);
