import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

const PATH = "/api/admin/rooms";

let world: World;
let admin: Client;
let owner: Client;
let member: Client;
let outsider: Client;
let room: string;
let rooms = 0;
/** What the name of each of a test's rooms contains. */
let tag: string;
beforeAll(async () => {
  world = await World.start();
  [admin, owner, member, outsider] = await Promise.all([
    world.person("ada", { isSiteAdmin: true }),
    world.person("owner"),
    world.person("member"),
    world.person("outsider"),
  ]);
});
beforeEach(async () => {
  tag = `t${rooms++}t`;
  room = await world.room(`secret-${tag}`, owner, [member]);
});
afterAll(() => world.stop());

const rolesOf = async (client: Client) =>
  Object.fromEntries(
    (await client.get(`/api/rooms/${room}/members`)).body.items.map(
      ({ user, role }: { user: { username: string }; role: string }) => [user.username, role],
    ),
  );
const transfer = (to: Client) => admin.post(`${PATH}/${room}/transfer`, { user_id: to.user.id });

describe("the list of all rooms", () => {
  test("includes private rooms, without giving access to them", async () => {
    await world.room(`another-${tag}`, owner, [], "open");
    const { body } = await admin.get(`${PATH}?query=${tag}`);
    expect(body.items).toMatchObject([
      { name: `another-${tag}`, is_default: false },
      {
        name: `secret-${tag}`,
        privacy: "private",
        member_count: 2,
        owner: { username: "owner" },
      },
    ]);
    expectProblem(await admin.get(`/api/rooms/${room}/messages`), 404, "room_not_found");
  });

  test("is searched, filtered and paginated", async () => {
    await world.room(`another-${tag}`, owner);
    await admin.post(`${PATH}/${room}/archive`);
    const names = async (query: string) =>
      (await admin.get(`${PATH}?${query}`)).body.items.map(({ name }: { name: string }) => name);
    const [another, secret] = [`another-${tag}`, `secret-${tag}`];
    expect(await names(`query=OTHER-${tag.toUpperCase()}`)).toEqual([another]);
    expect(await names(`query=${tag}&status=archived`)).toEqual([secret]);
    expect(await names(`query=${tag}&status=open`)).toEqual([another]);
    const { next } = (await admin.get(`${PATH}?query=${tag}&limit=1`)).body;
    expect(await names(`query=${tag}&limit=1&cursor=${next}`)).toEqual([secret]);
    // Without a condition all are listed.
    expect(await names("")).toEqual(expect.arrayContaining([another, secret]));
  });

  test("shows every change of a room at once, although it is cached", async () => {
    const listed = async () =>
      (await admin.get(PATH)).body.items.find(({ id }: { id: string }) => id === room);
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
      await listed();
      await change();
      expect(await listed()).toMatchObject(shown);
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
    expect((await socket.next("room_added")).room.name).toBe(`secret-${tag}`);
    expect(await rolesOf(outsider)).toEqual({
      member: "member",
      outsider: "owner",
      owner: "admin",
    });
  });

  test("is not transferred to a deactivated or unknown account or a bot", async () => {
    const person = await world.person("gone", { isActive: false });
    expectProblem(await transfer(person), 422, "unknown_user");
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
    const { body } = await admin.get(`${PATH}?query=${tag}`);
    expect(body.items[0].is_default).toBe(true);
  });
});
