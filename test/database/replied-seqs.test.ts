import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { reply, threadOf } from "../support/threads.ts";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test("own replies that threads held move to the rows of those who follow, never back", async () => {
  const { sql } = world.database;
  const [ada, bob] = [await world.person("ada"), await world.person("bob")];
  const room = await world.room("attic", ada, [bob]);
  const root = await ada.say(room, "root");
  const { seq: ofBob } = await reply(bob, root, "1");
  const { seq: ofAda } = await reply(ada, root, "2");
  await sql`alter table threads add column replied_seqs jsonb not null default '{}'`;
  // Bob's row is behind, and Ada's has seen a later reply than the thread holds.
  await sql`update thread_follows set read_seq = 1, replied_seq = 0 where user_id = ${bob.user.id}`;
  await sql`update threads set replied_seqs =
    jsonb_build_object(${bob.user.id}::text, ${ofBob}::int, ${ada.user.id}::text, 1)`;
  const file = join(import.meta.dir, "../../drizzle/0038_fold_replied_seqs.sql");
  await sql.unsafe(await Bun.file(file).text());
  const marks = [await threadOf(bob, root), await threadOf(ada, root)].map(({ follow }) => follow);
  expect(marks).toEqual([
    { is_following: true, read_seq: ofBob, replied_seq: ofBob },
    { is_following: true, read_seq: ofAda, replied_seq: ofAda },
  ]);
});
