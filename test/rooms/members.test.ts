import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Member } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let owner: Client;
let admin: Client;
let member: Client;
let outsider: Client;
let roomId: string;
let count = 0;
beforeAll(async () => {
  world = await World.start();
  [owner, admin, member, outsider] = await Promise.all([
    world.person("owner"),
    world.person("admin"),
    world.person("member"),
    world.person("outsider"),
  ]);
});
afterAll(() => world.stop());
beforeEach(async () => {
  roomId = await world.room(`room-${count++}`, owner, [admin, member], "open");
  expect((await setRole(owner, admin, "admin")).status).toBe(200);
});

const path = (rest = "") => `/api/rooms/${roomId}${rest}`;
const setRole = (by: Client, of: Client, role: string) =>
  by.patch(path(`/members/${of.user.id}`), { role });
const remove = (by: Client, whom: Client) => by.delete(path(`/members/${whom.user.id}`));
const transfer = (by: Client, to: Client) => by.post(path("/transfer"), { user_id: to.user.id });
async function roles(): Promise<Record<string, string>> {
  const { body } = await owner.get(path("/members?limit=200"));
  return Object.fromEntries(body.items.map((item: Member) => [item.user.username, item.role]));
}
const memberCount = async () => (await owner.get(path())).body.member_count;

describe("the members", () => {
  test("are listed by name with every documented field, in pages", async () => {
    const first = await member.get(path("/members?limit=2"));
    const second = await member.get(path(`/members?limit=2&cursor=${first.body.next}`));
    const items = [...first.body.items, ...second.body.items];
    expect(items.map((item: Member) => item.user.username)).toEqual(["admin", "member", "owner"]);
    expect(second.body.next).toBeNull();
    expect(items[1]).toEqual({
      user: {
        id: member.user.id,
        username: "member",
        display_name: null,
        avatar_url: null,
        is_bot: false,
        is_active: true,
        profile_version: 0,
      },
      role: "member",
      joined_at: expect.stringMatching(/Z$/),
      status: "offline",
    });
  });

  test("come by name: those who are asked for and are members", async () => {
    const ids = [member, owner, outsider].map(({ user }) => user.id.toUpperCase());
    const { status, body } = await member.get(path(`/members?limit=1&user_ids=${ids}`));
    expect(status).toBe(200);
    expect(body.items.map((item: Member) => item.user.username)).toEqual(["member", "owner"]);
    expect(body.next).toBeNull();
    const many = Array.from({ length: 101 }, () => Bun.randomUUIDv7());
    expectProblem(await member.get(path(`/members?user_ids=${many}`)), 422, "validation");
    expectProblem(await member.get(path("/members?user_ids=")), 422, "validation");
    const response = await member.get(path(`/members?user_ids=${many.slice(1)}`));
    expect(response.body.items).toEqual([]);
    expectProblem(await outsider.get(path(`/members?user_ids=${ids}`)), 403, "not_a_member");
  });
});

describe("the list of a large room", () => {
  const pages = async () => {
    const items: Member[] = [];
    for (let next: string | null = ""; next !== null;) {
      const cursor: string = next && `&cursor=${next}`;
      const { body } = await member.get(path(`/members?limit=200${cursor}`));
      items.push(...body.items);
      next = body.next;
    }
    return items;
  };
  const all = async () => (await member.get(path("/members?all=true"))).body;
  const statusOf = async ({ user }: Client) =>
    (await member.get(path(`/members?user_ids=${user.id}`))).body.items[0].status;

  test("equals its pages, also after each change of a member", async () => {
    const { sql } = world.database;
    await sql`with made as (
      insert into users (id, username, email, display_name)
      select gen_random_uuid(), 'guest-' || n, n || '@guests.example.org', 'Guest ' || n from generate_series(1, 300) n returning id
    ), seated as (
      insert into memberships (room_id, user_id, role) select ${roomId}, id, 'member' from made
    )
    update rooms set member_count = 303 where id = ${roomId}`;
    let socket: Awaited<ReturnType<Client["socket"]>> | undefined;
    const changes: Record<string, () => Promise<unknown>> = {
      "nothing yet": async () => {},
      "a role": () => setRole(owner, member, "admin"),
      "a name": () => member.patch("/api/auth/me", { display_name: "Mem Ber" }),
      "a join": () => outsider.post(path("/join")),
      "someone comes": async () => {
        socket = await outsider.socket();
        await eventually(async () => (await statusOf(outsider)) === "online");
      },
      "someone hides": () => outsider.patch("/api/auth/me", { appear_offline: true }),
      "someone shows": () => outsider.patch("/api/auth/me", { appear_offline: false }),
      "a leave": () => outsider.delete(path(`/members/${outsider.user.id}`)),
    };
    for (const [name, change] of Object.entries(changes)) {
      await change();
      // The first answer after a change fills the cache, and the second comes from it.
      for (const turn of ["read", "cached"]) {
        expect([name, turn, await all()]).toEqual([
          name,
          turn,
          { items: await pages(), next: null },
        ]);
      }
    }
    expect(await pages()).toHaveLength(303);
    socket?.close();
  });
});

describe("adding someone", () => {
  const add = (body: object, by = admin) => by.post(path("/members"), body);

  test("works by id or username, at once, and tells their screens", async () => {
    const socket = await outsider.socket();
    const answer = await add({ username: "OutSider" });
    expect(answer).toMatchObject({
      status: 201,
      body: { user: { id: outsider.user.id }, role: "member", status: expect.any(String) },
    });
    const added = await socket.next("room_added");
    expect(added.room).toMatchObject({ id: roomId, membership: { role: "member", unread: false } });
    expect((await outsider.get(path("/messages"))).status).toBe(200);
    await remove(owner, outsider);
    const again = await add({ user_id: outsider.user.id, role: "admin" });
    expect(again).toMatchObject({ status: 201, body: { role: "admin" } });
    socket.close();
  });

  test("refuses members, unknown and deactivated accounts, and the role of owner", async () => {
    await world.person(`gone-${roomId.slice(-6)}`, { isActive: false });
    expectProblem(await add({ username: "member" }), 409, "already_a_member");
    expectProblem(await add({ username: "nobody" }), 422, "unknown_user");
    expectProblem(await add({ user_id: Bun.randomUUIDv7() }), 422, "unknown_user");
    expectProblem(await add({ username: `gone-${roomId.slice(-6)}` }), 422, "unknown_user");
    expectProblem(await add({ username: "outsider", role: "owner" }), 422, "validation");
    expectProblem(await add({}), 422, "validation");
    expect(await memberCount()).toBe(3);
  });

  test("several times at once adds them once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => add({ username: "outsider" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await memberCount()).toBe(4);
  });
});

describe("roles", () => {
  test("the owner gives and takes the admin role", async () => {
    const response = await setRole(owner, member, "admin");
    expect(response).toMatchObject({ status: 200, body: { role: "admin", user: member.user } });
    expect((await setRole(owner, admin, "member")).body.role).toBe("member");
    expect(await roles()).toEqual({ owner: "owner", admin: "member", member: "admin" });
  });

  test("an admin can make members admins, but cannot demote one", async () => {
    expect((await setRole(admin, member, "admin")).status).toBe(200);
    expectProblem(await setRole(admin, member, "member"), 403, "role_required");
    expectProblem(await setRole(admin, admin, "member"), 403, "role_required");
    expect(await roles()).toMatchObject({ admin: "admin", member: "admin" });
  });

  test("the owner's role cannot be changed", async () => {
    expectProblem(await setRole(owner, owner, "member"), 409, "owner_role_fixed");
    expectProblem(await setRole(admin, owner, "member"), 409, "owner_role_fixed");
    expectProblem(await setRole(owner, member, "owner"), 422, "validation");
    expectProblem(await setRole(owner, outsider, "admin"), 404, "member_not_found");
  });
});

describe("removing someone", () => {
  test("an admin removes members, not admins nor the owner", async () => {
    await setRole(owner, member, "admin");
    expectProblem(await remove(admin, member), 403, "role_required");
    expectProblem(await remove(admin, owner), 403, "role_required");
    await setRole(owner, member, "member");
    expect(await remove(admin, member)).toMatchObject({ status: 204, body: "" });
    expectProblem(await remove(admin, member), 404, "member_not_found");
  });

  test("takes the room away at once, on REST and on open sockets", async () => {
    const socket = await member.socket();
    await socket.join(roomId);
    await remove(owner, member);
    expect(await socket.next("room_removed")).toMatchObject({ room_id: roomId });
    expectProblem(await member.get(path("/messages")), 403, "not_a_member");
    await owner.say(roomId, "behind your back");
    const heard = await socket.drain();
    expect(heard.filter((event) => event.type === "message" || event.type === "unread")).toEqual(
      [],
    );
    socket.close();
  });

  test("the owner cannot be removed, not even by the owner", async () => {
    expectProblem(await remove(owner, owner), 409, "owner_cannot_leave");
  });
});

describe("leaving", () => {
  test("is for members; the owner transfers first", async () => {
    expect((await member.post(path("/leave"))).status).toBe(204);
    expectProblem(await member.post(path("/leave")), 403, "not_a_member");
    expectProblem(await owner.post(path("/leave")), 409, "owner_cannot_leave");
    await transfer(owner, admin);
    expect((await owner.post(path("/leave"))).status).toBe(204);
  });
});

describe("transferring", () => {
  test("is refused to a bot, by the owner and by administrators", async () => {
    const bot = await world.bot("owning-bot", []);
    const roomId = await world.room("no-bot-owns", owner, [bot]);
    const admin = await world.person("transfers", { isSiteAdmin: true });
    for (const [by, to] of [
      [owner, `/api/rooms/${roomId}/transfer`],
      [admin, `/api/admin/rooms/${roomId}/transfer`],
    ] as const) {
      const answer = await by.post(to, { user_id: bot.user.id });
      expectProblem(answer, 422, "unknown_user");
      expect(answer.body.detail).toContain("bot");
    }
    expect((await owner.get(`/api/rooms/${roomId}`)).body.owner.id).toBe(owner.user.id);
  });

  test("makes the old owner an admin, and the room says who owns it", async () => {
    const answer = await transfer(owner, member);
    expect(answer).toMatchObject({
      status: 200,
      body: { owner: { id: member.user.id }, membership: { role: "admin" } },
    });
    expect(await roles()).toEqual({ owner: "admin", admin: "admin", member: "owner" });
    expectProblem(await transfer(owner, owner), 403, "role_required");
  });

  test("goes to active members only", async () => {
    const name = `asleep-${roomId.slice(-6)}`;
    const asleep = await world.person(name);
    await owner.post(path("/members"), { username: name });
    await world.database.sql`update users set is_active = false where username = ${name}`;
    expectProblem(await transfer(owner, asleep), 422, "unknown_user");
    expectProblem(await transfer(owner, outsider), 404, "member_not_found");
    expect(await roles()).toMatchObject({ owner: "owner" });
  });

  test("leaves one owner when two transfers run at once", async () => {
    const answers = await Promise.all([transfer(owner, admin), transfer(owner, member)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const { body } = await member.get(path("/members"));
    const list: Member[] = body.items;
    expect(list.filter((item) => item.role === "owner")).toHaveLength(1);
    expect(list.filter((item) => item.role === "admin")).toHaveLength(
      answers[0]?.status === 200 ? 1 : 2,
    );
  });
});

test("all members come in one answer where all are wanted, as in pages", async () => {
  const owner = await world.person("all-owner");
  const others = await Promise.all(
    ["zoe", "amy", "kim"].map((name) => world.person(`all-${name}`)),
  );
  const id = await world.room("all-members", owner, others, "open");
  const { body } = await owner.get(`/api/rooms/${id}/members?all=true&limit=1`);
  const names = ["all-amy", "all-kim", "all-owner", "all-zoe"];
  expect(body.items.map(({ user }: { user: { username: string } }) => user.username)).toEqual(
    names,
  );
  expect(body.next).toBeNull();
  const page = await owner.get(`/api/rooms/${id}/members?limit=2`);
  expect(page.body.items).toEqual(body.items.slice(0, 2));
  await others[0]?.patch("/api/auth/me", { display_name: "Zoe" });
  const after = await owner.get(`/api/rooms/${id}/members?all=true`);
  expect(after.body.items[3].user.display_name).toBe("Zoe");
});
