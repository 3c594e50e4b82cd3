import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { runCli } from "../support/command-line.ts";
import { freshDatabase, urlOf } from "../support/database.ts";

let database: Database;
let env: { DATABASE_URL: string; DATA_DIR: string };
beforeAll(async () => {
  const target = await freshDatabase();
  database = connectDatabase(target, 1);
  const DATA_DIR = await mkdtemp(join(tmpdir(), "snug-demo-"));
  env = { DATABASE_URL: urlOf(target), DATA_DIR };
});
afterAll(async () => {
  await database.close();
  await rm(env.DATA_DIR, { recursive: true });
});

test("demo fills an empty service, once", async () => {
  const first = await runCli(["demo", "--json"], env);
  expect([first.status, first.err]).toEqual([0, ""]);
  expect(JSON.parse(first.out).usernames).toContain("ada");
  const [made] = await database.sql`select
    (select count(*) from users where avatar_version is not null) as people,
    (select count(*) from rooms) as rooms,
    (select count(*) from messages where created_at < clock_timestamp() - interval '1 day') as old,
    (select count(*) from message_images) as images,
    (select count(*) from message_reactions) as reactions,
    (select count(*) from message_mentions) as mentions,
    (select count(*) from threads t join messages m on m.seq = t.last_reply_seq
      and m.room_id = t.room_id and m.created_at = t.last_reply_at) as threads,
    (select 1 + count(*) from messages where quote_id is not null) as quotes,
    (select count(*) from memberships b join rooms r on r.id = b.room_id
      where not r.is_archived and b.last_read_seq < r.last_seq) as unread,
    -- Numbers and times of read marks agree, so a room opens at its first unread message.
    (select count(*) from memberships b join messages m on m.room_id = b.room_id
      where m.seq = b.last_read_seq and m.created_at = b.last_read_at) as agreeing,
    -- Links to messages read the time from the id; the activity has what is newer than the membership.
    (select count(*) from messages having bool_and(
      ('x' || lpad(substr(replace(id::text, '-', ''), 1, 12), 16, '0'))::bit(64)::bigint
        = (extract(epoch from created_at) * 1000)::bigint)) as dated,
    (select count(*) from message_mentions t join memberships b using (room_id, user_id)
      join messages m on m.id = t.message_id and b.joined_at < m.created_at) as shown,
    (select count(*) from messages m join messages root on root.id = m.thread_id
      join room_log l on l.message_id = m.id) as replies`;
  for (const count of Object.values(made ?? {})) expect(count).toBeGreaterThan(1);
  const ownUnread = await database.sql`
    select from memberships b join messages m using (room_id)
    where m.author_id = b.user_id and m.seq > b.last_read_seq`;
  expect(ownUnread.length).toBe(0);
  const second = await runCli(["demo"], env);
  expect([second.status, second.out]).toEqual([1, ""]);
  expect(second.err).toContain("This Snug already has accounts.");
  const [still] = await database.sql`select count(*) as people from users`;
  expect(still?.people).toBe(made?.people);
});
