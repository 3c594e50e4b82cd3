import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let outsider: Client;
beforeAll(async () => {
  world = await World.start();
  [owner, member, outsider] = await Promise.all([
    world.person("owner"),
    world.person("member"),
    world.person("outsider"),
  ]);
});
afterAll(() => world.stop());

const create = (name: string, more: object = {}) =>
  owner.post("/api/rooms", { name, privacy: "open", ...more });

describe("making a room", () => {
  test("answers 201 with every documented field; the caller owns it", async () => {
    const answer = await create("first", { privacy: "private", description: " About it " });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "first",
      description: "About it",
      privacy: "private",
      is_archived: false,
      is_default: false,
      pinning: "members",
      threads: "on",
      owner: {
        id: owner.user.id,
        username: "owner",
        display_name: null,
        avatar_url: null,
        is_bot: false,
        is_active: true,
        profile_version: 0,
      },
      created_at: expect.stringMatching(/Z$/),
      member_count: 1,
      last_message_at: null,
      seq: 1,
      private_until_seq: null,
      pin_count: 0,
      newest_pin: null,
      membership: {
        role: "owner",
        last_read_at: expect.stringMatching(/Z$/),
        last_read_seq: 1,
        version: expect.any(Number),
        notify: "all",
        muted_until: null,
        thread_push: "followed",
        unread: false,
        mention_count: 0,
        pinned_at: null,
      },
    });
    expect((await owner.get(`/api/rooms/${answer.body.id}`)).body).toEqual(answer.body);
  });

  test.each(["a", "a-b_c", "0", `a${"b".repeat(38)}c`])("takes the name %s", async (name) => {
    expect((await create(name)).status).toBe(201);
  });

  test.each(["", "A", "-a", "a-", "_a", "a b", "a.b", "ä", "#a", "a\n", "x".repeat(41)])(
    "refuses the name %p",
    async (name) => expectProblem(await create(name), 422, "validation"),
  );

  test.each([
    ["an unknown privacy", { privacy: "secret" }],
    ["no privacy", { privacy: null }],
    ["a description of 501 characters", { description: "x".repeat(501) }],
  ])("refuses %s", async (_, more) =>
    expectProblem(await create("never-made", more), 422, "validation"),
  );

  test("refuses a taken name, even a private room's, also when two take it at once", async () => {
    await owner.post("/api/rooms", { name: "taken", privacy: "private" });
    const other = await outsider.post("/api/rooms", { name: "taken", privacy: "open" });
    expectProblem(other, 409, "room_name_taken");
    const both = await Promise.all([create("race"), create("race"), create("race")]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("changing a room", () => {
  test("keeps absent fields, and null clears the description", async () => {
    const { id } = (await create("patched", { description: "first" })).body;
    const renamed = await owner.patch(`/api/rooms/${id}`, { name: "patched-2" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: "patched-2", description: "first", privacy: "open" },
    });
    const cleared = await owner.patch(`/api/rooms/${id}`, { description: null });
    expect(cleared.body).toMatchObject({ name: "patched-2", description: null, privacy: "open" });
    const closed = await owner.patch(`/api/rooms/${id}`, { privacy: "private" });
    expect(closed.body).toMatchObject({ name: "patched-2", description: null, privacy: "private" });
    expectProblem(await outsider.get(`/api/rooms/${id}`), 404, "room_not_found");
  });

  test("refuses a taken or invalid name, and accepts its own", async () => {
    await create("other");
    const { id } = (await create("mine")).body;
    const path = `/api/rooms/${id}`;
    const response = await owner.patch(path, { name: "other", description: "never" });
    expectProblem(response, 409, "room_name_taken");
    expectProblem(await owner.patch(path, { name: "Bad Name" }), 422, "validation");
    expectProblem(await owner.patch(path, { name: null }), 422, "validation");
    expectProblem(await owner.patch(path, { privacy: null }), 422, "validation");
    const own = await owner.patch(path, { name: "mine" });
    expect(own).toMatchObject({ status: 200, body: { name: "mine", description: null } });
  });

  test("ignores fields that the caller cannot change", async () => {
    const { id } = (await create("steady")).body;
    const more = { is_archived: true, member_count: 99, owner: { id: outsider.user.id } };
    const { status, body } = await owner.patch(`/api/rooms/${id}`, more);
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_archived: false, member_count: 1, owner: owner.user });
  });

  test("notifies its members", async () => {
    const roomId = await world.room("told", owner, [member]);
    const socket = await member.socket();
    await owner.patch(`/api/rooms/${roomId}`, { description: "news" });
    const { room } = await socket.next("room_updated");
    expect(room).toMatchObject({ id: roomId, description: "news" });
    socket.close();
  });
});

describe("deleting a room", () => {
  test("removes it for everyone, with everything in it", async () => {
    const roomId = await world.room("doomed", owner, [member], "open");
    const { id } = await member.say(roomId, "gone soon");
    const socket = await member.socket();
    expect(await owner.delete(`/api/rooms/${roomId}`)).toMatchObject({ status: 204, body: "" });
    expect(await socket.next("room_removed")).toMatchObject({ room_id: roomId });
    for (const client of [owner, member, outsider]) {
      expectProblem(await client.get(`/api/rooms/${roomId}`), 404, "room_not_found");
      expectProblem(await client.get(`/api/messages/${id}`), 404, "message_not_found");
    }
    expectProblem(await owner.delete(`/api/rooms/${roomId}`), 404, "room_not_found");
    const rows = await world.database.sql`select from messages where room_id = ${roomId}
      union all select from room_log where room_id = ${roomId}`;
    expect(rows).toHaveLength(0);
    expect((await create("doomed")).status).toBe(201);
    socket.close();
  });
});

describe("an archived room", () => {
  test("can be read by its members, but its messages cannot be changed", async () => {
    const roomId = await world.room("museum", owner, [member], "open");
    const { id } = await member.say(roomId, "kept");
    await world.archive("museum", true);
    for (const path of ["", "/messages", "/members", "/changes?after=0"]) {
      expect((await member.get(`/api/rooms/${roomId}${path}`)).status).toBe(200);
    }
    expect((await member.get(`/api/rooms/${roomId}`)).body.is_archived).toBe(true);
    expect((await member.post(`/api/rooms/${roomId}/read`)).status).toBe(200);
    const refused = [
      await member.post(`/api/rooms/${roomId}/messages`, { content: "late" }),
      await member.patch(`/api/messages/${id}`, { content: "late" }),
      await outsider.post(`/api/rooms/${roomId}/join`),
      await owner.post(`/api/rooms/${roomId}/members`, { username: "outsider" }),
    ];
    for (const answer of refused) expectProblem(answer, 409, "room_archived");
    await world.archive("museum", false);
    expect((await outsider.post(`/api/rooms/${roomId}/join`)).status).toBe(200);
  });
});
