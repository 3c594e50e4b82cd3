import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase } from "../../src/database/connect.ts";
import { countKnownMigrations } from "../../src/database/migrate.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { runCli } from "../support/command-line.ts";
import { urlOf } from "../support/database.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  env = { DATABASE_URL: urlOf(world.target) };
});
afterAll(() => world.stop());

const cli = (args: string) => runCli(args.split(" "), env);
async function json(args: string) {
  const { status, out, err } = await cli(`${args} --json`);
  expect([status, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("rooms", () => {
  test("are listed, including private ones", async () => {
    expect((await cli("room list")).out).toBe("No rooms yet.\n");
    await world.room("hall", owner, [], "open");
    await world.room("vault", owner);
    expect(await json("room list")).toMatchObject([
      { name: "hall", privacy: "open", member_count: 1, owner: { username: "owner" } },
      { name: "vault", privacy: "private", is_archived: false },
    ]);
    expect((await cli("room list")).out).toMatch(/^#hall +open +1 member +owned by owner\n#vault /);
  });

  test("are archived and unarchived with a running service, which notifies their members", async () => {
    const roomId = await world.room("shed", owner);
    const socket = await owner.socket();
    expect(await json("room archive shed")).toEqual({
      id: roomId,
      name: "shed",
      is_archived: true,
    });
    const { room } = await socket.next("room_updated");
    expect(room).toMatchObject({ id: roomId, is_archived: true });
    const post = () => owner.post(`/api/rooms/${roomId}/messages`, { content: "x" });
    expectProblem(await post(), 409, "room_archived");
    expect((await cli("room archive shed")).status).toBe(0);
    expect(await json("room unarchive shed")).toMatchObject({ is_archived: false });
    expect((await post()).status).toBe(201);
    socket.close();
  });

  test("become default rooms, and regular ones again", async () => {
    const roomId = await world.room("lobby", owner);
    expect(await json("room default lobby on")).toEqual({
      id: roomId,
      name: "lobby",
      is_default: true,
    });
    expect((await cli("room list")).out).toMatch(/^#lobby +private, default +1 member/m);
    expect((await cli("room default lobby off")).out).toBe("New accounts do not join #lobby.\n");
    const lobby = (await json("room list")).find(({ id }: { id: string }) => id === roomId);
    expect(lobby).toMatchObject({ is_default: false });
    const { status, err } = await cli("room default lobby perhaps");
    expect([status, err]).toEqual([2, "Use on or off.\n"]);
  });

  test("that are unknown are refused", async () => {
    for (const verb of ["archive", "unarchive"]) {
      const { status, out, err } = await cli(`room ${verb} nowhere`);
      expect([status, out, err]).toEqual([1, "", "There is no room named nowhere.\n"]);
    }
  });
});

describe("the database", () => {
  test("is migrated by migrate once", async () => {
    const [{ current_database: own = "" } = {}] = await world.database
      .sql`select current_database()`;
    const empty = `${own}_empty`;
    const maintenance = connectDatabase({ ...world.target, database: "postgres" }, 1);
    await maintenance.sql.unsafe(`drop database if exists ${empty}`);
    await maintenance.sql.unsafe(`create database ${empty}`);
    const at = { DATABASE_URL: urlOf({ ...world.target, database: empty }) };
    const total = countKnownMigrations();
    const first = await runCli(["migrate", "--json"], at);
    expect(JSON.parse(first.out)).toEqual({ applied: total, total });
    const second = await runCli(["migrate", "--json"], at);
    expect(JSON.parse(second.out)).toEqual({ applied: 0, total });
    expect((await runCli(["migrate"], at)).out).toBe("The schema is up to date.\n");
    await maintenance.sql.unsafe(`drop database ${empty}`);
    await maintenance.close();
  });
});
