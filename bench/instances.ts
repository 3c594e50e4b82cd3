/**
 * PostgreSQL's CPU for a message with 1, 2, 4 and 8 instances on one database, at the same load: bots
 * in ten rooms, spread over the instances, so that each instance publishes each room. Anchor: one
 * instance, in the same round.
 */
import { Acceptance } from "./support/acceptance.ts";
import { Bed } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const SECONDS = 6;
const RATE = 200;
const COUNTS = [1, 2, 4, 8];

const bed = await Bed.make();
const rows: Row[][] = COUNTS.map(() => []);
for (let round = 0; round < ROUNDS; round++) {
  let anchor = Number.NaN;
  for (const [at, count] of COUNTS.entries()) {
    while (bed.instances.length < count) await bed.start();
    const addresses = bed.instances.map(({ address }) => address);
    const writers = await Acceptance.inBusyRooms(bed, (i) => {
      // Not by the same step as the rooms, which would put each room on one instance.
      return addresses[Math.floor(i / 10) % count] as string;
    });
    await writers.paced(RATE, 2);
    const pids = { service: bed.instances[0]?.pid ?? 0, postmaster: bed.postmaster };
    const used = await withCpu(pids, () => writers.paced(RATE, SECONDS));
    const each = (used.postgres / used.result) * 1e6;
    if (count === 1) anchor = each;
    const more = count === 1 ? 0 : (each / anchor - 1) / (count - 1);
    rows[at]?.push({
      scenario: `instances: ${count}, ${RATE} messages a second`,
      ours: each,
      anchor,
      unit: "µs of PostgreSQL a message",
      less: true,
      reach: "5% for each further instance",
      notes: `each further instance ${(more * 100).toFixed(1)}%`,
    });
    writers.close();
  }
  while (bed.instances.length > 0) await bed.end(bed.instances[0] as (typeof bed.instances)[0]);
}
for (const rounds of rows) report(rounds);
await bed.clear();
process.exit(0);
