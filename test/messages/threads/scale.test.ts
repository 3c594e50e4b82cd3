import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";
import type { SqlClient } from "../../../src/database/connect.ts";
import { parseMessage } from "../../../src/messages/new-message.ts";
import { selectBeside } from "../../../src/messages/history.ts";
import { readFollowedThreads } from "../../../src/messages/threads.ts";
import { runInsert } from "../../../src/messages/insert.ts";
import type { Service } from "../../../src/service.ts";
import type { Client } from "../../support/client.ts";
import { reply, threadOf } from "../../support/threads.ts";
import { World } from "../../support/world.ts";

let world: World;
let second: Service;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  second = await world.secondInstance();
  ada = await world.person("ada");
  bob = await world.person("bob");
});
afterAll(() => world.stop());

type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  Plans?: PlanNode[];
};
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How the database runs what a function asks for; or would, where running it twice fails. */
async function planOf(
  run: (sql: SqlClient) => Promise<unknown>,
  isRun = true,
): Promise<PlanNode[]> {
  let asked: { query: string; params: unknown[] } | null = null;
  const watched = postgres({
    ...(world.target as object),
    max: 1,
    debug: (_, query, params) => {
      asked = { query, params };
    },
  });
  await run(watched as unknown as SqlClient);
  const { query, params } = asked as unknown as { query: string; params: never[] };
  const [row] = await watched.unsafe(`explain (analyze ${isRun}, format json) ${query}`, params);
  await watched.end();
  return nodesOf(row?.["QUERY PLAN"][0].Plan);
}

test("a page of a thread of 10,000 replies reads its own rows alone, by the index", async () => {
  const { sql } = world.database;
  const roomId = await world.room("long", ada, [bob]);
  const root = await ada.say(roomId, "root");
  const first = await reply(bob, root, "the first");
  await sql`insert into messages (id, room_id, seq, author_id, content, thread_id, has_embeds)
    select gen_random_uuid(), ${roomId}, ${first.seq}::bigint + n, ${bob.user.id}, 'text ' || n,
      case when n % 3 > 0 then ${root.id}::uuid end, n % 3 > 0
    from generate_series(1, 15000) as s(n)`;
  await sql`update threads set reply_count = 10001, last_reply_seq = ${first.seq}::bigint + 15000
    where message_id = ${root.id}`;
  await sql`update rooms set last_seq = ${first.seq}::bigint + 15000 where id = ${roomId}`;
  await sql`analyze messages`;
  const newest = await threadOf(bob, root);
  expect(newest.items).toHaveLength(50);
  expect(newest.root.thread?.reply_count).toBe(10_001);
  const middle = newest.items[0]?.id as string;
  const key = { roomId, viewerId: bob.user.id, threadId: root.id, limit: 51 };
  const pages = [
    (client: SqlClient) => selectBeside(client, { ...key, anchor: { seq: 1e12 }, side: "before" }),
    (client: SqlClient) => selectBeside(client, { ...key, anchor: { id: middle }, side: "before" }),
    (client: SqlClient) =>
      selectBeside(client, { ...key, anchor: { id: first.id }, side: "after" }),
  ];
  for (const page of pages) {
    const nodes = await planOf(page);
    const ofMessages = nodes.filter((node) => node["Relation Name"] === "messages");
    expect(nodes.map((node) => node["Index Name"])).toContain("messages_thread");
    for (const node of ofMessages) {
      expect(node["Node Type"]).toStartWith("Index");
      expect(node["Actual Rows"]).toBeLessThanOrEqual(51);
    }
  }
  // From one end to the other, as a room scrolls.
  const seen = new Set(newest.items.map(({ id }) => id));
  let before = middle;
  for (let page = 0; page < 5; page++) {
    const { items } = await threadOf(bob, root, `?limit=200&before=${before}`);
    for (const { id } of items) seen.add(id);
    before = items[0]?.id as string;
  }
  expect(seen.size).toBe(1_050);
  // What is unread is counted up to a hundred, and read up to a bound.
  await ada.post(`/api/messages/${root.id}/thread/unread`, { message_id: first.id });
  const list = { roomId: null, isUnread: true, limit: 51 };
  const place = { at: new Date("9999-01-01"), id: root.id };
  const nodes = await planOf((client) =>
    readFollowedThreads(client, ada.user.id, { ...list, before: place }),
  );
  for (const node of nodes) expect(node["Actual Rows"]).toBeLessThanOrEqual(1_000);
});

test("a message in a room of 10,000 writes three rows, a reply at most five", async () => {
  const { sql } = world.database;
  const roomId = await world.room("large", ada, [bob]);
  await sql`with people as (
      insert into users (id, username, email)
      select gen_random_uuid(), 'many-' || n, 'many-' || n || '@example.org'
      from generate_series(1, 9998) as s(n) returning id
    )
    insert into memberships (room_id, user_id, role) select ${roomId}, id, 'member' from people`;
  const root = await ada.say(roomId, "root");
  await reply(bob, root, "the first");
  const [session] = await sql`select id from sessions where user_id = ${bob.user.id}`;
  const author = { id: bob.user.id, sessionId: session?.id, token: null };
  const rowsOf = async (body: object) => {
    const message = parseMessage(author, roomId, { content: "text", ...body }, null);
    return sql.begin(async (tx) => {
      const client = tx as unknown as SqlClient;
      // What a connection has not reported yet of earlier transactions is counted too.
      const written = async () => {
        const [row] =
          await tx`select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as count
          from pg_stat_xact_user_tables`;
        return row?.count;
      };
      const before = await written();
      const [row] = await runInsert(client, Bun.randomUUIDv7(), [message]);
      expect(row?.refused).toBe(null);
      return (await written()) - before;
    });
  };
  expect(await rowsOf({})).toBe(3);
  expect(await rowsOf({ thread_id: root.id })).toBe(5);
  expect(await rowsOf({ quote_id: root.id })).toBe(3);
});

test("what a reply or a quote names is found by its id, in however small a room", async () => {
  const { sql } = world.database;
  const roomId = await world.room("small", ada, [bob]);
  const root = await ada.say(roomId, "root");
  await reply(bob, root, "the first");
  await sql`analyze`;
  const [session] = await sql`select id from sessions where user_id = ${bob.user.id}`;
  const author = { id: bob.user.id, sessionId: session?.id, token: null };
  for (const body of [{ thread_id: root.id }, { quote_id: root.id }]) {
    const nodes = await planOf((client) => {
      const message = parseMessage(author, roomId, { content: "text", ...body }, null);
      return runInsert(client, Bun.randomUUIDv7(), [message]);
    }, false);
    const indexes = nodes.flatMap((node) => node["Index Name"] ?? []);
    expect(indexes).toContain("messages_pkey");
    expect(indexes).not.toContain("messages_room_seq");
    expect(indexes).not.toContain("messages_room_writer");
    const scans = nodes.filter((node) => node["Node Type"] === "Seq Scan");
    const scanned = scans.map((node) => node["Relation Name"]);
    expect(scanned).not.toContain("messages");
  }
});

describe("two instances", () => {
  let elsewhere: Client;
  let roomId: string;
  let rooms = 0;
  const prepare = async () => {
    elsewhere = await world.signIn(bob.user, second);
    roomId = await world.room(`shared-${rooms++}`, ada, [bob]);
  };

  test("count every reply once, and both hear the same thread", async () => {
    await prepare();
    const root = await ada.say(roomId, "root");
    const sockets = [await ada.socket(), await elsewhere.socket()];
    for (const socket of sockets) await socket.join(roomId);
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => reply(n % 2 ? ada : elsewhere, root, `${n}`)),
    );
    const last = Math.max(...replies.map(({ seq }) => seq));
    for (const socket of sockets) {
      const event = await socket.next((event) => event.type === "message" && event.seq === last);
      expect(event.root_thread).toMatchObject({ reply_count: 40, last_reply_seq: last });
      socket.close();
    }
    const { root: shown, items } = await threadOf(elsewhere, root);
    expect(items).toHaveLength(40);
    expect(shown.thread).toMatchObject({ reply_count: 40, last_reply_seq: last });
  });

  test("agree on a root that is deleted while someone replies", async () => {
    await prepare();
    const { sql } = world.database;
    const outcomes = new Set<string>();
    for (let n = 0; n < 12; n++) {
      const root = await ada.say(roomId, `root ${n}`);
      // Replies to the root, with another message before it, so that either may come first.
      const body = { content: "reply", thread_id: root.id };
      const [removed, answer] = await Promise.all([
        ada.delete(`/api/messages/${root.id}`),
        elsewhere.post(`/api/rooms/${roomId}/messages`, body),
      ]);
      expect(removed.status).toBe(204);
      const response = await ada.get(`/api/messages/${root.id}`);
      outcomes.add(`${answer.status} ${response.status}`);
      if (answer.status === 201) {
        expect(response.body).toMatchObject({ content: null, thread: { reply_count: 1 } });
      }
    }
    for (const outcome of outcomes) expect(["201 200", "422 404"]).toContain(outcome);
    const [wrong] = await sql`select count(*)::int as count from threads t where reply_count <>
      (select count(*) from messages where thread_id = t.message_id and room_id = ${roomId})
      and room_id = ${roomId}`;
    expect(wrong?.count).toBe(0);
    const [orphans] = await sql`select count(*)::int as count from messages m
      where room_id = ${roomId} and thread_id is not null
        and not exists (select from threads where message_id = m.thread_id)`;
    expect(orphans?.count).toBe(0);
  });
});
