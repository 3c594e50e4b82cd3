/**
 * Searches over HTTP, one after the other, among a million messages of a thousand days in a thousand
 * rooms; then the same while messages are posted, how soon a message is found, and what indexing costs
 * those who post. Anchor: the bare select of the index by pgbench, in the same run.
 *
 * `MESSAGES=10000000` for another number: the time of filling is forecast, and bounded by `FILL_MINUTES`.
 * `ONLY=posting` compares posting with and without indexing alone, on 20,000 messages unless named, and
 * `ONLY=fill` fills alone.
 */
import { hashToken, randomToken } from "../src/platform/secrets/secrets.ts";
import { Bed } from "./support/bed.ts";
import { percent, withCpu } from "./support/cpu.ts";
import { pgbench } from "./support/pgbench.ts";
import { report } from "./support/report.ts";
import { checkDisk, fillSearch } from "./support/search-corpus.ts";
import { comparePosting, postFlat, postOne, type Writer } from "./support/search-posting.ts";
import { ask, searchAll } from "./support/search-queries.ts";
import { Latencies } from "./support/stats.ts";

const ONLY = process.env.ONLY;
const count = Number(process.env.MESSAGES ?? (ONLY === "posting" ? 20_000 : 1_000_000));
const maxMinutes = Number(process.env.FILL_MINUTES ?? 60);
const ROOMS = 1_000;
const SECONDS = 10;
const FINDS = 40;
const ROUNDS = 3;
const POSTING = { rounds: 6, seconds: 5 };

/** Above this many messages the targets are those of ten million. */
const MANY = 3_000_000;
type Target = { what: string; ms: number; target: number };
const targets: Target[] = [];

const bed = await Bed.make();
const { sql } = bed.database;
const people = await bed.people(ROOMS);
const rooms = await bed.rooms(people.map((person) => [person]));
await checkDisk(bed.folder, count);
const messages = await fillSearch(sql, rooms, { count, maxMinutes });
const isMany = messages > MANY;
await printSizes();
if (ONLY === "fill") await leave();

/** Rooms are large where their index is small. */
const readers = {
  "50 large rooms": await addBot(rooms.slice(0, 50)),
  "50 small rooms": await addBot(rooms.slice(400, 450)),
  "one small room": await addBot(rooms.slice(950, 951)),
};
const service = await bed.start();
const { address } = service;
const token = readers["50 large rooms"];
const writer: Writer = { address, token, rooms: rooms.slice(0, 50), pid: service.pid };

if (ONLY !== "posting") {
  await measureIdle();
  await measureBusy();
  await measureLag();
}
for (const rows of await comparePosting(sql, writer, POSTING)) report(rows);
console.log("");
for (const { what, ms, target } of targets) {
  const isReached = ms <= target ? "reached" : "MISSED";
  console.log(`${what}: ${ms.toFixed(1)} ms, target ${target} ms: ${isReached}`);
}
await leave();

async function leave(): Promise<never> {
  await bed.clear();
  process.exit(0);
}

/** A bot in these rooms: people may not search so often. */
async function addBot(roomIds: string[]): Promise<string> {
  const id = Bun.randomUUIDv7();
  const made = `snug_${randomToken()}`;
  await sql`insert into users (id, username, is_bot) values (${id}, ${`bot-${id.slice(-8)}`}, true)`;
  await sql`insert into api_tokens (id, user_id, name, token_hash, last4, scopes)
    values (${Bun.randomUUIDv7()}, ${id}, 'bench', ${hashToken(made)}, 'abcd',
      '{read:messages,write:messages}')`;
  await sql`insert into memberships (room_id, user_id, role)
    select i, ${id}, 'member' from unnest(${roomIds}::uuid[]) as i`;
  return made;
}

async function printSizes(): Promise<void> {
  const [size] = await sql<Record<"index" | "rows" | "key" | "all", string>[]>`
    select pg_size_pretty(pg_relation_size('message_search_words')) as index,
      pg_size_pretty(pg_relation_size('message_search')) as rows,
      pg_size_pretty(pg_relation_size('message_search_pkey')) as key,
      pg_size_pretty(pg_database_size(current_database())) as all`;
  const target = "at ten million about 1.2 GB, 2.2 GB and 0.5 GB";
  console.log(
    `Index ${size?.index}, table ${size?.rows}, key ${size?.key} (${target}); the database ${size?.all}.`,
  );
}

/** One search after the other, on a machine that does nothing else. */
async function measureIdle(): Promise<void> {
  for (const [label, reader] of Object.entries(readers)) {
    await searchAll(`${label}, first time`, address, reader, 1);
  }
  const script = `\\set n random(100, 999)\nselect message_id from message_search where words @@ translate(:n::text, '0123456789', 'bdfgklmnpr')::tsquery;`;
  const anchor = await pgbench(bed, script, 1, SECONDS);
  for (const [label, reader] of Object.entries(readers)) {
    const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
      searchAll(`${label}, idle`, address, reader, ROUNDS),
    );
    const { all, starts, slowest } = used.result;
    const each = (cpu: number) => `${((cpu / all.count) * 1_000).toFixed(1)} ms`;
    report([
      {
        scenario: `search, ${label}, one after the other, ${messages.toLocaleString("en")} messages`,
        ours: 1_000 / all.p(0.5),
        anchor,
        unit: "searches/s",
        reach: "the milliseconds below",
        notes: `p95 ${all.p(0.95).toFixed(1)} ms; CPU a search: service ${each(used.service)}, PostgreSQL ${each(used.postgres)}; client ${percent(used.share)}`,
      },
    ]);
    targets.push({ what: `${label}, p95 idle`, ms: all.p(0.95), target: isMany ? 100 : 30 });
    if (isMany) targets.push({ what: `${label}, word starts`, ms: starts.p(1), target: 400 });
    targets.push({ what: `${label}, slowest`, ms: slowest, target: 1_000 });
  }
}

/** Searches while 16 clients post as fast as they are answered. */
async function measureBusy(): Promise<void> {
  const posting = postFlat(writer, SECONDS);
  const { all } = await searchAll("50 large rooms, while messages are posted", address, token, 2);
  console.log(`Posted ${(await posting).toFixed(0)} messages a second meanwhile.`);
  targets.push({ what: "50 large rooms, p95 during posts", ms: all.p(0.95), target: 60 });
}

/** How long after its post a message is found. */
async function measureLag(): Promise<void> {
  const lag = new Latencies();
  for (let n = 0; n < FINDS; n += 1) {
    const word = `lag${crypto.randomUUID().replaceAll("-", "")}`;
    await postOne(writer, n, word);
    const at = performance.now();
    while ((await ask(address, token, word)).items.length === 0) await Bun.sleep(10);
    lag.add(performance.now() - at);
  }
  console.log(`Found after posting: p50 ${lag.p(0.5).toFixed(0)} ms.`);
  targets.push({ what: "found after posting, p99", ms: lag.p(0.99), target: 2_000 });
}
