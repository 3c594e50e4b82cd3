import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Bench } from "./support.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
beforeEach(async () => {
  bench.store.isAway = false;
  await bench.sql`delete from messages`;
  await bench.sql`delete from link_previews`;
  bench.store.kept.clear();
});
afterAll(() => bench.close());

/** A preview that has expired, with its message or without. */
async function old(path: string, colour: string, isNamed: boolean): Promise<string> {
  const url = await bench.page(path, path, colour);
  const id = await bench.post(url);
  await bench.expire(url);
  if (!isNamed) await bench.sql`delete from messages where id = ${id}`;
  return url;
}
const kept = async () => {
  const rows = await bench.sql<{ url: string }[]>`select url from link_previews order by url`;
  return rows.map(({ url }) => new URL(url).pathname);
};

test("what has expired and no message names goes, with its picture", async () => {
  await old("/old", "red", false);
  await bench.prune();
  expect([await kept(), bench.store.kept.size]).toEqual([[], 0]);
});

test("what a message names stays, however old, and so does what has not expired", async () => {
  await old("/named", "red", true);
  const fresh = await bench.post(await bench.page("/fresh", "fresh", "blue"));
  await bench.sql`delete from messages where id = ${fresh}`;
  await bench.prune();
  expect([await kept(), bench.store.kept.size]).toEqual([["/fresh", "/named"], 2]);
});

test("a picture that another preview shows stays", async () => {
  const url = await old("/one", "red", false);
  const picture = (await bench.row(url))?.picture;
  await old("/two", "red", true);
  expect(bench.store.kept.size).toBe(1);
  await bench.prune();
  expect([await kept(), [...bench.store.kept.keys()]]).toEqual([["/two"], [picture as string]]);
});

test("a picture that two previews showed goes with both of them", async () => {
  await old("/one", "red", false);
  await old("/two", "red", false);
  await bench.prune();
  expect([await kept(), bench.store.kept.size]).toEqual([[], 0]);
});

test("a picture that was replaced goes at once, unless another preview shows it", async () => {
  const url = await old("/changed", "red", true);
  await bench.page("/changed", "x", "blue");
  await bench.post(url);
  expect([...bench.store.kept.keys()]).toEqual([(await bench.row(url))?.picture as string]);
  await old("/other", "blue", true);
  await bench.expire(url);
  await bench.page("/changed", "x", "green");
  await bench.post(url);
  expect(bench.store.kept.size).toBe(2);
});

test("with the storage away nothing is forgotten", async () => {
  await old("/old", "red", false);
  bench.store.isAway = true;
  await expect(bench.prune()).rejects.toThrow("the storage is away");
  expect(await kept()).toEqual(["/old"]);
});

test("goes on past what it looks at at once", async () => {
  await bench.sql`insert into link_previews (url_hash, url, expires_at)
    select sha256(n::text::bytea), 'http://site.example/' || n,
      clock_timestamp() + case when n > 450 then 1 else -1 end * interval '1 day'
    from generate_series(1, 451) as n`;
  await bench.prune();
  expect(await kept()).toEqual(["/451"]);
});
