/**
 * 10,000 people who are signed in and connected, with one room each, with twenty, and with 500 old direct
 * conversations beside them: memory that a connection takes. Anchor: raw Bun with one topic. Each
 * measurement is of a fresh process. `bun bench/idle.ts 2000 1` is for 2,000 people, and one round.
 */
import { Bed, type Person } from "./support/bed.ts";
import { residentBytes } from "./support/cpu.ts";
import { openRawSockets, startRaw } from "./support/raw.ts";
import { report, type Row } from "./support/report.ts";
import { openSockets } from "./support/sockets.ts";

const SOCKETS = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const WARM = SOCKETS / 5;
const ROOMS = 500;
/** Within this time, memory that only connecting needed is collected and released at least once. */
const SETTLE_SECONDS = 45;

const bed = await Bed.make();
const groups = [
  { rooms: 1, directs: 0, size: 0, people: await bed.people(SOCKETS), first: [] as string[] },
  { rooms: 20, directs: 0, size: 0, people: await bed.people(SOCKETS), first: [] as string[] },
  // As many people as possible: the number of rows is what counts.
  { rooms: 20, directs: 500, size: 9, people: await bed.people(SOCKETS), first: [] as string[] },
  // Of two, whose list shows whether the other one is here.
  { rooms: 20, directs: 500, size: 2, people: await bed.people(SOCKETS), first: [] as string[] },
];
for (const group of groups) {
  const lists: Person[][] = Array.from({ length: ROOMS }, () => []);
  for (const [i, person] of group.people.entries()) {
    for (let k = 0; k < group.rooms; k++) lists[(i + k * 25) % ROOMS]?.push(person);
  }
  const ids = await bed.rooms(lists);
  group.first = group.people.map((_, i) => ids[i % ROOMS] as string);
  if (group.directs > 0) await addDirects(group.people, group.directs, group.size);
}

/** Puts everyone into so many conversations of so many people, which have been silent for 60 days. */
async function addDirects(people: Person[], each: number, size: number): Promise<void> {
  const { sql } = bed.database;
  const count = Math.ceil((people.length * each) / size);
  const ids = people.map(({ id }) => id);
  // Each time around, the others are further away, so that nobody has the same partner twice.
  await sql`with direct as (
      insert into rooms (id, kind, direct_kind, privacy, member_count, created_at, last_message_at)
      select gen_random_uuid(), 'direct', ${size === 2 ? "pair" : "group"}, 'private', ${size}::int,
        now() - interval '90 days', now() - interval '60 days'
      from generate_series(1, ${count}) returning id
    ), numbered as (
      select id, (row_number() over ())::int - 1 as n from direct
    ), placed as (
      select id, n, (n * ${size}::int) / ${people.length}::int as round from numbered
    )
    insert into memberships (room_id, user_id, role, is_direct)
    select id, (${ids}::uuid[])[1 + (n * ${size}::int + k * (2 * round + 1)) % ${people.length}::int],
      'member', true
    from placed, generate_series(0, ${size - 1}) as k on conflict do nothing`;
}

/** The least memory of a process within `SETTLE_SECONDS`. */
async function settledBytes(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let second = 0; second < SETTLE_SECONDS; second++) {
    await Bun.sleep(1_000);
    least = Math.min(least, residentBytes(pid));
  }
  return least;
}

/** Memory that each connection adds after the first fifth of them, when the heap has settled. */
async function memoryOf(pid: number, open: (from: number, to: number) => Promise<WebSocket[]>) {
  const first = await open(0, WARM);
  const before = await settledBytes(pid);
  const rest = await open(WARM, SOCKETS);
  const each = ((await settledBytes(pid)) - before) / (SOCKETS - WARM);
  for (const socket of [...first, ...rest]) {
    socket.onclose = null;
    socket.close();
  }
  return each;
}

async function raw(): Promise<number> {
  const server = await startRaw();
  const each = await memoryOf(server.pid, (from, to) => openRawSockets(server, to - from));
  await server.stop();
  return each;
}

/** Everyone has the first of their rooms open. */
async function ours({ people, first }: (typeof groups)[number]): Promise<number> {
  const service = await bed.start();
  const each = await memoryOf(service.pid, async (from, to) => {
    let joined = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const some = people.slice(from, to);
    const sockets = await openSockets(service.address, some, () => (text) => {
      if (text.startsWith('{"type":"joined"') && ++joined === some.length) resolve();
    });
    for (const [i, socket] of sockets.entries())
      socket.send(JSON.stringify({ type: "join", room_id: first[from + i] }));
    await promise;
    return sockets;
  });
  await bed.end(service);
  return each;
}

const rows: Row[][] = groups.map(() => []);
for (let round = 0; round < ROUNDS; round++) {
  const anchor = (await raw()) / 1024;
  for (const [i, group] of groups.entries()) {
    const each = (await ours(group)) / 1024;
    rows[i]?.push({
      scenario: `idle, ${SOCKETS.toLocaleString("en")} sockets with ${describe(group)} each`,
      ours: each,
      anchor,
      unit: "KiB a connection",
      less: true,
      reach: group.rooms === 1 ? "0.5x: twice the memory" : "12 KiB",
    });
  }
}
function describe({ rooms, directs, size }: { rooms: number; directs: number; size: number }) {
  const named = rooms === 1 ? "one room" : "twenty rooms";
  return directs === 0 ? named : `${named} and ${directs} old conversations of ${size}`;
}

for (const rounds of rows) report(rounds);
await bed.clear();
process.exit(0);
