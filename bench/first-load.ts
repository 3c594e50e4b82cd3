/**
 * What a client requests when it is opened (session, rooms, room, members, history), by someone in 300
 * rooms of the grown demo with 2,000 members in the open one: the time until each answer has come, alone
 * on the machine, and the service's CPU for all of them together. The first round finds empty caches.
 *
 * `bun bench/first-load.ts [rounds]`
 */
import { Bed } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { growDemo } from "./support/grown-demo.ts";

const ROUNDS = Number(process.argv[2] ?? 30);
const MAX_MS = 25;

const bed = await Bed.make();
const { people, viewer, rooms } = await growDemo(bed);
const [room = ""] = rooms;
const { sql } = bed.database;
await sql`insert into memberships (room_id, user_id, role)
  select ${room}, id, 'member' from unnest(${people.map(({ id }) => id)}::uuid[]) id on conflict do nothing`;
await sql`update rooms set member_count = (select count(*) from memberships where room_id = ${room})
  where id = ${room}`;
await sql`vacuum analyze`;

/** Each request of a round, with how long it took. */
type Round = Record<string, number>;

async function load(address: string): Promise<Round> {
  const round: Round = {};
  const get = async (name: string, path: string) => {
    const started = performance.now();
    const answer = await fetch(address + path, { headers: { cookie: viewer.cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    round[name] = (round[name] ?? 0) + performance.now() - started;
  };
  await get("session", "/api/auth/session");
  await get("rooms", "/api/rooms?all=true");
  await get("room", `/api/rooms/${room}`);
  await get("history", `/api/rooms/${room}/messages`);
  await get("members", `/api/rooms/${room}/members?all=true`);
  return round;
}

const sum = (round: Round) => Object.values(round).reduce((total, ms) => total + ms, 0);
const print = (name: string, round: Round) =>
  console.log(
    `${name}: ${Object.entries(round)
      .map(([what, ms]) => `${what} ${ms.toFixed(1)}`)
      .join(", ")}; together ${sum(round).toFixed(1)} ms`,
  );

// A process that has served other requests, but none of this person's.
const warmUp = await bed.start();
for (let i = 0; i < ROUNDS; i++) await load(warmUp.address);
await bed.end(warmUp);
const service = await bed.start();
print("first round of a new process", await load(service.address));
const {
  result,
  service: cpu,
  postgres,
} = await withCpu({ service: service.pid, postmaster: bed.postmaster }, async () => {
  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await load(service.address));
  return rounds.toSorted((a, b) => sum(a) - sum(b));
});
const median = result[Math.floor(ROUNDS / 2)] as Round;
print("median", median);
console.log(
  `CPU a round: service ${((cpu / ROUNDS) * 1e3).toFixed(1)} ms, PostgreSQL ${((postgres / ROUNDS) * 1e3).toFixed(1)} ms`,
);
const isSlow = sum(median) > MAX_MS;
if (isSlow) console.log(`FAULT all five together take more than ${MAX_MS} ms.`);
await bed.clear();
process.exit(isSlow ? 1 : 0);
