import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
let cleo: Client;
let rooms: Record<"open" | "shared" | "secret", string>;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  cleo = await world.person("cleo");
  rooms = {
    // Ada sees that it exists, but is not in it.
    open: await world.room("open", bob, [cleo], "open"),
    shared: await world.room("shared", bob, [ada]),
    secret: await world.room("secret", bob, [cleo]),
  };
  await bob.post("/api/direct", { user_ids: [ada.user.id] });
});
afterAll(() => world.stop());

const read = (reader: Client, { user }: Client) => reader.get(`/api/users/${user.id}`);

test("tells who someone is, their time zone, and the rooms that the reader is in, too", async () => {
  await bob.patch("/api/auth/me", { time_zone: "Asia/Kolkata" });
  const { status, body } = await read(ada, bob);
  expect(status).toBe(200);
  expect(body).toEqual({
    user: expect.objectContaining({ id: bob.user.id, display_name: "Bob Noyce" }),
    status: "offline",
    time_zone: "Asia/Kolkata",
    shared_room_ids: [rooms.shared],
  });
  const { body: more } = await read(cleo, bob);
  expect(more.shared_room_ids).toEqual([rooms.open, rooms.secret]);
  // Someone outside does not learn what the two share.
  expect((await read(ada, cleo)).body.shared_room_ids).toEqual([]);
});

test("a room is shared only while both are in it", async () => {
  await cleo.post(`/api/rooms/${rooms.secret}/leave`);
  expect((await read(cleo, bob)).body.shared_room_ids).toEqual([rooms.open]);
});

test("tells who is online, unless they appear offline", async () => {
  const socket = await cleo.socket();
  const status = async () => (await read(ada, cleo)).body.status;
  await eventually(async () => (await status()) === "online");
  await cleo.patch("/api/auth/me", { appear_offline: true });
  expect(await status()).toBe("offline");
  socket.close();
});

test("bots and deactivated accounts have no time zone", async () => {
  const bot = await world.bot("robot", []);
  expect((await read(ada, bot)).body).toMatchObject({ time_zone: null, user: { is_bot: true } });
  await world.database.sql`update users set is_active = false where id = ${bob.user.id}`;
  expect((await read(ada, bob)).body).toMatchObject({
    time_zone: null,
    user: { is_active: false },
  });
});

test("nobody outside reads anyone, and unknown accounts are not found", async () => {
  expectProblem(await read(world.anonymous, bob), 401, "unauthenticated");
  expectProblem(await ada.get(`/api/users/${Bun.randomUUIDv7()}`), 404, "not_found");
});
