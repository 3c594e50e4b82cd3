import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { createSession } from "../../src/authentication/sessions.ts";
import { users } from "../../src/database/schema.ts";
import { type Service, startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { testConfig } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);

const MESSAGES = 300;
/** Acknowledged before the primary is lost. */
const BEFORE = 100;

let folder: string;
let primary: PostgresServer;
let standby: PostgresServer;
let database: Database;
let service: Service;
let ada: Client;
let roomId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snug-promotion-"));
  primary = await PostgresServer.start();
  standby = await primary.follow();
  // From now on, acknowledged means: on both disks.
  await primary.sql`alter system set synchronous_standby_names = '*'`;
  await primary.sql`select pg_reload_conf()`;
  const url = `postgres://snug@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/snug`;
  await migrateDatabase(url);
  database = connectDatabase(url, 2);
  service = await startService(testConfig({ DATA_DIR: folder }), url);
  const id = Bun.randomUUIDv7();
  const { db } = database;
  await db
    .insert(users)
    .values({ id, username: "ada", email: "ada@example.org", passwordHash: "" });
  roomId = await createRoom(db, id, { name: "hall", privacy: "private" });
  const token = await db.transaction((tx) =>
    createSession(tx, id, { address: "127.0.0.1", userAgent: "a test" }),
  );
  ada = new Client(service.address, `snug_session=${token}`, { id, username: "ada" });
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await Promise.all([primary?.close(), standby?.close()]);
  await rm(folder, { recursive: true });
});

test("while the primary only reads, posts are answered with 503; then they go on", async () => {
  const { sql } = database;
  const setReadOnly = async (on: boolean) => {
    await primary.sql`alter system set default_transaction_read_only = ${primary.sql.unsafe(String(on))}`;
    await primary.sql`select pg_reload_conf()`;
    // As soon as the service's connections know.
    const until = on ? "on" : "off";
    await eventually(async () => {
      const [row] = await sql`show default_transaction_read_only`;
      return row?.default_transaction_read_only === until;
    });
  };
  const body = { content: "once", client_id: Bun.randomUUIDv7() };
  const post = () => ada.post(`/api/rooms/${roomId}/messages`, body);
  await setReadOnly(true);
  let status = 201;
  await eventually(async () => {
    ({ status } = await ada.post(`/api/rooms/${roomId}/messages`, { content: "x" }));
    return status !== 201;
  });
  expect(status).toBe(503);
  await setReadOnly(false);
  await eventually(async () => {
    ({ status } = await post());
    return status !== 503;
  });
  expect(status).toBe(201);
  await sql`delete from messages`;
});

test("a synchronous standby is promoted while people talk: nothing acknowledged is lost", async () => {
  const socket = await ada.socket();
  socket.send({ type: "join", room_id: roomId });
  await socket.next("joined");
  const ids = Array.from({ length: MESSAGES }, () => Bun.randomUUIDv7());
  let acknowledged = 0;
  let lost: Promise<unknown> | undefined;
  for (const client_id of ids) {
    // As clients do: what is not acknowledged is sent again.
    for (;;) {
      const body = { content: client_id, client_id };
      const { status } = await ada.post(`/api/rooms/${roomId}/messages`, body);
      if (status === 201 || status === 200) break;
      expect(status).toBe(503);
      await Bun.sleep(20);
    }
    acknowledged += 1;
    if (acknowledged === BEFORE) lost = primary.kill().then(() => standby.promote());
  }
  await lost;
  const { sql } = database;
  const rows = await sql<{ content: string; seq: number }[]>`
    select content, seq from messages order by seq`;
  expect(rows.map(({ content }) => content)).toEqual(ids);
  // The socket has stayed open, and has heard all of them in order.
  await socket.next((event) => event.message?.content === ids.at(-1));
  const heard = socket.heard.filter(({ type }) => type === "message");
  expect(heard.map(({ message }) => message.content)).toEqual(ids);
  socket.close();
});
