/**
 * 10,000 people who are signed in and connected, with one room each, and with twenty: memory that a
 * connection takes. Anchor: raw Bun with one topic. Each measurement is of a fresh process.
 */
import { Bed, type Person } from "./support/bed.ts";
import { residentBytes } from "./support/cpu.ts";
import { openRawSockets, startRaw } from "./support/raw.ts";
import { report, type Row } from "./support/report.ts";
import { openSockets } from "./support/sockets.ts";

const ROUNDS = 3;
const SOCKETS = 10_000;
const WARM = 2_000;
const ROOMS = 500;
/** Long enough for memory that only connecting needed to be released. */
const SETTLE_MS = 18_000;

const bed = await Bed.make();
const groups = [
  { rooms: 1, people: await bed.people(SOCKETS), first: [] as string[] },
  { rooms: 20, people: await bed.people(SOCKETS), first: [] as string[] },
];
for (const group of groups) {
  const lists: Person[][] = Array.from({ length: ROOMS }, () => []);
  for (const [i, person] of group.people.entries()) {
    for (let k = 0; k < group.rooms; k++) lists[(i + k * 25) % ROOMS]?.push(person);
  }
  const ids = await bed.rooms(lists);
  group.first = group.people.map((_, i) => ids[i % ROOMS] as string);
}

/** Memory that each connection adds after the first 2,000, when the heap has settled. */
async function memoryOf(pid: number, open: (from: number, to: number) => Promise<WebSocket[]>) {
  const first = await open(0, WARM);
  await Bun.sleep(SETTLE_MS);
  const before = residentBytes(pid);
  const rest = await open(WARM, SOCKETS);
  await Bun.sleep(SETTLE_MS);
  const each = (residentBytes(pid) - before) / (SOCKETS - WARM);
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
      scenario: `idle, 10,000 sockets with ${group.rooms === 1 ? "one room" : "twenty rooms"} each`,
      ours: each,
      anchor,
      unit: "KiB a connection",
      less: true,
      reach: group.rooms === 1 ? "0.5x: twice the memory" : "12 KiB",
    });
  }
}
for (const rounds of rows) report(rounds);
await bed.clear();
process.exit(0);
