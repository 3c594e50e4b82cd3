import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inMinutes } from "../personal/stage.ts";
import { Client, expectProblem } from "../support/client.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { World } from "../support/world.ts";

let world: World;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  world = await World.start();
  env = { DATABASE_URL: urlOf(world.target) };
  await world.person("ada");
});
afterAll(() => world.stop());

const cli = (args: string) => runCli(args.split(" "), env);
async function json(args: string) {
  const { status, out, err } = await cli(`${args} --json`);
  expect([status, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

test("a bot is created and gets a token, which works with a running service until it is revoked", async () => {
  expect(await json("bot create Builds")).toMatchObject({
    username: "builds",
    is_bot: true,
    email: null,
  });
  const scopes = "--scope write:messages --scope read:messages";
  const created = await json(`bot token builds ${scopes} --expires 7 --name nightly`);
  expect(created).toMatchObject({ name: "nightly", created_by: null, last_used_at: null });
  expect(created.scopes.toSorted()).toEqual(["read:messages", "write:messages"]);
  const days = (Date.parse(created.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 2);
  const bot = new Client(world.service.address, null, undefined, created.token);
  const socket = await bot.socket();
  const { token, last_used_at: _, ...shown } = created;
  expect(await json("bot tokens builds")).toMatchObject([shown]);
  expect((await cli("bot tokens builds")).out).toContain(`…${token.slice(-4)}`);
  await json(`bot revoke ${created.id}`);
  expect((await socket.closing()).code).toBe(4401);
  expectProblem(await bot.get("/api/auth/me"), 401, "invalid_token");
  expect((await cli("bot tokens builds")).out).toBe("No tokens.\n");
});

test("a token is shown once as text", async () => {
  await json("bot create worded");
  const { out } = await cli("bot token worded --scope read:messages");
  const token = /\(shown once\): (snug_\S+)/.exec(out)?.[1] ?? "";
  const bot = new Client(world.service.address, null, undefined, token);
  expect((await bot.get("/api/auth/me")).body.username).toBe("worded");
});

test("a bot's scheduled messages are listed, with the text of open rooms only, and deleted", async () => {
  const owner = await world.person("grace");
  const clock = await world.bot("clock", ["write:messages"]);
  const rooms = {
    square: await world.room("square", owner, [clock], "open"),
    vault: await world.room("vault", owner, [clock]),
  };
  const schedule = (room_id: string, content: string, minutes: number) =>
    clock.post("/api/scheduled", { room_id, content, send_at: inMinutes(minutes), zone: "UTC" });
  const first = (await schedule(rooms.square, "Lunch", 10)).body;
  await schedule(rooms.vault, "a secret", 20);
  expect(await json("bot scheduled clock")).toMatchObject([
    { id: first.id, content: "Lunch", state: "waiting" },
    { room: { name: "vault" }, content: null, is_hidden: true },
  ]);
  const { out } = await cli("bot scheduled clock");
  expect(out).toMatch(/#square +waiting +Lunch\n.*#vault +waiting\n$/);
  expect(await json(`bot delete-scheduled clock ${first.id}`)).toEqual({ id: first.id });
  expect(await json("bot scheduled clock")).toMatchObject([{ room: { name: "vault" } }]);
  expect((await cli(`bot delete-scheduled clock ${first.id}`)).status).toBe(1);
});

describe("refused, in one line", () => {
  test.each([
    ["a bot's name that is taken", 1, "bot create ada"],
    ["a token for a person", 1, "bot token ada --scope read:messages"],
    ["a token for an unknown bot", 1, "bot token nobody --scope read:messages"],
    ["the end of a token", 2, "bot revoke 7"],
    ["the end of a token that never was", 1, `bot revoke ${Bun.randomUUIDv7()}`],
    ["the scheduled messages of a person", 1, "bot scheduled ada"],
    ["a scheduled message without an id", 2, "bot delete-scheduled ada lunch"],
    ["a token without a scope", 2, "bot token ada"],
    ["a scope that there is not", 2, "bot token ada --scope read:messages --scope admin"],
    ["an invalid number of days", 2, "bot token ada --scope read:messages --expires soon"],
    ["no days", 2, "bot token ada --scope read:messages --expires 0"],
  ])("%s", async (_, expected, args) => {
    const { status, out, err } = await cli(args);
    expect([status, out]).toEqual([expected, ""]);
    expect(err).toMatch(/^[^\n]+\n$/);
  });

  test.each(["promote", "set-password"])("user %s of a bot", async (verb) => {
    await world.bot(`bot-${verb}`, []);
    const { status, err } = await cli(`user ${verb} bot-${verb}`);
    expect(status).toBe(1);
    expect(err).toMatch(/^[^\n]*is a bot[^\n]*\n$/);
  });
});

test("a bot does not count as the first account", async () => {
  const { sql } = world.database;
  await sql`delete from users where not is_bot`;
  const running = await Running.start({ ...env, DATA_DIR: world.settings.DATA_DIR });
  expect(running.signupLink).not.toBe("");
  expect(await running.stop()).toBe(0);
});
