/**
 * Whether the time of an answer tells what its caller may not know: a conversation, a private room and a message
 * that exist and are not the caller's, against ids and names that never were; and a word that only hidden
 * messages have, against one that nobody wrote. Both are asked in turn, so that what else the machine
 * does meets both. `bun bench/hidden.ts 100` asks for each 100 times in each round.
 */
import { Bed, type Person } from "./support/bed.ts";
import { report, type Row } from "./support/report.ts";
import { Latencies } from "./support/stats.ts";

const COUNT = Number(process.argv[2] ?? 500);
const ROUNDS = 5;
const WARM = 100;
const REACH = "1.00x, within 0.05";
const HIDDEN_MESSAGES = 300;

const bed = await Bed.make();
const { sql } = bed.database;
const { address } = await bed.start();
const [reader] = (await bed.bots(1)) as [Person];
const [ada, grace] = (await bed.people(2)) as [Person, Person];
await bed.room([reader]);
const secret = await bed.room([ada]);
await sql`update rooms set privacy = 'private' where id = ${secret}`;
const [{ name: secretName } = { name: "" }] = await sql<{ name: string }[]>`
  select name from rooms where id = ${secret}`;
const direct = (await call(ada, "POST", "/api/direct", { user_ids: [grace.id] })).body.id;
let message = "";
for (let i = 0; i < HIDDEN_MESSAGES; i += 1) {
  const place = i % 2 === 0 ? secret : direct;
  const content = `${i} hiddenword`;
  message = (await call(ada, "POST", `/api/rooms/${place}/messages`, { content })).body.id;
}
const found = async () =>
  (await call(ada, "GET", `/api/search/messages?q=${HIDDEN_MESSAGES - 1}`)).body.items.length;
while ((await found()) === 0) await Bun.sleep(500);

async function call(
  { cookie, authorization }: Person,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(address + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(authorization ? { authorization } : { cookie }),
    },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const search = (q: string, more = "") => `/api/search/messages?q=${encodeURIComponent(q)}${more}`;
const id = () => Bun.randomUUIDv7();
const word = () => `w${Math.random().toString(36).slice(2, 10)}`;
/** What is asked for: one that exists, and one that never was. */
const QUESTIONS: [name: string, hidden: () => string, never: () => string][] = [
  ["a conversation", () => `/api/direct/${direct}`, () => `/api/direct/${id()}`],
  ["a room", () => `/api/rooms/${secret}`, () => `/api/rooms/${id()}`],
  ["a history", () => `/api/rooms/${direct}/messages`, () => `/api/rooms/${id()}/messages`],
  ["a message", () => `/api/messages/${message}`, () => `/api/messages/${id()}`],
  [
    "a search in a conversation",
    () => search("hiddenword", `&room_id=${direct}`),
    () => search("hiddenword", `&room_id=${id()}`),
  ],
  [
    "a search in a named room",
    () => search(`in:${secretName} hiddenword`),
    () => search(`in:${word()} hiddenword`),
  ],
  ["a search for a word", () => search("hiddenword"), () => search(word())],
];

for (const [name, hidden, never] of QUESTIONS) {
  const rows: Row[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [known, unknown] = [new Latencies(), new Latencies()];
    const count = round === 0 ? WARM : COUNT;
    const statuses = new Set<number>();
    for (let i = 0; i < count; i += 1) {
      for (const [path, latencies] of i % 2 === 0
        ? ([
            [hidden(), known],
            [never(), unknown],
          ] as const)
        : ([
            [never(), unknown],
            [hidden(), known],
          ] as const)) {
        const started = performance.now();
        const { status } = await call(reader, "GET", path);
        latencies.add(performance.now() - started);
        statuses.add(status);
      }
    }
    if (statuses.size !== 1) throw new Error(`${name}: ${[...statuses].join(" or ")}`);
    if (round === 0) continue;
    rows.push({
      scenario: `hidden: ${name}, against one that never was`,
      ours: known.p(0.5),
      anchor: unknown.p(0.5),
      unit: "ms",
      less: true,
      reach: REACH,
      notes: `a quarter below ${known.p(0.25).toFixed(2)} and ${unknown.p(0.25).toFixed(2)} ms`,
    });
  }
  report(rows);
}
await bed.clear();
process.exit(0);
