import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sweepBlobs } from "../../src/uploads/remove.ts";
import { Bench } from "./support.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
beforeEach(async () => {
  await bench.sql`delete from messages`;
  await bench.sql`delete from link_previews`;
});
afterAll(() => bench.close());

/** A preview that has expired, with its message or without. @returns the key of its picture */
async function old(path: string, colour: string, isNamed: boolean): Promise<string> {
  const url = await bench.page(path, path, colour);
  const id = await bench.post(url);
  await bench.expire(url);
  if (!isNamed) await bench.sql`delete from messages where id = ${id}`;
  return (await bench.row(url))?.picture ?? "";
}
const listKept = async () => {
  const rows = await bench.sql<{ url: string }[]>`select url from link_previews order by url`;
  return rows.map(({ url }) => new URL(url).pathname);
};
/** Prunes, and removes the bytes that nothing names, as if nobody had come with them lately. */
async function prune() {
  await bench.prune();
  await bench.sql`update blobs set touched_at = touched_at - interval '2 hours'`;
  await sweepBlobs(bench.queue.database.db, bench.storage, new AbortController().signal);
}

test("what has expired and no message names goes, with its picture", async () => {
  const picture = await old("/old", "red", false);
  await prune();
  expect([await listKept(), await bench.storage.exists(picture)]).toEqual([[], false]);
});

test("what a message names stays, however old, and so does what has not expired", async () => {
  const picture = await old("/named", "red", true);
  const fresh = await bench.post(await bench.page("/fresh", "fresh"));
  await bench.sql`delete from messages where id = ${fresh}`;
  await prune();
  expect([await listKept(), await bench.storage.exists(picture)]).toEqual([
    ["/fresh", "/named"],
    true,
  ]);
});

test("a picture that another preview shows stays", async () => {
  const picture = await old("/one", "red", false);
  expect(await old("/two", "red", true)).toBe(picture);
  await prune();
  expect([await listKept(), await bench.storage.exists(picture)]).toEqual([["/two"], true]);
});

test("what is being found out stays", async () => {
  await old("/claimed", "red", false);
  await bench.sql`update link_previews set claimed_until = clock_timestamp() + interval '1 minute'`;
  await prune();
  expect(await listKept()).toEqual(["/claimed"]);
});

test("goes on past what it looks at at once", async () => {
  await bench.sql`insert into link_previews (url_hash, url, expires_at)
    select sha256(n::text::bytea), 'http://site.example/' || n,
      clock_timestamp() + case when n > 2500 then 1 else -1 end * interval '1 day'
    from generate_series(1, 2501) as n`;
  await prune();
  expect(await listKept()).toEqual(["/2501"]);
});
