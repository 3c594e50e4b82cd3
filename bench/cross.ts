/**
 * Two instances on one database: senders on one, 200 receivers of their room on the other. Anchor: the
 * same senders and receivers on one instance. First the p99 of delivery at 50 messages a second. Then
 * durable acknowledged messages a second with 64 in flight, from 1,500 people in their own rooms, whose
 * second screens have the room open on the other or on the same instance.
 */
import { Acceptance } from "./support/acceptance.ts";
import { Bed } from "./support/bed.ts";
import { percent, withCpu } from "./support/cpu.ts";
import { Audience } from "./support/audience.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const RECEIVERS = 200;
const SENDERS = 20;
const PADDING = " The slow part was never the query, it was the connection.";

const bed = await Bed.make();
const here = await bed.start();
const there = await bed.start();

async function audience(receivers: string): Promise<Audience> {
  const people = await bed.people(SENDERS + RECEIVERS);
  const room = await bed.room(people);
  return Audience.inRoom((i) => (i < SENDERS ? here.address : receivers), people, room, SENDERS);
}
const same = await audience(here.address);
const other = await audience(there.address);
const sameAccept = await Acceptance.open(bed, here.address, here.address);
const otherAccept = await Acceptance.open(bed, here.address, there.address);
await same.paced(50, 2, PADDING);
await other.paced(50, 2, PADDING);

const late: Row[] = [];
const accepted: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const a = (await same.paced(50, 6, PADDING)).latencies;
  const paced = await withCpu({ service: there.pid }, () => other.paced(50, 6, PADDING));
  const b = paced.result.latencies;
  late.push({
    scenario: "cross, 50 a second to 200 on another instance: p99",
    ours: b.p(0.99),
    anchor: a.p(0.99),
    unit: "ms",
    less: true,
    reach: "at most 5 ms more",
    notes: `${(b.p(0.99) - a.p(0.99)).toFixed(1)} ms more; p50 ${b.p(0.5).toFixed(1)} against ${a.p(0.5).toFixed(1)} ms; client ${percent(paced.share)}`,
  });
  const c = await sameAccept.run(64, 4);
  const used = await withCpu({ service: here.pid }, () => otherAccept.run(64, 4));
  const d = used.result;
  accepted.push({
    scenario: "cross, accepted with 64 in flight, heard on another instance",
    ours: d.rate,
    anchor: c.rate,
    unit: "messages/s",
    reach: "0.8x",
    notes: `p99 ${d.latencies.p(0.99).toFixed(1)} against ${c.latencies.p(0.99).toFixed(1)} ms; client ${percent(used.share)}`,
  });
}
report(late);
report(accepted);
await bed.clear();
process.exit(0);
