import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { indexEverything } from "../support/search.ts";
import { repeats, seeded } from "../support/soak.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(3_600_000);
const QUERIES = repeats(150, 100_000);
const AT_ONCE = 2;
const MESSAGES = repeats(40, 2_000);
/** A machine that runs the whole suite may be slow by itself. */
const MOST_MS = repeats(5_000, 1_000);
const SAY_EACH = 10_000;

let world: World;
let finder: Client;
beforeAll(async () => {
  world = await World.start();
  const ada = await world.person("ada");
  finder = await world.bot("finder", ["read:messages", "write:messages"]);
  const room = await world.room("general", ada, [finder]);
  for (let i = 0; i < MESSAGES; i += 1) {
    const content = makeText(30).replaceAll("\0", "").trim();
    if (content !== "") await finder.post(`/api/rooms/${room}/messages`, { content });
  }
  await indexEverything(world.database);
});
afterAll(() => world.stop());

const SEED = Date.now() % 2 ** 31;
const draw = seeded(SEED);
const random = (below: number) => Math.floor(draw() * below);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const PIECES = [
  ..."'\"\\:*&|!<>()-_@#%$;,.?/[]{}~`^+= \t\n0aZé上海가ไ👍\u0301\u200b\u00ad\ufe0fßİﷺΣ".split(""),
  ...["from:", "in:", "has:", "is:", "before:", "after:", "on:", "during:", "mentions:", "-"],
  ...["me", "ada", "general", "here", "file", "image", "reaction", "pin", "saved", "bot"],
  ...["2026-03-01", "2026-13", "9999", "0000", "deploy", "getUserName_v2", "10.0.0.1", "C:\\"],
  ...[
    "':*",
    "' & '",
    "!!",
    "<->",
    "<2>",
    "a:A",
    "\\'",
    "'' | ''",
    "%d1",
    "#1",
    "!image",
    "👩‍👩‍👧",
    "1️⃣",
  ],
  ..."“”„‘’—…。、".split(""),
];

function makeText(most: number): string {
  return Array.from({ length: 1 + random(most) }, () => pick(PIECES)).join("");
}

const EXTRAS: Record<string, string>[] = [
  {},
  {},
  { sort: "oldest" },
  { limit: "50" },
  { has: "link" },
  { after: "2026-01-01T00:00:00Z" },
];

test(`${QUERIES} random queries: none is a 5xx, and none takes long`, async () => {
  let slowest = { ms: 0, q: "" };
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const began = performance.now();
  let left = QUERIES;
  const ask = async () => {
    while (left > 0) {
      left -= 1;
      const q = random(20) === 0 ? pick(PIECES).repeat(200).slice(0, 200) : makeText(12);
      const started = performance.now();
      const path = `/api/search/messages?${new URLSearchParams({ q, ...pick(EXTRAS) })}`;
      const { status, body } = await finder.get(path);
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { ms, q };
      times.push(ms);
      if (times.length % SAY_EACH === 0) {
        const seconds = ((performance.now() - began) / 1_000).toFixed(0);
        console.log(
          `${times.length} queries after ${seconds} s, the slowest ${slowest.ms.toFixed(0)} ms`,
        );
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500)
        throw new Error(`${status} for ${JSON.stringify(q)}, seed ${SEED}: ${body.code}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  if (QUERIES > 1_000) {
    const at = (share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(0);
    const over = times.filter((ms) => ms > MOST_MS).length;
    console.log(
      `p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)} ms; ${over} over ${MOST_MS} ms.`,
    );
    console.log(`Statuses: ${JSON.stringify([...statuses])}. Seed ${SEED}.`);
    console.log(`The slowest took ${slowest.ms.toFixed(0)} ms: ${slowest.q}`);
  }
  expect(slowest.ms).toBeLessThan(MOST_MS);
  expect([...statuses.keys()].every((status) => status === 200 || status === 422)).toBe(true);
  expect(statuses.get(200)).toBeGreaterThan(QUERIES / 4);
});
