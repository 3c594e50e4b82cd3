/**
 * Durable acknowledged messages a second, over sockets (64 and 1,024 in flight) and over REST (64 at
 * once). Anchor: pgbench, one row a transaction, the best of 8 to 64 clients on the same cluster.
 * Everyone writes into a room of one's own, so that what is measured is accepting, not delivering.
 */
import { Bed, type Person } from "./support/bed.ts";
import { percent, withCpu } from "./support/cpu.ts";
import { bestOf } from "./support/pgbench.ts";
import { report, type Row } from "./support/report.ts";
import { openSockets } from "./support/sockets.ts";
import { Latencies } from "./support/stats.ts";

const ROUNDS = 3;
const SECONDS = 4;
/** So many, because one socket may send 20 frames a second. */
const PEOPLE = 1_500;
const TEXT = "The slow part was never the query, it was the connection.";
const CLIENTS = [8, 16, 32, 64];
const INSERT = `insert into anchor (room_id, author_id, content)
  values (gen_random_uuid(), gen_random_uuid(), '${TEXT}');`;

const bed = await Bed.make();
const service = await bed.start();
const people = await bed.people(PEOPLE);
const rooms = await Promise.all(people.map((person) => bed.room([person])));
await bed.database.sql`create table anchor (id uuid primary key default gen_random_uuid(),
  room_id uuid, author_id uuid, content text, created_at timestamptz default now())`;

const waiting = new Map<string, () => void>();
const ACK = '{"type":"ack","client_id":"';
const sockets = await openSockets(service.address, people, () => (text) => {
  if (text.startsWith(ACK)) waiting.get(text.slice(ACK.length, ACK.length + 36))?.();
  else if (text.startsWith('{"type":"error"')) throw new Error(text);
});

/** Posts one message after the other from each of so many hands; counts what is acknowledged. */
async function load(inFlight: number, post: (turn: number) => Promise<void>) {
  const latencies = new Latencies();
  let turn = 0;
  const end = performance.now() + SECONDS * 1_000;
  const hand = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await post(turn++ % PEOPLE);
      latencies.add(performance.now() - started);
    }
  };
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    Promise.all(Array.from({ length: inFlight }, hand)),
  );
  const each = (seconds: number) => `${((seconds / latencies.count) * 1e6).toFixed(0)} µs`;
  const notes = `p50 ${latencies.p(0.5).toFixed(1)} ms, p99 ${latencies.p(0.99).toFixed(1)} ms; CPU a message: service ${each(used.service)}, PostgreSQL ${each(used.postgres)}; client ${percent(used.share)}`;
  return { rate: latencies.count / SECONDS, count: latencies.count, notes };
}

function overSocket(turn: number): Promise<void> {
  const client_id = crypto.randomUUID();
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(client_id, () => {
    waiting.delete(client_id);
    resolve();
  });
  sockets[turn]?.send(
    JSON.stringify({ type: "message", room_id: rooms[turn], content: TEXT, client_id }),
  );
  return promise;
}

async function overRest(turn: number): Promise<void> {
  const { cookie } = people[turn] as Person;
  const response = await fetch(`${service.address}/api/rooms/${rooms[turn]}/messages`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ content: TEXT }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`status ${response.status}`);
}

const scenarios: [name: string, inFlight: number, reach: string, post: typeof overSocket][] = [
  ["accept, 64 in flight over sockets", 64, "1.0x, p99 under 6 ms", overSocket],
  ["accept, 1,024 in flight over sockets", 1_024, "1.6x", overSocket],
  ["accept, 64 at once over REST", 64, "0.6x", overRest],
];
const rows: Row[][] = scenarios.map(() => []);
let acknowledged = 0;
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await bestOf(bed, INSERT, CLIENTS, 2);
  for (const [i, [scenario, inFlight, reach, post]] of scenarios.entries()) {
    const { rate, count, notes } = await load(inFlight, post);
    acknowledged += count;
    rows[i]?.push({ scenario, ours: rate, anchor, unit: "messages/s", reach, notes });
  }
}
for (const rounds of rows) report(rounds);
const [stored] = await bed.database.sql<
  { count: number }[]
>`select count(*)::int as count from messages`;
console.log(`\nacknowledged ${acknowledged}, stored ${stored?.count}`);
for (const socket of sockets) socket.onclose = null;
await bed.clear();
process.exit(stored?.count === acknowledged ? 0 : 1);
