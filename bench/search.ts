/**
 * Searches over HTTP, one after the other and four at once, among a million messages (or `MESSAGES`) of
 * a thousand days in a thousand rooms; then the same while messages are posted, how soon a message is
 * found, and what indexing costs those who post. Anchor: the bare select of the index by pgbench.
 */
import { hashToken, randomToken } from "../src/platform/secrets.ts";
import { Bed } from "./support/bed.ts";
import { withCpu } from "./support/cpu.ts";
import { fillSearch, WORDS } from "./support/search-corpus.ts";
import { pgbench } from "./support/pgbench.ts";
import { report } from "./support/report.ts";
import { Latencies } from "./support/stats.ts";

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000);
const ROOMS = 1_000;
const SECONDS = 10;
const POSTS_AT_ONCE = 16;

const bed = await Bed.make();
const { sql } = bed.database;
const people = await bed.people(ROOMS);
const rooms = await bed.rooms(people.map((person) => [person]));
const started = performance.now();
await fillSearch(sql, rooms, MESSAGES, (made) =>
  console.log(`${made.toLocaleString("en")} messages, ${seconds(started)} s`),
);
const [size] = await sql<{ index: string; rows: string; key: string }[]>`
  select pg_size_pretty(pg_relation_size('message_search_words')) as index,
    pg_size_pretty(pg_relation_size('message_search')) as rows,
    pg_size_pretty(pg_relation_size('message_search_pkey')) as key`;
console.log(`Index ${size?.index}, table ${size?.rows}, key ${size?.key}.`);

/** Rooms are large where their index is small. */
const readers = {
  "50 large rooms": await addBot(rooms.slice(0, 50)),
  "50 small rooms": await addBot(rooms.slice(400, 450)),
  "one small room": await addBot(rooms.slice(950, 951)),
};
const service = await bed.start();

/** A bot in these rooms: people may not search so often. */
async function addBot(roomIds: string[]): Promise<string> {
  const id = Bun.randomUUIDv7();
  const token = `snug_${randomToken()}`;
  await sql`insert into users (id, username, is_bot) values (${id}, ${`bot-${id.slice(-8)}`}, true)`;
  await sql`insert into api_tokens (id, user_id, name, token_hash, last4, scopes)
    values (${Bun.randomUUIDv7()}, ${id}, 'bench', ${hashToken(token)}, 'abcd',
      '{read:messages,write:messages}')`;
  await sql`insert into memberships (room_id, user_id, role)
    select i, ${id}, 'member' from unnest(${roomIds}::uuid[]) as i`;
  return token;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

type Found = { items: { message: { content: string } }[]; searched_until: string | null };

async function ask(token: string, q: string): Promise<Found & { ms: number }> {
  const at = performance.now();
  const answer = await fetch(
    `${service.address}/api/search/messages?${new URLSearchParams({ q })}`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  const found = (await answer.json()) as Found;
  if (answer.status !== 200) throw new Error(`${q}: ${answer.status} ${JSON.stringify(found)}`);
  return { ...found, ms: performance.now() - at };
}

async function measure(label: string, token: string, rounds = 3): Promise<Latencies> {
  const all = new Latencies();
  const lines: string[] = [];
  for (const [kind, queries] of Object.entries(WORDS)) {
    const times = new Latencies();
    let hits = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const q of queries) {
        const { ms, items } = await ask(token, q);
        times.add(ms);
        all.add(ms);
        hits += items.length;
      }
    }
    lines.push(
      `${kind} ${times.p(0.5).toFixed(1)}/${times.p(1).toFixed(0)} (${hits / rounds} hits)`,
    );
  }
  console.log(
    `${label}: p50 ${all.p(0.5).toFixed(1)}, p95 ${all.p(0.95).toFixed(1)} ms; ${lines.join(", ")}`,
  );
  return all;
}

for (const token of Object.values(readers)) await measure("warm-up", token, 1);
const anchor = await pgbench(
  bed,
  `\\set n random(100, 999)\nselect message_id from message_search where words @@ translate(:n::text, '0123456789', 'bdfgklmnpr')::tsquery;`,
  1,
  SECONDS,
);
for (const [label, token] of Object.entries(readers)) {
  const used = await withCpu({ service: service.pid, postmaster: bed.postmaster }, () =>
    measure(`${label}, idle`, token),
  );
  const idle = used.result;
  const each = (seconds: number) => `${((seconds / idle.count) * 1_000).toFixed(1)} ms`;
  report([
    {
      scenario: `search, ${label}, one after the other, ${MESSAGES.toLocaleString("en")} messages`,
      ours: 1_000 / idle.p(0.5),
      anchor,
      unit: "searches/s",
      reach: "p95 30 ms at a million, 100 ms at ten million",
      notes: `p95 ${idle.p(0.95).toFixed(1)} ms; CPU a search: service ${each(used.service)}, PostgreSQL ${each(used.postgres)}`,
    },
  ]);
}

const writer = readers["50 large rooms"];

/** Posts to the large rooms, many at once, for some seconds; returns posts a second. */
async function post(forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1_000;
  let count = 0;
  const one = async (n: number) => {
    for (let i = n; performance.now() < until; i += 1) {
      const answer = await fetch(`${service.address}/api/rooms/${rooms[i % 50]}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${writer}`, "content-type": "application/json" },
        body: JSON.stringify({
          content: "the slow part was never the query, it was the connection",
        }),
      });
      await answer.arrayBuffer();
      if (answer.status === 201) count += 1;
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, (_, n) => one(n)));
  return count / forSeconds;
}

const posting = post(SECONDS);
await measure("50 large rooms, while messages are posted", writer, 2);
console.log(`Posted ${(await posting).toFixed(0)} messages a second meanwhile.`);

const lag = new Latencies();
for (let i = 0; i < 40; i += 1) {
  const word = `lag${crypto.randomUUID().replaceAll("-", "")}`;
  await fetch(`${service.address}/api/rooms/${rooms[i % 50]}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${writer}`, "content-type": "application/json" },
    body: JSON.stringify({ content: word }),
  });
  const at = performance.now();
  while ((await ask(writer, word)).items.length === 0) await Bun.sleep(10);
  lag.add(performance.now() - at);
}
console.log(
  `Found after posting: p50 ${lag.p(0.5).toFixed(0)} ms, p99 ${lag.p(0.99).toFixed(0)} ms.`,
);

const rounds = [];
for (let round = 0; round < 4; round += 1) {
  // Another version holds the index: this one has nothing to do.
  await sql`update search_rooms set version = 999`;
  const without = await post(SECONDS / 2);
  await sql`update search_rooms set version = 1`;
  const indexed = await post(SECONDS / 2);
  rounds.push({
    ...{ scenario: "posting while indexing", ours: indexed, anchor: without },
    ...{ unit: "posts/s", reach: "0.95x" },
  });
}
report(rounds);
await bed.clear();
process.exit(0);
