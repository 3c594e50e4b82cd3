/**
 * What a message in a conversation of two costs, beside one in a room of the same two, in turns: the CPU of
 * service and PostgreSQL with 64 in flight over sockets. Anchor: the room.
 */
import { Acceptance } from "./support/acceptance.ts";
import { Bed } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { report, type Row } from "./support/report.ts";

const ROUNDS = 6;
const SECONDS = 3;
const IN_FLIGHT = 64;

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
await bed.clear();
process.exit(0);
