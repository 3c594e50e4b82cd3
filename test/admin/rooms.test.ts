import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

const PATH = "/api/admin/rooms";

let world: World;
let admin: Client;
let owner: Client;
let member: Client;
let outsider: Client;
let room: string;
beforeEach(async () => {
  world = await World.start();
  [admin, owner, member, outsider] = await Promise.all([
    world.person("ada", { isSiteAdmin: true }),
    world.person("owner"),
    world.person("member"),
    world.person("outsider"),
  ]);
  room = await world.room("secret", owner, [member]);
});
afterEach(() => world.stop());

const rolesOf = async (client: Client) =>
  Object.fromEntries(
    (await client.get(`/api/rooms/${room}/members`)).body.items.map(
      ({ user, role }: { user: { username: string }; role: string }) => [user.username, role],
    ),
  );
const transfer = (to: Client) => admin.post(`${PATH}/${room}/transfer`, { user_id: to.user.id });

describe("the list of all rooms", () => {
  test("includes private rooms, without giving access to them", async () => {
    await world.room("another", owner, [], "open");
    const { body } = await admin.get(PATH);
    expect(body.items).toMatchObject([
      { name: "another", is_default: false },
      { name: "secret", privacy: "private", member_count: 2, owner: { username: "owner" } },
    ]);
    expectProblem(await admin.get(`/api/rooms/${room}/messages`), 404, "room_not_found");
  });

  test("is searched, filtered and paginated", async () => {
    await world.room("another", owner);
    await admin.post(`${PATH}/${room}/archive`);
    const names = async (query: string) =>
      (await admin.get(`${PATH}${query}`)).body.items.map(({ name }: { name: string }) => name);
    expect(await names("?query=OTHER")).toEqual(["another"]);
    expect(await names("?status=archived")).toEqual(["secret"]);
    expect(await names("?status=open")).toEqual(["another"]);
    const { next } = (await admin.get(`${PATH}?limit=1`)).body;
    expect(await names(`?limit=1&cursor=${next}`)).toEqual(["secret"]);
  });

  test("shows every change of a room at once, although it is cached", async () => {
    const changes: [change: () => Promise<unknown>, shown: object][] = [
      [() => owner.patch(`/api/rooms/${room}`, { description: "New" }), { description: "New" }],
      [
        () => owner.patch("/api/auth/me", { display_name: "Olga" }),
        { owner: { display_name: "Olga" } },
      ],
      [() => owner.say(room, "hello"), { last_message_at: expect.stringMatching(/Z$/) }],
      [() => admin.patch(`${PATH}/${room}`, { is_default: true }), { is_default: true }],
      [() => transfer(member), { owner: { username: "member" } }],
      [() => admin.post(`${PATH}/${room}/archive`), { is_archived: true }],
    ];
    for (const [change, shown] of changes) {
      await admin.get(PATH);
      await change();
      expect((await admin.get(PATH)).body.items).toMatchObject([shown]);
    }
  });
});

describe("a room", () => {
  test("is archived and unarchived, and its members are notified", async () => {
    const socket = await member.socket();
    const answer = await admin.post(`${PATH}/${room}/archive`);
    expect(answer).toMatchObject({ status: 200, body: { is_archived: true } });
    expect((await socket.next("room_updated")).room.is_archived).toBe(true);
    const posted = await member.post(`/api/rooms/${room}/messages`, { content: "x" });
    expectProblem(posted, 409, "room_archived");
    expect((await admin.post(`${PATH}/${room}/unarchive`)).body.is_archived).toBe(false);
    const again = await member.post(`/api/rooms/${room}/messages`, { content: "x" });
    expect(again.status).toBe(201);
  });

  test("is transferred to a member, and the previous owner becomes an admin", async () => {
    expect(await transfer(member)).toMatchObject({
      status: 200,
      body: { owner: { username: "member" } },
    });
    expect(await rolesOf(member)).toEqual({ member: "owner", owner: "admin" });
  });

  test("is transferred to a non-member, who is added and notified", async () => {
    const socket = await outsider.socket();
    expect((await transfer(outsider)).status).toBe(200);
    expect((await socket.next("room_added")).room.name).toBe("secret");
    expect(await rolesOf(outsider)).toEqual({
      member: "member",
      outsider: "owner",
      owner: "admin",
    });
  });

  test("is not transferred to a deactivated or unknown account or a bot", async () => {
    const gone = await world.person("gone", { isActive: false });
    expectProblem(await transfer(gone), 422, "unknown_user");
    const bot = (await admin.post("/api/admin/bots", { username: "machine" })).body;
    for (const user_id of [bot.id, Bun.randomUUIDv7()]) {
      const answer = await admin.post(`${PATH}/${room}/transfer`, { user_id });
      expectProblem(answer, 422, "unknown_user");
    }
    expect(await rolesOf(owner)).toEqual({ member: "member", owner: "owner" });
  });

  test("becomes a default room", async () => {
    const answer = await admin.patch(`${PATH}/${room}`, { is_default: true });
    expect(answer).toMatchObject({ status: 200, body: { is_default: true } });
    expect((await admin.get(PATH)).body.items[0].is_default).toBe(true);
  });
});
