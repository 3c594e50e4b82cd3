import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MAX_BROADCAST_MEMBERS } from "../../src/wire/limits.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let ada: Client;
let bob: Client;
let eve: Client;
beforeAll(async () => {
  world = await World.start();
  [ada, bob, eve] = await Promise.all([
    world.person("ada"),
    world.person("bob"),
    world.person("eve"),
  ]);
});
afterAll(() => world.stop());

const countOf = async (client: Client, roomId: string) =>
  (await client.get(`/api/rooms/${roomId}`)).body.membership.mention_count;

const rowsOf = (messageId: string) => world.database.sql`
  select kind, user_ids from message_broadcasts where message_id = ${messageId}`;

/** Waits until a person's connection is written down, as `@here` finds it. */
async function connect(client: Client) {
  const socket = await client.socket();
  await eventually(async () => {
    const rows = await world.database.sql`
      select from presence where user_id = ${client.user.id}`;
    return rows.length === 1;
  });
  return socket;
}

describe("@room", () => {
  test("mentions every other member once, with one row", async () => {
    const room = await world.room("all", ada, [bob, eve]);
    const { id, broadcast, mentions } = await ada.say(room, "@Room, tea? @bob too");
    expect({ broadcast, mentions }).toEqual({
      broadcast: "room",
      mentions: [{ user_id: bob.user.id, username: "bob" }],
    });
    expect(await Promise.all([bob, eve, ada].map((who) => countOf(who, room)))).toEqual([1, 1, 0]);
    expect([...(await rowsOf(id))]).toEqual([{ kind: "room", user_ids: null }]);
    await bob.post(`/api/rooms/${room}/read`);
    expect(await countOf(bob, room)).toBe(0);
    expect((await eve.get(`/api/messages/${id}`)).body.broadcast).toBe("room");
  });

  test("says so to those who have the room closed, with one publish", async () => {
    const room = await world.room("all-told", ada, [bob, eve]);
    const [away, other, author, open] = await Promise.all([
      bob.socket(),
      eve.socket(),
      ada.socket(),
      eve.socket(),
    ]);
    await open.join(room);
    await ada.say(room, "@room");
    const heard = async (socket: typeof away) => (await socket.next("unread")).mention;
    expect(await Promise.all([away, other, author].map(heard))).toEqual([true, true, false]);
    expect((await open.next("message")).message.broadcast).toBe("room");
    await ada.say(room, "plain");
    expect(await Promise.all([away, author].map(heard))).toEqual([false, false]);
    for (const socket of [away, other, author, open]) socket.close();
  });

  test("does not mention those who join later", async () => {
    const room = await world.room("all-before", ada);
    await ada.say(room, "@room");
    await ada.post(`/api/rooms/${room}/members`, { user_id: bob.user.id });
    expect(await countOf(bob, room)).toBe(0);
  });

  test("comes and goes with an edit", async () => {
    const room = await world.room("all-edited", ada, [bob]);
    const { id } = await ada.say(room, "`@room` is not for all");
    expect(await countOf(bob, room)).toBe(0);
    const edit = async (content: string) =>
      (await ada.patch(`/api/messages/${id}`, { content })).body.broadcast;
    expect([await edit("@room"), await countOf(bob, room)]).toEqual(["room", 1]);
    expect([await edit("nobody"), await countOf(bob, room)]).toEqual([null, 0]);
    expect((await rowsOf(id)).length).toBe(0);
  });

  test("of a webhook is taken whatever the size, and Slack's names mean it", async () => {
    const room = await world.room("all-by-webhook", ada, [bob]);
    await grow(room);
    const { url } = (await ada.post(`/api/rooms/${room}/incoming-webhooks`, { name: "CI" })).body;
    const body = JSON.stringify({ text: "<!channel> it burns" });
    const address = world.service.address + new URL(url).pathname;
    expect((await fetch(address, { method: "POST", body })).status).toBe(200);
    expect(await countOf(bob, room)).toBe(1);
    // Nobody wrote it: the one who made the webhook is mentioned too.
    expect(await countOf(ada, room)).toBe(1);
  });

  test("and @here are no usernames", async () => {
    const invite = async (username: string) => {
      const bots = await world.person(`admin-for-${username}`, { isSiteAdmin: true });
      return bots.post("/api/admin/bots", { username });
    };
    expectProblem(await invite("room"), 409, "username_taken");
    expectProblem(await invite("here"), 409, "username_taken");
  });
});

describe("@here", () => {
  test("mentions those who are connected when it is sent, shown as online or not", async () => {
    const ghost = await world.person("ghost", { appearOffline: true });
    const late = await world.person("late");
    const room = await world.room("online", ada, [bob, late, ghost]);
    const sockets = await Promise.all([connect(bob), connect(ghost)]);
    const { id } = await ada.say(room, "@here, who has a minute?");
    expect(await sockets[0].next("unread")).toMatchObject({ mention: true });
    const counts = await Promise.all([bob, ghost, late, ada].map((who) => countOf(who, room)));
    expect(counts).toEqual([1, 1, 0, 0]);
    expect(await rowsOf(id)).toHaveLength(1);
    // Who comes later is not mentioned by a later edit.
    sockets.push(await connect(late));
    await ada.patch(`/api/messages/${id}`, { content: "@here, who has two minutes?" });
    expect(await countOf(late, room)).toBe(0);
    for (const socket of sockets) socket.close();
  });

  test("finds nobody where nobody is connected", async () => {
    const [owner, member] = await Promise.all([world.person("alone"), world.person("asleep")]);
    const room = await world.room("silent", owner, [member]);
    const { id } = await owner.say(room, "@here");
    expect([...(await rowsOf(id))]).toEqual([{ kind: "here", user_ids: [] }]);
    expect(await countOf(member, room)).toBe(0);
  });
});

describe("in a large room", () => {
  let room: string;
  let bot: Client;
  beforeAll(async () => {
    bot = await world.bot("machine", ["read:messages", "write:messages"]);
    room = await world.room("large", ada, [bob, eve, bot]);
    await ada.patch(`/api/rooms/${room}/members/${eve.user.id}`, { role: "admin" });
  });

  test("everyone may, up to the limit", async () => {
    await grow(room, MAX_BROADCAST_MEMBERS);
    await bob.say(room, "@room, we are still few");
    await grow(room);
  });

  test.each(["room", "here"])("only owner and admins may use @%s", async (name) => {
    const before = (await bob.get(`/api/rooms/${room}`)).body.seq;
    for (const client of [bob, bot]) {
      const content = `@${name} hello`;
      const answer = await client.post(`/api/rooms/${room}/messages`, { content });
      expectProblem(answer, 422, "broadcast_restricted");
    }
    const socket = await bob.socket();
    const client_id = crypto.randomUUID();
    socket.send({ type: "message", room_id: room, content: `hey @${name}`, client_id });
    const event = await socket.next("error");
    expect(event).toMatchObject({ code: "broadcast_restricted", client_id });
    socket.close();
    expect((await bob.get(`/api/rooms/${room}`)).body.seq).toBe(before);
    for (const client of [ada, eve]) await client.say(room, `@${name} hello`);
  });

  test("an edit may not add it, but leave it where it was", async () => {
    const plain = await bob.say(room, `\`@room\` in code and @here-abouts`);
    const add = await bob.patch(`/api/messages/${plain.id}`, { content: "@here" });
    expectProblem(add, 422, "broadcast_restricted");
    expect((await bob.get(`/api/messages/${plain.id}`)).body.edited_at).toBeNull();
    const { items } = (await bob.get(`/api/rooms/${room}/messages?limit=200`)).body;
    const { id } = items.find((item: { content: string }) => item.content?.includes("still few"));
    const edited = await bob.patch(`/api/messages/${id}`, { content: "@room, we were few" });
    expect(edited).toMatchObject({ status: 200, body: { broadcast: "room" } });
  });

  test("a refused draft takes no one with it", async () => {
    const contents = ["plain", "@room", "@eve", "@here", "also plain"];
    const answers = await Promise.all(
      contents.map((content) => bob.post(`/api/rooms/${room}/messages`, { content })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 201, 422, 201]);
  });
});

/** Adds members up to this count; without one, one more than the limit. */
async function grow(roomId: string, count = MAX_BROADCAST_MEMBERS + 1): Promise<void> {
  const { sql } = world.database;
  await sql`
    with room as (select member_count from rooms where id = ${roomId}), added as (
      insert into users (id, username, email)
      select id, name, name || '@example.org' from (
        select 'm' || substr(gen_random_uuid()::text, 1, 13) as name, gen_random_uuid() as id
        from room, generate_series(member_count + 1, ${count}::int)
      ) new returning id
    )
    insert into memberships (room_id, user_id, role) select ${roomId}, id, 'member' from added`;
  await sql`
    update rooms set member_count = (select count(*) from memberships where room_id = ${roomId})
    where id = ${roomId}`;
}
