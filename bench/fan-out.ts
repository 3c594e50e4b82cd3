/**
 * One room with 1,000 people who have it open. Anchor: raw Bun, which publishes the same bytes.
 * First the CPU and the p99 of delivery at 50 messages a second. Then the throughput with 16 in flight.
 * The senders are 100 people, because a person's socket takes at most 20 frames a second, and 20
 * senders would measure that limit.
 */
import { Bed } from "./support/bed.ts";
import { Audience, type Heard, sampleEnvelope } from "./support/audience.ts";
import { percent, type Used, withCpu } from "./support/cpu.ts";
import { startRaw } from "./support/raw.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const RECEIVERS = 1_000;
const SENDERS = 100;
const PADDING = " The slow part was never the query, it was the connection.";

const bed = await Bed.make();
const service = await bed.start();
const people = await bed.people(RECEIVERS);
const room = await bed.room(people);
const raw = await startRaw();
const [first] = people;
if (!first) throw new Error("nobody");
const envelope = await sampleEnvelope(service.address, first, room);
const { postmaster } = bed;

const per100k = (used: Used<Heard>) => (used.service / used.result.delivered) * 100_000;
const p99 = (used: Used<Heard>) => used.result.latencies.p(0.99);

const ours = await Audience.inRoom(service.address, people, room, SENDERS);
const theirs = await Audience.onRaw(raw, RECEIVERS, SENDERS, envelope);
const cpu: Row[] = [];
const late: Row[] = [];
const most: Row[] = [];
// Warm-up, not counted: code is compiled and the heap grows on the first messages.
await ours.paced(50, 2, PADDING);
await theirs.paced(50, 2, PADDING);
for (let round = 0; round < ROUNDS; round++) {
  const a = await withCpu({ service: raw.pid }, () => theirs.paced(50, 6, PADDING));
  const b = await withCpu({ service: service.pid, postmaster }, () => ours.paced(50, 6, PADDING));
  const client = `client ${percent(b.share)}`;
  cpu.push({
    scenario: "fan-out, 50 a second to 1,000: CPU of the service",
    ours: per100k(b),
    anchor: per100k(a),
    unit: "CPU s per 100,000 deliveries",
    less: true,
    reach: "0.7x",
    notes: `PostgreSQL ${b.postgres.toFixed(2)} s beside; ${client}`,
  });
  late.push({
    scenario: "fan-out, 50 a second to 1,000: p99",
    ours: p99(b),
    anchor: p99(a),
    unit: "ms",
    less: true,
    reach: "1/1.5 = 0.67x",
    notes: `p50 ${b.result.latencies.p(0.5).toFixed(1)} against ${a.result.latencies.p(0.5).toFixed(1)} ms; ${client}`,
  });
  const c = await withCpu({ service: raw.pid }, () => theirs.window(16, 4, PADDING));
  const d = await withCpu({ service: service.pid, postmaster }, () => ours.window(16, 4, PADDING));
  most.push({
    scenario: "fan-out at most, 16 in flight, 1,000 receivers",
    ours: d.result.delivered / d.result.seconds,
    anchor: c.result.delivered / c.result.seconds,
    unit: "deliveries/s",
    reach: "0.45x",
    notes: `${per100k(d).toFixed(2)} against ${per100k(c).toFixed(2)} CPU s per 100,000, PostgreSQL ${d.postgres.toFixed(2)} s; client ${percent(d.share)} against ${percent(c.share)}`,
  });
}
for (const rows of [cpu, late, most]) report(rows);
ours.close();
theirs.close();
await raw.stop();
await bed.clear();
process.exit(0);
