import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { revokeToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import { hashToken } from "../../src/platform/secrets/secrets.ts";
import type { Service } from "../../src/service.ts";
import type { FrameType } from "../../src/wire/frames.ts";
import { FRAME_RATE } from "../../src/wire/limits.ts";
import type { Scope } from "../../src/wire/scopes.ts";
import { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let second: Service;
let owner: Client;
beforeAll(async () => {
  world = await World.start();
  second = await world.secondInstance();
  owner = await world.person("owner");
});
afterAll(() => world.stop());

/** The same bot with the same token, at the other instance. */
const elsewhere = (bot: Client) => new Client(second.address, null, bot.user, bot.token);

async function idOf(bot: Client): Promise<string> {
  const [row] = await world.database.sql`
    select id from api_tokens where token_hash = ${hashToken(bot.token ?? "")}`;
  return row?.id;
}

async function lastUseOf(bot: Client): Promise<Date> {
  const [row] = await world.database.sql`
    select last_used_at from api_tokens where user_id = ${bot.user.id}`;
  return row?.last_used_at;
}

describe("a bot's socket", () => {
  test("opens with the token, from anywhere, and hears its rooms", async () => {
    const bot = await world.bot("listener", ["read:messages"]);
    const roomId = await world.room("heard", owner, [bot]);
    for (const origin of [null, "https://elsewhere.example"]) {
      const socket = await bot.socket(origin ? { origin } : {});
      expect(socket.heard[0]).toMatchObject({ type: "hello", user_id: bot.user.id });
      await socket.join(roomId);
      await owner.say(roomId, "hello");
      expect(await socket.next("message")).toMatchObject({ message: { content: "hello" } });
      socket.close();
    }
  });

  test("has no limit of frames", async () => {
    const bot = await world.bot("eager", []);
    const socket = await bot.socket();
    const many = 3 * FRAME_RATE.burst;
    for (let i = 0; i < many; i++) socket.send({ type: "ping" });
    for (let i = 0; i < many; i++) await socket.next("pong");
    expect(socket.heard.filter((event) => event.type === "error")).toEqual([]);
    socket.close();
  });

  test("sees only what its room's members see", async () => {
    const bot = await world.bot("outside", ["read:messages", "write:messages"]);
    const roomId = await world.room("hidden", owner);
    const socket = await bot.socket();
    socket.send({ type: "join", room_id: roomId });
    expect(await socket.next("error")).toMatchObject({ code: "room_not_found" });
    socket.close();
  });
});

/** What a token must allow for each frame: one without a row here does not pass the types. */
const NEEDED: Record<FrameType, Scope | null> = {
  join: "read:messages",
  leave: null,
  message: "write:messages",
  edit: "write:messages",
  delete: "write:messages",
  react: "write:messages",
  typing: null,
  ping: null,
};

describe.each([[["manage:rooms"]], [["read:messages"]], [["write:messages"]]] as [Scope[]][])(
  "with the scopes %j",
  (scopes) => {
    test.each(Object.entries(NEEDED))("the frame %s", async (type, needed) => {
      const bot = await world.bot(`${type}-${scopes[0]?.split(":")[0]}`, scopes);
      const room_id = await world.room(bot.user.username, owner, [bot]);
      const { id: message_id } = await owner.say(room_id, "the owner's");
      const socket = await bot.socket();
      const client_id = crypto.randomUUID();
      socket.send({ type, room_id, message_id, content: "x", emoji: "👍", client_id, ref: "r" });
      // Posts overtake; anything else is answered before the ping.
      if (needed === "write:messages") await socket.next((event) => event.ref ?? event.client_id);
      await socket.drain();
      const codes = socket.heard.flatMap((event) => event.code ?? []);
      const isAllowed = needed === null || scopes.includes(needed);
      expect(codes.includes("insufficient_scope")).toBe(!isAllowed);
      socket.close();
    });
  },
);

describe("a socket ends with its credential", () => {
  test("closes when its token is revoked, on every instance, and no other of the bot's", async () => {
    const bot = await world.bot("two-tokens", []);
    const other = await world.bot("bystander", []);
    await world.database.sql`update api_tokens set user_id = ${bot.user.id}
      where user_id = ${other.user.id}`;
    const sockets = [await bot.socket(), await elsewhere(bot).socket()];
    const stays = await other.socket();
    expect(stays.heard[0].user_id).toBe(bot.user.id);
    const id = await idOf(bot);
    await world.database.db.transaction((tx) => revokeToken(tx, COMMAND_LINE, id));
    for (const socket of sockets) expect((await socket.closing()).code).toBe(4401);
    await stays.drain();
    expect(stays.closed).toBeNull();
    stays.close();
  });

  test("closes when its token expires", async () => {
    const expiresAt = new Date(Date.now() + 1_500);
    const bot = await world.bot("mayfly", [], { expiresAt });
    const socket = await bot.socket();
    expect((await socket.closing()).code).toBe(4401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime() - 50);
  });

  test("closes when its bot is deactivated, on every instance", async () => {
    const admin = await world.person("ada", { isSiteAdmin: true });
    const bot = await world.bot("sacked", []);
    const sockets = [await bot.socket(), await elsewhere(bot).socket()];
    const path = `/api/admin/bots/${bot.user.id}`;
    expect((await admin.patch(path, { is_active: false })).status).toBe(200);
    for (const socket of sockets) expect((await socket.closing()).code).toBe(4401);
  });

  test("closes though nobody heard that the token was revoked, and the others stay", async () => {
    const [bot, other] = [await world.bot("unheard", []), await world.bot("still-good", [])];
    const [socket, stays] = [await bot.socket(), await other.socket()];
    const { sql } = world.database;
    await sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
    const lately = new Date(Date.now() - 3_600_000);
    await sql`update api_tokens set last_used_at = ${lately} where user_id = ${other.user.id}`;
    // An instance that listens again compares everything.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`;
    expect((await socket.closing()).code).toBe(4401);
    await stays.drain();
    expect(stays.closed).toBeNull();
    // A bot that only listens uses its token all the same.
    await eventually(async () => (await lastUseOf(other)).getTime() !== lately.getTime());
    stays.close();
  });
});
