/**
 * What messages take on disk: posts them over HTTP as bots do, waits until they can be searched, and prints the size of
 * each part for a million of them. Texts have 1 to 40 words of a vocabulary of 20,000; one in five has a reaction.
 *
 * Usage: bun bench/disk.ts [messages]
 */
import { readSearchLag } from "../src/search/status.ts";
import { Bed, type Person } from "./support/bed.ts";

const MESSAGES = Number(process.argv[2] ?? 100_000);
const ROOMS = 50;
const AT_ONCE = 64;
const LETTERS = "aeioubdfgklmnprst";

const bed = await Bed.make();
const { sql } = bed.database;
const bots = await bed.bots(AT_ONCE);
const rooms = await bed.rooms(Array.from({ length: ROOMS }, () => bots));
const { address } = await bed.start();
const random = (limit: number) => Math.floor(Math.random() * limit);
const words = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + random(8) }, () => LETTERS[random(LETTERS.length)]).join(""),
);

async function call(bot: Person, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(address + path, {
    method,
    headers: { authorization: bot.authorization ?? "", "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

let left = MESSAGES;
let characters = 0;
async function write(bot: Person): Promise<void> {
  while (left-- > 0) {
    // The square of a random number is near 0 more often than near 1: some words are common.
    const text = Array.from({ length: 1 + random(40) }, () => {
      return words[Math.floor(Math.random() ** 2 * words.length)];
    });
    const content = text.join(" ");
    characters += content.length;
    const id = await call(bot, "POST", `/api/rooms/${rooms[random(ROOMS)]}/messages`, {
      content,
      client_id: crypto.randomUUID(),
    });
    if (random(5) === 0) await call(bot, "POST", `/api/messages/${id}/reactions`, { emoji: "👍" });
  }
}
await Promise.all(bots.map(write));
while ((await readSearchLag(sql)) > 0) await Bun.sleep(200);
await sql`vacuum analyze`;

const parts = await sql<{ name: string; bytes: number }[]>`
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`;
const [{ wal }] = await sql<[{ wal: number }]>`
  select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`;
const each = (bytes: number) => `${(bytes / MESSAGES).toFixed(0)} bytes each`;
const million = (bytes: number) => `${(bytes / MESSAGES / 1_000).toFixed(2)} GB a million`;
console.log(`${MESSAGES} messages of ${(characters / MESSAGES).toFixed(0)} characters on average:`);
for (const { name, bytes } of parts.filter((part) => part.bytes > 20 * MESSAGES)) {
  console.log(`${name.padEnd(22)}${each(bytes).padStart(16)}${million(bytes).padStart(20)}`);
}
const all = parts.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`${"all tables".padEnd(22)}${each(all).padStart(16)}${million(all).padStart(20)}`);
console.log(
  `${"WAL since the start".padEnd(22)}${each(wal).padStart(16)}${million(wal).padStart(20)}`,
);
await bed.clear();
process.exit(0);
