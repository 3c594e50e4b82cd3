import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { Client } from "../support/client.ts";
import { freshDatabase, urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { Receiver } from "../support/receiver.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(120_000);

/** Half a second for the jobs, and some slack for a busy machine. */
const STOP_MS = 2_000;

let home: string;
let env: Record<string, string>;
let database: Database;
let receiver: Receiver;
let running: Running;
let cookie: string;
let roomId: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-webhooks-"));
  const target = await freshDatabase();
  database = connectDatabase(target, 1);
  receiver = new Receiver();
  env = { DATA_DIR: home, DATABASE_URL: urlOf(target), EGRESS_ALLOW: "127.0.0.1" };
  running = await Running.start(env);
  const token = running.signupLink.split("#token=")[1] ?? "";
  const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
  const answer = await new Client(running.address).post("/api/signup", ada);
  cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  roomId = (await client().post("/api/rooms", { name: "stream", privacy: "open" })).body.id;
  const values = { name: "CI", url: receiver.at("/hook"), events: ["message.created"] };
  expect((await client().post(`/api/rooms/${roomId}/outgoing-webhooks`, values)).status).toBe(201);
});
afterEach(async () => {
  await running.stop();
  await receiver.stop();
  await database.close();
  await rm(home, { recursive: true });
});

const client = () => new Client(running.address, cookie);
/** As when the lease of a dead process has expired. */
const endLeases =
  () => database.sql`update jobs set locked_until = clock_timestamp() - interval '1 second'
  where locked_by is not null`;
const contents = () => receiver.to("/hook").map(({ body }) => String(body.data.message.content));

test("if the delivering process is killed, another continues where it was", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = async ({ body }) => {
    if (body.data.message.content === "4") await held;
    return new Response("ok");
  };
  const said = Array.from({ length: 20 }, (_, i) => String(i));
  for (const text of said.slice(0, 10)) await client().say(roomId, text);
  await receiver.until("/hook", 5);
  const first = running;
  running = await Running.start(env);
  for (const text of said.slice(10)) await client().say(roomId, text);
  await first.kill();
  release();
  await endLeases();
  const got = await receiver.until("/hook", 21);
  expect(contents()).toEqual(["0", "1", "2", "3", "4", ...said.slice(4)]);
  // A repeated delivery has the same id.
  expect(got[5]).toMatchObject({ id: got[4]?.id, text: got[4]?.text });
});

test("killed at any moment under load, no acknowledged message is left out", async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const enough = acknowledged.length + 80;
    let isOver = false;
    const reached = Promise.withResolvers<void>();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const content = `${round} ${writer} ${n}`;
        const path = `/api/rooms/${roomId}/messages`;
        const answer = await client()
          .post(path, { content })
          .catch(() => null);
        if (answer?.status === 201) acknowledged.push(content);
        if (acknowledged.length >= enough) reached.resolve();
      }
    });
    await reached.promise;
    await running.kill();
    isOver = true;
    await Promise.all(writers);
    running = await Running.start(env);
    await endLeases();
  }
  const missing = () => {
    const got = new Set(contents());
    return acknowledged.filter((content) => !got.has(content));
  };
  await eventually(() => missing().length === 0);
  const ids = new Map(receiver.to("/hook").map(({ body, id }) => [body.data.message.id, id]));
  for (const { body, id } of receiver.to("/hook")) expect(ids.get(body.data.message.id)).toBe(id);
});

/** A stop of a process, timed. @returns milliseconds */
async function stop(): Promise<number> {
  const started = performance.now();
  expect(await running.stop()).toBe(0);
  return performance.now() - started;
}

test("a stop does not wait for a slow receiver, and the delivery is repeated", async () => {
  receiver.answer = () => new Promise(() => {});
  await client().say(roomId, "held");
  const [first] = await receiver.until("/hook", 1);
  expect(await stop()).toBeLessThan(STOP_MS);
  receiver.answer = () => new Response("ok");
  running = await Running.start(env);
  const [, second] = await receiver.until("/hook", 2);
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
});

test("a stop leaves the rest of a busy webhook to the next process, without repeats", async () => {
  receiver.answer = () => Bun.sleep(50).then(() => new Response("ok"));
  const said = Array.from({ length: 60 }, (_, i) => String(i));
  for (const text of said) await client().say(roomId, text);
  await receiver.until("/hook", 5);
  expect(await stop()).toBeLessThan(STOP_MS);
  expect(contents().length).toBeLessThan(said.length);
  running = await Running.start(env);
  await receiver.until("/hook", said.length);
  expect(contents()).toEqual(said);
});
