import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type Client, expectProblem } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let grace: Client;
let finder: Client;
let general: string;
let random: string;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  grace = await world.person("grace");
  finder = await world.bot("finder", ["read:messages", "write:messages"]);
  general = await world.room("general", ada, [grace, finder]);
  random = await world.room("random", ada, [grace, finder]);
});
afterAll(() => world.stop());

const problem = (client: Client, query: Record<string, string>) =>
  client.get(`/api/search/messages?${new URLSearchParams(query)}`);

describe("filters", () => {
  beforeAll(async () => {
    await ada.say(general, "filter one");
    await grace.say(random, "filter two");
    await grace.say(general, "filter three for @ada");
    const upload = await grace.upload(
      `/api/rooms/${general}/files`,
      new Uint8Array([1]),
      "Täglicher_Bericht.pdf",
    );
    await grace.say(general, "filter file", { file_id: upload.body.id });
    const image = await grace.upload(`/api/rooms/${random}/images`, PNG);
    await grace.say(random, "filter image", { image_id: image.body.id });
    await ada.say(general, "filter link https://example.org/x");
    await ada.say(general, "filter `code`");
    await ada.say(general, "filter\n```\nblock\n```");
    await finder.say(general, "filter bot");
    const reacted = await ada.say(random, "filter reacted");
    await grace.post(`/api/messages/${reacted.id}/reactions`, { emoji: "🎉" });
    await indexEverything(world.database);
  });

  test.each([
    ["filter from:grace in:general", ["filter file", "filter three for @ada"]],
    ["filter from:@grace in:#random", ["filter image", "filter two"]],
    ["filter from:GRACE -in:general", ["filter image", "filter two"]],
    ["filter from:me", ["filter bot"]],
    ["filter in:random -from:grace", ["filter reacted"]],
    ["two from:grace from:ada", ["filter two"]],
    ["filter has:file", ["filter file"]],
    ["bericht", ["filter file"]],
    ["taglicher bericht pdf filter", ["filter file"]],
    ['"bericht.pdf"', []],
    ['"Täglicher_Bericht.pdf"', ["filter file"]],
    ["has:image", ["filter image"]],
    ["has:attachment", ["filter image", "filter file"]],
    ["filter in:random from:grace -has:attachment", ["filter two"]],
    ["has:link", ["filter link https://example.org/x"]],
    ["has:code", ["filter\n```\nblock\n```", "filter `code`"]],
    ["has:code -block", ["filter `code`"]],
    ["has:reaction", ["filter reacted"]],
    ["in:random -has:reaction -has:image", ["filter two"]],
    ["mentions:ada", ["filter three for @ada"]],
    ["mentions:me", []],
    ["is:bot", ["filter bot"]],
    ["filter -is:bot -has:code -has:link in:general from:ada", ["filter one"]],
    // Of features that do not exist yet no message has anything.
    ["filter has:voice", []],
    ["filter one -is:reply -has:pin -has:voice", ["filter one"]],
    ["from:ada has:file", []],
  ])("%s", async (q, texts) => {
    expect(await findTexts(finder, q)).toEqual(texts);
  });

  test("what is pinned, and what the searcher alone has saved", async () => {
    const [pinned, saved] = [
      await ada.say(general, "kept up here"),
      await ada.say(general, "kept for later"),
    ];
    await ada.put(`/api/messages/${pinned.id}/pin`, {});
    await ada.put(`/api/saved/${saved.id}`, {});
    await indexEverything(world.database);
    expect(await findTexts(ada, "kept has:pin")).toEqual(["kept up here"]);
    expect(await findTexts(finder, "kept -has:pin")).toEqual(["kept for later"]);
    expect(await findTexts(ada, "is:saved")).toEqual(["kept for later"]);
    expect(await findTexts(ada, "kept -is:saved")).toEqual(["kept up here"]);
    expect(await findTexts(finder, "is:saved")).toEqual([]);
    await ada.post(`/api/saved/${saved.id}/done`);
    await ada.delete(`/api/messages/${pinned.id}/pin`);
    for (const q of ["is:saved", "kept has:pin"]) expect(await findTexts(ada, q)).toEqual([]);
  });

  test("parameters and the query must match together; a repeated `has` means all", async () => {
    const author_id = grace.user.id;
    expect(await findTexts(finder, "filter", { author_id, room_id: random })).toEqual([
      "filter image",
      "filter two",
    ]);
    expect(await findTexts(finder, "from:ada", { author_id })).toEqual([]);
    expect(await findTexts(finder, "in:here two", { room_id: random })).toEqual(["filter two"]);
    expect(await findTexts(finder, "in:general", { room_id: random })).toEqual([]);
    expect(await findTexts(finder, "", { has: ["file"] })).toEqual(["filter file"]);
    expect(await findTexts(finder, "", { has: ["file", "image"] })).toEqual([]);
    expect(await findTexts(finder, "", { author_id: Bun.randomUUIDv7() })).toEqual([]);
  });

  test("the oldest first, and pages without gaps in both orders", async () => {
    for (const sort of ["newest", "oldest"]) {
      const whole = await search(finder, { q: "filter", sort, limit: "50" });
      expect(whole).toMatchObject({ next: null, searched_until: null, is_complete: true });
      const ids = whole.items.map(({ message }) => message.id);
      expect(ids).toEqual(ids.toSorted((a, b) => (a < b === (sort === "oldest") ? -1 : 1)));
      const paged: string[] = [];
      let page = await search(finder, { q: "filter", sort, limit: "3" });
      for (;;) {
        paged.push(...page.items.map(({ message }) => message.id));
        if (page.next === null) break;
        expect(page.searched_until).toBe(page.items.at(-1)?.message.created_at ?? "");
        page = await search(finder, { q: "filter", sort, limit: "3", cursor: page.next });
      }
      expect(paged).toEqual(ids);
    }
  });

  test("a result has its room and the message as everywhere", async () => {
    const [item] = (await search(finder, { q: "bericht" })).items;
    expect(item?.room).toEqual({ id: general, kind: "room", name: "general" });
    expect(item?.matches).toEqual([]);
    const message = await finder.get(`/api/messages/${item?.message.id}`);
    expect(item?.message).toEqual(message.body);
  });

  test("names of nothing that the viewer can see are unknown and match nothing", async () => {
    const { items, unknown } = await search(finder, { q: "filter from:nobody" });
    expect({ items, unknown }).toEqual({ items: [], unknown: ["from:nobody"] });
    const two = await search(finder, { q: "filter -in:nowhere mentions:nobody in:@ada" });
    expect(two).toMatchObject({
      items: [],
      unknown: ["in:nowhere", "mentions:nobody", "in:@ada"],
    });
    const results = await search(finder, { q: "two in:nowhere in:random" });
    expect(results).toMatchObject({ items: [{}], unknown: ["in:nowhere"] });
  });
});

describe("dates", () => {
  /** The ends of a day of UTC, and the moments next to it. */
  const TIMES = {
    before: "2026-03-07T23:59:59.999Z",
    first: "2026-03-08T00:00:00.000Z",
    last: "2026-03-08T23:59:59.999Z",
    after: "2026-03-09T00:00:00.000Z",
  };

  beforeAll(async () => {
    const { sql } = world.database;
    for (const [name, time] of Object.entries(TIMES)) {
      const { id } = await ada.say(general, `day ${name}`);
      const earlier = Bun.randomUUIDv7("hex", Date.parse(time));
      await sql`update messages set id = ${earlier}, created_at = ${time} where id = ${id}`;
    }
    // The index has them under their first ids.
    await indexEverything(world.database);
    await sql`update search_rooms set back_seq = after_seq + 1`;
    await indexEverything(world.database, true);
  });

  test.each([
    ["day on:2026-03-08", ["last", "first"]],
    ["day before:2026-03-08", ["before"]],
    ["day after:2026-03-08", ["after"]],
    ["day after:2026-03-07 before:2026-03-09", ["last", "first"]],
    ["day during:2026-03", ["after", "last", "first", "before"]],
    ["day during:2026", ["after", "last", "first", "before"]],
    ["day during:2026-02", []],
    ["on:2026-3-8", ["last", "first"]],
    ["before:2026-03-08", ["before"]],
  ])("%s", async (q, names) => {
    expect(await findTexts(finder, q)).toEqual(names.map((name) => `day ${name}`));
  });

  test("a client of another time zone sends the instants of its own day", async () => {
    // The 8th of March in Los Angeles, the day on which its clocks go forward.
    const after = "2026-03-08T08:00:00Z";
    const before = "2026-03-09T07:00:00Z";
    expect(await findTexts(finder, "day", { after, before })).toEqual(["day after", "day last"]);
    const inclusive = { after: TIMES.first, before: TIMES.last };
    expect(await findTexts(finder, "day", inclusive)).toEqual(["day first"]);
    expect(await findTexts(finder, "", { ...inclusive, sort: "oldest" })).toEqual(["day first"]);
  });
});

describe("refused", () => {
  test.each([
    ["", "empty_query"],
    ["   ", "empty_query"],
    ["???", "empty_query"],
    ['""', "empty_query"],
    ["-a", "query_too_wide"],
    ['-"a b" -from:ada', "query_too_wide"],
    ["x".repeat(201), "query_too_long"],
    ["a b c d e f g h i from:j -k in:l has:file", "too_many_parts"],
    ["has:nonsense", "validation"],
    ["is:odd", "validation"],
    ["before:2026-02-30", "validation"],
    ["on:tomorrow", "validation"],
    ["a in:here", "validation"],
  ] as const)("%s is %s", async (q, code) => {
    expectProblem(await problem(finder, { q }), 422, code);
  });

  test("200 code points and 12 parts are searched for", async () => {
    expect(await findTexts(finder, "🎉".repeat(200))).toEqual([]);
    expect(await findTexts(finder, "a b c d e f g h i from:ada -k in:general")).toEqual([]);
  });

  test.each([
    [{ has: "nonsense" }, "/has/0"],
    [{ limit: "51" }, "/limit"],
    [{ limit: "0" }, "/limit"],
    [{ sort: "best" }, "/sort"],
    [{ before: "2026-03-01" }, "/before"],
    [{ cursor: "x" }, "/cursor"],
    [{ room_id: "x" }, "/room_id"],
  ])("%j", async (query, path) => {
    const answer = await problem(finder, { q: "a", ...query } as Record<string, string>);
    expectProblem(answer, 422, "validation");
    expect(answer.body.errors[0].path).toBe(path);
  });

  test("a search without a parameter is empty", async () => {
    expectProblem(await finder.get("/api/search/messages"), 422, "empty_query");
  });

  test("people search 20 times at once, bots as often as they like", async () => {
    const many = (client: Client) =>
      Promise.all(Array.from({ length: 24 }, () => problem(client, { q: "xyzzy" })));
    const answers = await many(grace);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    // What waits for its turn for a second is refused as well, but not for being one of many.
    const isTaken = ({ status, body }: Answer) => status === 200 || body.code === "search_busy";
    expect(answers.filter(isTaken).length).toBeGreaterThanOrEqual(20);
    expectProblem(refused[0] as never, 429, "rate_limited");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await many(finder)).every(isTaken)).toBe(true);
  });
});
