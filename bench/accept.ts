/**
 * Durable acknowledged messages a second, over sockets (64 and 1,024 in flight) and over REST (16 and
 * 64 at once). Anchor: pgbench, one row a transaction, the best of 8 to 64 clients on the same cluster.
 * Each client writes into its own room, so that the bench measures accepting, not delivering; in one
 * scenario they write into ten rooms, where everyone hears of each message. Replies are measured by the
 * CPU that they cost beside that of a message under the same load.
 */
import { Acceptance, TEXT } from "./support/acceptance.ts";
import { Bed } from "./support/bed.ts";
import { percent, withCpu } from "./support/cpu.ts";
import { bestOf } from "./support/pgbench.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const SECONDS = 4;
const CLIENTS = [8, 16, 32, 64];
const INSERT = `insert into anchor (room_id, author_id, content)
  values (gen_random_uuid(), gen_random_uuid(), '${TEXT}');`;

const bed = await Bed.make();
const service = await bed.start();
const alone = await Acceptance.open(bed, service.address);
const together = await Acceptance.inBusyRooms(bed, service.address);
const replying = await Acceptance.open(bed, service.address);
await replying.beginThreads(bed.database);
const { count: roots } = await bed.database.sql`select from messages`;
await bed.database.sql`create table anchor (id uuid primary key default gen_random_uuid(),
  room_id uuid, author_id uuid, content text, created_at timestamptz default now())`;

async function overRest(): Promise<void> {
  const { person, roomId } = alone.next();
  const response = await fetch(`${service.address}/api/rooms/${roomId}/messages`, {
    method: "POST",
    headers: { cookie: person.cookie, "content-type": "application/json" },
    body: JSON.stringify({ content: TEXT }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`status ${response.status}`);
}

type Scenario = {
  name: string;
  inFlight: number;
  reach: string;
  writers: Acceptance;
  post?: () => Promise<void>;
};
const scenarios: Scenario[] = [
  {
    name: "accept, 64 in flight over sockets",
    inFlight: 64,
    reach: "0.8x, p99 under 8 ms",
    writers: alone,
  },
  {
    name: "accept replies, 64 in flight over sockets",
    inFlight: 64,
    reach: "1.15x the CPU of a message",
    writers: replying,
  },
  {
    name: "accept, 1,024 in flight over sockets",
    inFlight: 1_024,
    reach: "1.4x, p99 under 60 ms",
    writers: alone,
  },
  {
    name: "accept, 64 in flight over sockets, ten rooms of ten bots",
    inFlight: 64,
    reach: "no target",
    writers: together,
  },
  {
    name: "accept, 64 at once over REST",
    inFlight: 64,
    reach: "8,000/s or 0.6x",
    writers: alone,
    post: overRest,
  },
  {
    name: "accept, 16 at once over REST",
    inFlight: 16,
    reach: "5,000/s or 0.6x",
    writers: alone,
    post: overRest,
  },
];
const rows: Row[][] = scenarios.map(() => []);
let acknowledged = 0;
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await bestOf(bed, INSERT, CLIENTS, 2);
  for (const [i, { name, inFlight, reach, writers, post }] of scenarios.entries()) {
    await bed.untilIndexed();
    const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
      writers.run(inFlight, SECONDS, post),
    );
    const { rate, latencies } = used.result;
    acknowledged += latencies.count;
    const each = (seconds: number) => `${((seconds / latencies.count) * 1e6).toFixed(0)} µs`;
    const notes = [
      `p50 ${latencies.p(0.5).toFixed(1)} ms, p99 ${latencies.p(0.99).toFixed(1)} ms`,
      `CPU a message: service ${each(used.service)}, PostgreSQL ${each(used.postgres)}`,
      `client ${percent(used.share)}`,
    ];
    rows[i]?.push({
      scenario: name,
      ours: rate,
      anchor,
      unit: "messages/s",
      reach,
      notes: notes.join("; "),
    });
  }
}
for (const rounds of rows) report(rounds);
const [stored] = await bed.database.sql<
  { count: number }[]
>`select count(*)::int as count from messages`;
const count = (stored?.count ?? 0) - roots;
console.log(`\nacknowledged ${acknowledged}, stored ${count}`);
await bed.clear();
process.exit(count === acknowledged ? 0 : 1);
