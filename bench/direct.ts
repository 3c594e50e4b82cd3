/**
 * What conversations cost beside rooms, in turns, as CPU of service and PostgreSQL:
 *
 * 1. A message in a conversation of two, with 64 in flight over sockets. Anchor: one in a room of the same two.
 * 2. A connection of someone in 40 rooms and 500 old conversations. Anchor: one without conversations.
 */
import { noteSilence } from "../src/rooms/direct/silence.ts";
import { Acceptance } from "./support/acceptance.ts";
import { Bed, type Person } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { report, type Row } from "./support/report.ts";
import { openSockets } from "./support/sockets.ts";

const ROUNDS = 6;
const SECONDS = 3;
const IN_FLIGHT = 64;
const VISITORS = 100;
const ROOMS = 40;
const OLD_CONVERSATIONS = 500;
/** Until those who have connected are online for others, and no longer so. */
const ARRIVE_MS = 1_500;
const LEAVE_MS = 5_000;

const bed = await Bed.make();
const service = await bed.start();
const rooms = await Acceptance.withPartners(bed, service.address, "rooms");
const conversations = await Acceptance.withPartners(bed, service.address, "conversations");

/** CPU of one message, in microseconds. */
async function costOf(writers: Acceptance) {
  await bed.untilIndexed();
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    writers.run(IN_FLIGHT, SECONDS),
  );
  const each = (seconds: number) => (seconds / used.result.latencies.count) * 1e6;
  const [inService, inPostgres] = [each(used.service), each(used.postgres)];
  const { rate } = used.result;
  return { both: inService + inPostgres, inService, inPostgres, rate };
}

type Cost = Awaited<ReturnType<typeof costOf>>;
const show = ({ inService, inPostgres, rate }: Cost) =>
  `service ${inService.toFixed(0)} µs, PostgreSQL ${inPostgres.toFixed(0)} µs, ${rate.toFixed(0)}/s`;

// The first run of each fills caches and compiles.
for (const writers of [rooms, conversations]) await costOf(writers);
const rows: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  // Whichever is second finds the caches of the first.
  const order = round % 2 === 0 ? [rooms, conversations] : [conversations, rooms];
  const costs = new Map<Acceptance, Cost>();
  for (const writers of order) costs.set(writers, await costOf(writers));
  const [room, conversation] = [costs.get(rooms) as Cost, costs.get(conversations) as Cost];
  rows.push({
    scenario: "CPU of a message in a conversation of two",
    ours: conversation.both,
    anchor: room.both,
    unit: "µs",
    less: true,
    reach: "0.97",
    notes: `conversation: ${show(conversation)}; room: ${show(room)}`,
  });
}
report(rows);

const without = await bed.people(VISITORS);
const withOld = await bed.people(VISITORS);
const partners = await bed.people(OLD_CONVERSATIONS);
await bed.rooms(Array.from({ length: ROOMS }, () => [...without, ...withOld]));
await bed.conversations(withOld.flatMap((person) => partners.map((partner) => [person, partner])));
await bed.database
  .sql`update rooms set created_at = now() - interval '60 days' where kind = 'direct'`;
await noteSilence(bed.database.sql, new AbortController().signal);
await bed.database.sql`vacuum analyze`;

/** CPU of one connection, in microseconds. */
async function costOfConnecting(people: Person[]) {
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, async () => {
    const sockets = await openSockets(service.address, people);
    await Bun.sleep(ARRIVE_MS);
    return sockets;
  });
  for (const socket of used.result) {
    socket.onclose = null;
    socket.close();
  }
  await Bun.sleep(LEAVE_MS);
  const each = (seconds: number) => (seconds / people.length) * 1e6;
  const [inService, inPostgres] = [each(used.service), each(used.postgres)];
  return { inService, inPostgres, both: inService + inPostgres };
}

for (const people of [without, withOld]) await costOfConnecting(people);
const connecting: Row[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [none, old] = [await costOfConnecting(without), await costOfConnecting(withOld)];
  const parts = ({ inService, inPostgres }: typeof old) =>
    `service ${inService.toFixed(0)} µs, PostgreSQL ${inPostgres.toFixed(0)} µs`;
  connecting.push({
    scenario: `CPU of a connection of someone with ${OLD_CONVERSATIONS} old conversations`,
    ours: old.both,
    anchor: none.both,
    unit: "µs",
    less: true,
    reach: "0.83",
    notes: `with: ${parts(old)}; without: ${parts(none)}`,
  });
}
report(connecting);
await bed.clear();
process.exit(0);
