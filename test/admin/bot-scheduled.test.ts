import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { revokeToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { removeMember } from "../../src/rooms/members.ts";
import type { BotScheduled } from "../../src/wire/scheduled-messages.ts";
import { inMinutes, passTime, untilDone } from "../personal/stage.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let admin: Client;
let owner: Client;
let bot: Client;
let rooms: { open: string; secret: string; shared: string };
let direct: string;
beforeAll(async () => {
  world = await World.start();
  admin = await world.person("ada", { isSiteAdmin: true });
  owner = await world.person("grace");
  bot = await world.bot("clock", ["write:messages", "read:messages"]);
  rooms = {
    open: await world.room("general", owner, [bot], "open"),
    secret: await world.room("merger", owner, [bot]),
    shared: await world.room("staff", owner, [bot, admin]),
  };
  direct = (await owner.post("/api/direct", { user_ids: [bot.user.id] })).body.id;
});
afterAll(() => world.stop());

const path = (id = bot.user.id) => `/api/admin/bots/${id}/scheduled`;
async function plan(room_id: string, content: string, minutes = 5, more = {}): Promise<string> {
  const body = { room_id, content, send_at: inMinutes(minutes), zone: "UTC", ...more };
  const answer = await bot.post("/api/scheduled", body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return answer.body.id;
}
const list = async (query = ""): Promise<BotScheduled[]> =>
  (await admin.get(`${path()}${query}`)).body.items;
const clear = () => world.database.sql`delete from scheduled_messages`;

describe("what a bot has scheduled", () => {
  test("is listed by its time, with the text of rooms that the administrator may read", async () => {
    await clear();
    const [second, first, third, fourth] = [
      await plan(rooms.secret, "secret words", 20),
      await plan(rooms.open, "open words", 10),
      await plan(rooms.shared, "shared words", 30),
      await plan(direct, "words for Grace", 40),
    ];
    expect(await list()).toEqual([
      {
        id: first,
        room: { id: rooms.open, kind: "room", name: "general" },
        content: "open words",
        is_hidden: false,
        has_upload: false,
        send_at: expect.any(String),
        zone: "UTC",
        state: "waiting",
        reason: null,
        token: { id: expect.any(String), name: "a test", last4: expect.any(String) },
        ended_at: null,
        created_at: expect.any(String),
      },
      expect.objectContaining({
        id: second,
        room: { id: rooms.secret, kind: "room", name: "merger" },
        content: null,
        is_hidden: true,
      }),
      expect.objectContaining({ id: third, content: "shared words", is_hidden: false }),
      expect.objectContaining({
        id: fourth,
        room: { id: direct, kind: "direct", name: null },
        content: null,
        is_hidden: true,
      }),
    ]);
    const page = (await admin.get(`${path()}?limit=3`)).body;
    expect(page.items).toHaveLength(3);
    const rest = (await admin.get(`${path()}?limit=3&cursor=${page.next}`)).body;
    expect([rest.items.map((item: BotScheduled) => item.id), rest.next]).toEqual([[fourth], null]);
    expectProblem(await admin.get(`${path()}?cursor=abc`), 422, "validation");
  });

  test("shows what was blocked and why, and nothing that was sent", async () => {
    await clear();
    const sent = await plan(rooms.open, "sent");
    const refused = await plan(rooms.shared, "refused");
    const blocked = await plan(rooms.open, "blocked", 600);
    await removeMember(world.database.db, owner.user.id, rooms.shared, bot.user.id);
    await passTime(world);
    await untilDone(world, "send_scheduled");
    const [token] = await world.database.sql`
      select token_id from scheduled_messages where id = ${blocked}`;
    await world.database.db.transaction((tx) => revokeToken(tx, COMMAND_LINE, token?.token_id));
    const shown = await list();
    expect(shown.map(({ id, state, reason }) => ({ id, state, reason }))).toEqual([
      { id: refused, state: "failed", reason: "not_a_member" },
      { id: blocked, state: "failed", reason: "invalid_token" },
    ]);
    expect(shown.map(({ id }) => id)).not.toContain(sent);
    expect(shown[1]).toMatchObject({ content: "blocked", token: { name: "a test" } });
    // It stays until the bot or an administrator decides.
    await passTime(world, 1_000);
    await untilDone(world, "send_scheduled");
    expect(await list()).toHaveLength(2);
    expect((await admin.delete(`${path()}/${blocked}`)).status).toBe(204);
    expect((await list()).map(({ id }) => id)).toEqual([refused]);
  });
});

describe("an administrator deletes what a bot has scheduled", () => {
  let other: Client;
  beforeAll(async () => {
    other = bot;
    bot = await world.bot("second", ["write:messages", "read:messages"]);
    await owner.post(`/api/rooms/${rooms.open}/members`, { user_id: bot.user.id });
    await owner.post(`/api/rooms/${rooms.secret}/members`, { user_id: bot.user.id });
  });

  test("text that is not shown too, with a row of the audit log, and the bot learns of it", async () => {
    const socket = await bot.socket();
    const id = await plan(rooms.secret, "secret words");
    await socket.next((event) => event.type === "scheduled" && event.id === id);
    expect((await admin.delete(`${path()}/${id}`)).status).toBe(204);
    const event = await socket.next((event) => event.type === "scheduled" && event.id === id);
    expect(event).toMatchObject({ scheduled: null });
    socket.close();
    expect((await bot.get("/api/scheduled")).body.items).toEqual([]);
    await passTime(world);
    await untilDone(world, "send_scheduled");
    const { items } = (await owner.get(`/api/rooms/${rooms.secret}/messages`)).body;
    expect(items).toEqual([]);
    const [row] = await world.database.sql`
      select action, target_name, details from admin_audit_log order by id desc limit 1`;
    expect(row).toMatchObject({
      action: "scheduled.delete",
      target_name: "second",
      details: { room_id: rooms.secret, state: "waiting" },
    });
    expect(JSON.stringify(row)).not.toContain("secret words");
  });

  test("not what is being sent, of another bot, of a person, or of nobody", async () => {
    const id = await plan(rooms.open, "on its way");
    await world.database.sql`
      update scheduled_messages set sending_at = clock_timestamp() where id = ${id}`;
    expectProblem(await admin.delete(`${path()}/${id}`), 409, "already_sent");
    const unknown = await admin.delete(`${path()}/${Bun.randomUUIDv7()}`);
    expectProblem(unknown, 404, "scheduled_not_found");
    const others = await admin.delete(`${path(other.user.id)}/${id}`);
    expect([others.status, others.body]).toEqual([unknown.status, unknown.body]);
    const ofPerson = (
      await owner.post("/api/scheduled", {
        room_id: rooms.open,
        content: "mine",
        send_at: inMinutes(5),
        zone: "UTC",
      })
    ).body.id;
    expectProblem(await admin.delete(`${path(owner.user.id)}/${ofPerson}`), 404, "not_found");
    expectProblem(await admin.get(path(owner.user.id)), 404, "not_found");
    expect((await admin.delete(`${path()}/${ofPerson}`)).body).toEqual(unknown.body);
  });

  test("is for administrators alone", async () => {
    for (const client of [owner, bot]) {
      const code = client === bot ? "not_for_bots" : "not_site_admin";
      expect((await client.get(path())).body.code).toBe(code);
      expect((await client.delete(`${path()}/${Bun.randomUUIDv7()}`)).body.code).toBe(code);
    }
  });
});
