import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { connectDatabase, type Database, type SqlClient } from "../../../src/database/connect.ts";
import { parseMessage } from "../../../src/messages/new-message.ts";
import { readEmbedsById, toPublicMessage } from "../../../src/messages/read.ts";
import { insertMessages } from "../../../src/messages/insert.ts";
import type { Message } from "../../../src/wire/models.ts";
import type { Client } from "../../support/client.ts";
import { reply } from "../../support/threads.ts";
import { World } from "../../support/world.ts";
import { eventually } from "../../support/wait.ts";

/** What happens to a root after the statement of a reply has begun, and before it locks the room. */

const LOCK = 7_411;

let world: World;
let writer: Database;
let ada: Client;
let bob: Client;
/** Replies for the first time. */
let cara: Client;
let roomId: string;
let root: Message;
beforeAll(async () => {
  world = await World.start();
  writer = connectDatabase(world.target, 1);
  [ada, bob, cara] = (await Promise.all(
    ["ada", "bob", "cara"].map((name) => world.person(name)),
  )) as [Client, Client, Client];
  roomId = await world.room("attic", ada, [bob, cara]);
});
beforeEach(async () => {
  root = await ada.say(roomId, "before");
  await reply(bob, root, "the first");
});
afterAll(async () => {
  await writer.close();
  await world.stop();
});

/** The client, whose statement that writes waits between its snapshot and the lock of the room. */
function waiting(sql: SqlClient): SqlClient {
  const unsafe = (text: string, ...more: []) =>
    sql.unsafe(
      text
        .replace("with input as", `with pause as (select pg_advisory_xact_lock(${LOCK})), input as`)
        .replace("where id = any($2", "where (select count(*) from pause) = 1 and id = any($2"),
      ...more,
    );
  return Object.assign(((...args: [never]) => sql(...args)) as unknown as SqlClient, { unsafe });
}

/** Replies while something is done to the root. */
async function replyDuring(work: () => Promise<{ status: number }>) {
  const { sql } = world.database;
  const [session] = await sql`select id from sessions where user_id = ${cara.user.id}`;
  const author = { id: cara.user.id, sessionId: session?.id, token: null };
  const message = parseMessage(author, roomId, { content: "late", thread_id: root.id }, null);
  return sql
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${LOCK}::int)`;
      const written = insertMessages(waiting(writer.sql), Bun.randomUUIDv7(), [message], false);
      const isWaiting = async () =>
        (
          await sql`select from pg_locks where locktype = 'advisory' and objid = ${LOCK}::int
          and not granted`
        ).length > 0;
      await eventually(() => isWaiting());
      expect((await work()).status).toBeLessThan(300);
      return { written };
    })
    .then(async ({ written }) => (await written)[0]);
}

test("a reply shows its root as it was edited meanwhile", async () => {
  const written = await replyDuring(() =>
    ada.patch(`/api/messages/${root.id}`, { content: "after" }),
  );
  if (!written || written instanceof Error) throw new Error("The reply was not written.");
  const { row } = written;
  const embeds = (await readEmbedsById(world.database.sql, [row], () => null)).get(row.id);
  expect(toPublicMessage(row, embeds).root?.excerpt).toBe("after");
});

test("a reply to a root that was deleted meanwhile is refused", async () => {
  const written = await replyDuring(() => ada.delete(`/api/messages/${root.id}`));
  expect(written).toMatchObject({ code: "unknown_thread" });
});
