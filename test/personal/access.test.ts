import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { ROUTES } from "../support/routes.ts";
import { inMinutes, makeDue, passTime, setStage, type Stage, untilDone } from "./stage.ts";

/** Words that only their writer may ever receive. */
const SECRET = "heliotrope";

let stage: Stage;
let admin: Client;
let [bot, reader] = [] as unknown as [Client, Client];
let mine: { message: string; scheduled: string; failed: string };
/** What everyone else's sockets have received. */
const heard: string[] = [];
beforeAll(async () => {
  stage = await setStage();
  const { world, ada, ben, owner, outsider, roomId } = stage;
  admin = await world.person("root", { isSiteAdmin: true });
  bot = await world.bot("machine", ["read:messages", "write:messages", "manage:rooms"]);
  reader = await world.person("reader");
  await owner.post(`/api/rooms/${roomId}/members`, { user_id: bot.user.id });
  await owner.patch(`/api/rooms/${roomId}/members/${ben.user.id}`, { role: "admin" });
  const others = [ben, owner, admin, outsider, bot, reader];
  const sockets = await Promise.all(others.map((client) => client.socket()));
  const { id: message } = await ben.say(roomId, "something");
  await ada.put(`/api/saved/${message}`, { note: SECRET, remind_at: inMinutes(5) });
  const plan = async (room_id: string) => {
    const body = { room_id, content: SECRET, send_at: inMinutes(60), zone: "UTC" };
    return (await ada.post("/api/scheduled", body)).body.id;
  };
  const gone = await stage.newRoom();
  mine = { message, scheduled: await plan(roomId), failed: await plan(gone.id) };
  await ada.put("/api/drafts", { room_id: roomId, base_version: 0, content: SECRET });
  // One fails, and a reminder comes.
  await world.archive(gone.name, true);
  await world.database.sql`update scheduled_messages set send_at = now() - interval '1 minute'
    where id = ${mine.failed}`;
  await world.database.sql`update saved_messages set remind_at = now() - interval '1 minute'`;
  for (const kind of ["send_scheduled", "remind"]) {
    await makeDue(world, kind);
    await untilDone(world, kind);
  }
  for (const socket of sockets) {
    for (const event of await socket.drain()) heard.push(JSON.stringify(event));
    socket.close();
  }
});
afterAll(() => stage.world.stop());

test("its owner has it", async () => {
  for (const path of ["/api/saved", "/api/scheduled", "/api/drafts"]) {
    const { body } = await stage.ada.get(path);
    expect([path, JSON.stringify(body).includes(SECRET)]).toEqual([path, true]);
  }
});

test("no route that reads shows anyone else what someone has saved, planned or drafted", async () => {
  const { ben, owner, outsider, roomId, world } = stage;
  const values: Record<string, string> = {
    message_id: mine.message,
    user_id: stage.ada.user.id,
  };
  const reads = ROUTES.filter(({ method, body }) => method === "GET" && body === undefined);
  expect(reads.length).toBeGreaterThan(40);
  for (const client of [ben, owner, admin, outsider, bot, world.anonymous]) {
    for (const { path } of reads) {
      const address = path.replace(/:(\w+)/g, (_, name: string) => {
        const id = path.startsWith("/api/messages/") ? mine.message : roomId;
        return values[name] ?? (path.includes("/users/:id") ? stage.ada.user.id : id);
      });
      const { body } = await client.get(address);
      const text = JSON.stringify(body) ?? "";
      expect([client.user.username, path, text.includes(SECRET)]).toEqual([
        ...[client.user.username, path, false],
      ]);
      // Nor that there is anything.
      if (!path.startsWith("/api/openapi")) expect(text).not.toContain(mine.scheduled);
    }
  }
});

test("no socket but the owner's received anything of it", () => {
  expect(heard.length).toBeGreaterThan(0);
  for (const text of heard) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/"type":"(?:saved|scheduled|scheduled_failed|draft)"/);
  }
});

test("nobody else changes what someone has saved, planned or drafted", async () => {
  const { ada, ben, owner, roomId } = stage;
  for (const client of [ben, owner, admin, bot]) {
    const { username } = client.user;
    for (const id of [mine.scheduled, mine.failed]) {
      for (const [method, path, body] of [
        ["PATCH", `/api/scheduled/${id}`, { content: "x" }],
        ["DELETE", `/api/scheduled/${id}`, undefined],
        ["POST", `/api/scheduled/${id}/send-now`, undefined],
      ] as const) {
        const answer = await client.call(method, path, body);
        expect([username, path, answer.body.code]).toEqual([username, path, "scheduled_not_found"]);
      }
    }
    if (client === bot) continue;
    expect((await client.delete(`/api/saved/${mine.message}`)).status).toBe(204);
    await client.put("/api/drafts", { room_id: roomId, base_version: 1, content: null });
  }
  const after = await Promise.all(
    ["/api/saved", "/api/scheduled", "/api/drafts"].map(async (path) => (await ada.get(path)).body),
  );
  expect(after.map(({ items }) => items.length)).toEqual([1, 2, 2]);
});

test("the audit log, the jobs and the metrics name nothing of it", async () => {
  await passTime(stage.world, 0);
  for (const path of [
    "/api/admin/audit-log",
    "/api/admin/jobs",
    "/api/admin/overview",
    "/metrics",
  ]) {
    const { body } = await admin.get(path);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  }
});
