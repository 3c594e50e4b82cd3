import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { configureLog, flushLog } from "../../src/platform/log.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
let hook: { id: string; url: string };
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("logged", ada);
  hook = (await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "CI" })).body;
});
afterAll(() => world.stop());

let written: ReturnType<typeof spyOn>;
beforeEach(() => {
  configureLog({ level: "debug", format: "json" });
  written = spyOn(process.stderr, "write").mockImplementation(() => true);
});
afterEach(() => {
  written.mockRestore();
  configureLog({ level: process.env.LOG_LEVEL === "debug" ? "debug" : "error", format: "pretty" });
});

function log(): string {
  flushLog();
  return written.mock.calls.join("\n");
}

test("the log names routes and ids, and no token of a webhook", async () => {
  const { pathname } = new URL(hook.url);
  const token = pathname.slice("/hooks/".length);
  const { anonymous } = world;
  await anonymous.post(pathname, { text: "hello" });
  await anonymous.post(`${pathname}/`, { text: "hello" });
  await anonymous.post(pathname, "no JSON");
  await anonymous.post(pathname, "x".repeat(2 * 1024 ** 2));
  await anonymous.get(pathname);
  await anonymous.post(`${pathname}/more`, {});
  await anonymous.post(`/api${pathname}`, {});
  await anonymous.get(`/elsewhere${pathname}`);
  await ada.get(`/api/rooms/${roomId}/messages?limit=${token}`);
  expect(log()).not.toContain(token);
  expect(log()).toContain('"route":"/hooks/:token"');
  expect(log()).toContain(`"route":"/api/rooms/:id/messages","id":"${roomId}"`);
});

test("what is refused while its body is read is logged by its route", async () => {
  await world.anonymous.post("/api/auth/login", "{");
  expect(log()).toContain('"route":"/api/auth/login"');
});

test("a frame that fails leaves none of its words in the log", async () => {
  const socket = await ada.socket();
  const message = await ada.say(roomId, "before");
  await world.database.sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`;
  await world.database.sql`create trigger refuses before update on messages
    for each row execute function refuse()`;
  socket.send({ type: "edit", message_id: message.id, content: "a secret of ours" });
  expect(await socket.next("error")).toMatchObject({ code: "internal" });
  await world.database.sql`drop function refuse cascade`;
  socket.close();
  expect(log()).toContain("Handling a WebSocket frame failed.");
  expect(log()).not.toContain("a secret of ours");
});
