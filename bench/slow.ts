/**
 * 300 people have a room open in which someone posts 4 kB fifty times a second; 1% stop reading. The p99
 * of delivery to the others. Anchor: the same while everyone reads. The memory of the service is
 * bounded: it must have closed the readers that stopped before the end.
 */
import { connect, type Socket } from "node:net";
import { Bed, type Person } from "./support/bed.ts";
import { Audience } from "./support/audience.ts";
import { percent, residentBytes, withCpu } from "./support/cpu.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 3;
const READERS = 297;
const STOPPED = 3;
const SECONDS = 40;
const PADDING = ` ${"A long story about a slow query. ".repeat(125)}`;

const bed = await Bed.make();
const service = await bed.start();
const people = await bed.people(READERS + STOPPED);
const room = await bed.room(people);

/** Joins over a bare TCP connection (RFC 6455), and then stops reading. */
async function stop(person: Person): Promise<Socket> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<void>();
  let heard = "";
  socket.on("data", (data) => {
    heard += data.toString("latin1");
    if (heard.includes('"hello"') && !heard.includes("asked")) {
      heard += "asked";
      const frame = Buffer.from(`{"type":"join","room_id":"${room}"}`);
      socket.write(Buffer.from([0x81, 0x80 | frame.length, 0, 0, 0, 0]));
      socket.write(frame);
    }
    if (heard.includes('"joined"')) {
      socket.pause();
      resolve();
    }
  });
  const head = [
    "GET /ws/chat HTTP/1.1",
    `Host: ${hostname}:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Cookie: ${person.cookie}`,
    `Origin: ${service.address}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await promise;
  return socket;
}

async function connections(): Promise<number> {
  const text = await (await fetch(`${service.address}/metrics`)).text();
  return Number(/^snug_connections (\d+)$/m.exec(text)?.[1]);
}

const audience = await Audience.inRoom(service.address, people.slice(0, READERS), room, 100);
await audience.paced(50, 5, PADDING);
const rows: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const anchor = (await audience.paced(50, SECONDS, PADDING)).latencies.p(0.99);
  const before = residentBytes(service.pid);
  const stopped = await Promise.all(people.slice(READERS).map(stop));
  if ((await connections()) !== READERS + STOPPED) throw new Error("not everyone is connected");
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(service.pid));
  }, 250);
  const used = await withCpu({ service: service.pid }, () => audience.paced(50, SECONDS, PADDING));
  clearInterval(watch);
  const left = (await connections()) - READERS;
  for (const socket of stopped) socket.destroy();
  rows.push({
    scenario: "slow: p99 of 297 readers while 3 do not read",
    ours: used.result.latencies.p(0.99),
    anchor,
    unit: "ms",
    less: true,
    reach: "1/1.3 = 0.77x",
    notes: `${STOPPED - left} of ${STOPPED} closed, memory at most ${((peak - before) / 2 ** 20).toFixed(1)} MiB more; client ${percent(used.share)}`,
  });
  if (left > 0) throw new Error("A reader that stopped was not closed.");
}
report(rows);
audience.close();
await bed.clear();
process.exit(0);
