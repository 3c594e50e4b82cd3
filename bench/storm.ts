/**
 * 10,000 people come back at once, as after a restart of a proxy: connect, sign in by the cookie, join
 * their room with the last number they know, and receive what they missed. Anchor: raw Bun upgrades alone.
 */
import { Bed, type Person } from "./support/bed.ts";
import { percent, withCpu } from "./support/cpu.ts";
import { startRaw } from "./support/raw.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const SOCKETS = 10_000;
const ROOMS = 500;
/** Connections that are opened at a time: the client's limit, not the service's. */
const AT_ONCE = 256;
const MISSED = 3;

const bed = await Bed.make();
const people = await bed.people(SOCKETS);
const lists: Person[][] = Array.from({ length: ROOMS }, () => []);
for (const [i, person] of people.entries()) lists[i % ROOMS]?.push(person);
const rooms = await bed.rooms(lists);
const service = await bed.start();
const raw = await startRaw();

/** Posts, over REST, the messages that everyone will have missed. */
async function talk(): Promise<void> {
  for (let i = 0; i < ROOMS; i++) {
    for (let k = 0; k < MISSED; k++) {
      const response = await fetch(`${service.address}/api/rooms/${rooms[i]}/messages`, {
        method: "POST",
        headers: { cookie: people[i]?.cookie ?? "", "content-type": "application/json" },
        body: JSON.stringify({ content: "While you were away." }),
      });
      if (response.status !== 201) throw new Error(`status ${response.status}`);
    }
  }
}

/** Opens all connections, a limited number at a time. */
async function everyone(open: (index: number) => { socket: WebSocket; done: Promise<void> }) {
  const sockets: WebSocket[] = [];
  const settled: Promise<void>[] = [];
  const hand = async () => {
    while (sockets.length < SOCKETS) {
      const { socket, done } = open(sockets.length);
      sockets.push(socket);
      settled.push(done);
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
  await Promise.all(settled);
  return sockets;
}

function comeBack(index: number, seq: number) {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const headers = { cookie: people[index]?.cookie, origin: service.address };
  const socket = new WebSocket(`${service.address.replace("http", "ws")}/ws/chat`, {
    headers,
  } as unknown as string[]);
  let missed = 0;
  socket.onclose = ({ code }) => reject(new Error(`closed ${code}`));
  socket.onmessage = ({ data }) => {
    const text = String(data);
    if (text.startsWith('{"type":"hello"')) {
      socket.send(JSON.stringify({ type: "join", room_id: rooms[index % ROOMS], seq }));
    }
    if (text.startsWith('{"type":"message"') && ++missed === MISSED) resolve();
    if (text.startsWith('{"type":"error"')) reject(new Error(text));
  };
  return { socket, done };
}

function upgrade() {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const socket = new WebSocket(raw.address.replace("http", "ws"));
  socket.addEventListener("open", () => resolve());
  return { socket, done };
}

async function timed(open: (index: number) => ReturnType<typeof upgrade>) {
  const started = performance.now();
  const sockets = await everyone(open);
  return { sockets, seconds: (performance.now() - started) / 1_000 };
}

async function leave(sockets: WebSocket[]): Promise<void> {
  for (const socket of sockets) {
    socket.onclose = null;
    socket.close();
  }
  await Bun.sleep(3_000);
}

const rows: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const anchor = await timed(upgrade);
  await leave(anchor.sockets);
  await talk();
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    timed((index) => comeBack(index, round * MISSED)),
  );
  await leave(used.result.sockets);
  rows.push({
    scenario: "storm, 10,000 sockets connect, sign in, join and are caught up",
    ours: used.result.seconds,
    anchor: anchor.seconds,
    unit: "s",
    less: true,
    reach: "4 s",
    notes: `CPU: service ${used.service.toFixed(1)} s, PostgreSQL ${used.postgres.toFixed(1)} s; client ${percent(used.share)}`,
  });
}
report(rows);
await raw.stop();
await bed.clear();
process.exit(0);
