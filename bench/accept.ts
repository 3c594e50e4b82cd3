/**
 * Durable acknowledged messages a second, over sockets (64 and 1,024 in flight) and over REST (64 at
 * once). Anchor: pgbench, one row a transaction, the best of 8 to 64 clients on the same cluster.
 * Each client writes into its own room, so that the bench measures accepting, not delivering.
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
const writers = await Acceptance.open(bed, service.address);
await bed.database.sql`create table anchor (id uuid primary key default gen_random_uuid(),
  room_id uuid, author_id uuid, content text, created_at timestamptz default now())`;

async function overRest(): Promise<void> {
  const { person, roomId } = writers.next();
  const response = await fetch(`${service.address}/api/rooms/${roomId}/messages`, {
    method: "POST",
    headers: { cookie: person.cookie, "content-type": "application/json" },
    body: JSON.stringify({ content: TEXT }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`status ${response.status}`);
}

const scenarios: [name: string, inFlight: number, reach: string, post?: () => Promise<void>][] = [
  ["accept, 64 in flight over sockets", 64, "1.0x, p99 under 6 ms"],
  ["accept, 1,024 in flight over sockets", 1_024, "1.6x"],
  ["accept, 64 at once over REST", 64, "0.6x", overRest],
];
const rows: Row[][] = scenarios.map(() => []);
let acknowledged = 0;
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await bestOf(bed, INSERT, CLIENTS, 2);
  for (const [i, [scenario, inFlight, reach, post]] of scenarios.entries()) {
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
      scenario,
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
console.log(`\nacknowledged ${acknowledged}, stored ${stored?.count}`);
await bed.clear();
process.exit(stored?.count === acknowledged ? 0 : 1);
