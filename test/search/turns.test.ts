import { afterAll, beforeAll, expect, test } from "bun:test";
import { findMatches, makeIndex } from "../../src/activity/keywords.ts";
import type { Client } from "../support/client.ts";
import { indexEverything } from "../support/search.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let room: string;

/** Texts that take long to cut: thousands of marks on a letter, and of words with a mark each. */
const MARKS = `e${"\u0345\u0f73".repeat(3_900)}`;
const WORDS = "a\u0301 b\u0301 ".repeat(1_300);
/** So many that what else a busy machine does is a small share of the time. */
const MESSAGES = 200;

beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  room = await world.room("general", ada);
  for (let i = 0; i < MESSAGES; i += 1) {
    const content = `marked beta ${i % 2 ? MARKS : WORDS}`;
    expect(await ada.post(`/api/rooms/${room}/messages`, { content })).toMatchObject({
      status: 201,
    });
  }
});
afterAll(() => world.stop());

/** The longest time in which others have no turn while something is done, as a share of all of it. */
async function findLongestShare(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let last = started;
  let longest = 0;
  let isDone = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setTimeout(look);
  };
  setTimeout(look);
  await work();
  isDone = true;
  look();
  return longest / (last - started);
}

test("others have their turn while costly texts are indexed", async () => {
  expect(await findLongestShare(() => indexEverything(world.database))).toBeLessThan(0.4);
});

test("others have their turn while costly texts are searched, which costs the searcher", async () => {
  const find = () => ada.get('/api/search/messages?q="marked beta"&limit=50');
  const share = await findLongestShare(async () => {
    const { status, body } = await find();
    expect(status).toBe(200);
    expect(body.items[0].matches).toEqual([[0, "marked beta".length]]);
  });
  expect(share).toBeLessThan(0.4);
  const answers = [];
  for (let i = 0; i < 20 && answers.at(-1)?.status !== 429; i += 1) answers.push(await find());
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
});

test("a keyword is found in a costly text", () => {
  const index = makeIndex([{ id: "someone", keywords: ["beta"] }]);
  const matches = findMatches(index, { id: "message", content: `beta ${MARKS}` });
  expect(matches).toEqual([{ messageId: "message", userId: "someone" }]);
});
