import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { type Client, expectProblem, type Json } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { World } from "../support/world.ts";

let world: World;
let [ada, ben, cleo, admin] = [] as unknown as [Client, Client, Client, Client];
let people = 0;
beforeAll(async () => {
  world = await World.start();
  [ada, ben, cleo] = (await Promise.all(
    ["ada", "ben", "cleo"].map((name) => world.person(name)),
  )) as [Client, Client, Client];
  admin = await world.person("admin", { isSiteAdmin: true });
});
afterAll(() => world.stop());

const newcomer = (values = {}) => world.person(`person-${people++}`, values);
const idsOf = (clients: Client[]) => clients.map(({ user }) => user.id);

/** Opens a conversation, and expects that it is new. */
async function open(opener: Client, ...others: Client[]): Promise<Json> {
  const { status, body } = await opener.post("/api/direct", { user_ids: idsOf(others) });
  expect(status).toBe(201);
  return body;
}

async function list(client: Client, query = ""): Promise<string[]> {
  const { status, body } = await client.get(`/api/direct?limit=200${query}`);
  expect(status).toBe(200);
  return body.items.map(({ id }: Json) => id);
}

describe("opening a conversation", () => {
  test("makes one with its members, which both find", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const direct = await open(a, b);
    expect(direct).toMatchObject({
      kind: "pair",
      last_message_at: null,
      is_closed: false,
      seq: 0,
      membership: {
        notify: "all",
        muted_until: null,
        unread: false,
        unread_count: 0,
        hidden_at: null,
        pinned_at: null,
      },
    });
    expect(direct.members.map(({ user }: Json) => user.id).toSorted()).toEqual(
      idsOf([a, b]).toSorted(),
    );
    const again = await b.post("/api/direct", { user_ids: [a.user.id, a.user.id, b.user.id] });
    expect(again).toMatchObject({ status: 200, body: { id: direct.id } });
    expect(await list(a)).toEqual([direct.id]);
    expect(await list(b)).toEqual([direct.id]);
    expect((await b.get(`/api/direct/${direct.id}`)).body).toEqual(again.body);
  });

  test("with nobody makes notes to oneself", async () => {
    const a = await newcomer();
    const notes = await open(a);
    expect(notes).toMatchObject({ kind: "self", members: [{ user: { id: a.user.id } }] });
    const again = await a.post("/api/direct", { user_ids: [a.user.id] });
    expect(again).toMatchObject({ status: 200, body: { id: notes.id } });
  });

  test("a hundred times at once makes one", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (n % 2 ? a : b).post("/api/direct", { user_ids: [(n % 2 ? b : a).user.id] }),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
  });

  test("refuses too many, and what is no list", async () => {
    const nine = Array.from({ length: 9 }, () => Bun.randomUUIDv7());
    expectProblem(await ada.post("/api/direct", { user_ids: nine }), 409, "too_many");
    expectProblem(await ada.post("/api/direct", {}), 422, "validation");
  });

  test("answers the same for an unknown id, a deactivated person and a bot out of sight", async () => {
    const gone = await newcomer({ isActive: false });
    const bot = await world.bot("hidden-bot", []);
    const answers = await Promise.all(
      [Bun.randomUUIDv7(), gone.user.id, bot.user.id].map((id) =>
        ada.post("/api/direct", { user_ids: [id] }),
      ),
    );
    for (const answer of answers) {
      expectProblem(answer, 404, "user_not_found");
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });
});

describe("a bot", () => {
  test("is reached by those who share a room with it, and reaches them", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const bot = await world.bot("helper", ["read:messages", "write:messages"]);
    expectProblem(await bot.post("/api/direct", { user_ids: [a.user.id] }), 404, "user_not_found");
    const room = await world.room("helped", a, [b, bot]);
    const direct = await open(bot, a);
    expect(await a.post("/api/direct", { user_ids: [bot.user.id] })).toMatchObject({ status: 200 });
    expect((await bot.say(direct.id, "hello")).author.is_bot).toBe(true);
    // A conversation is no room that they share.
    await a.delete(`/api/rooms/${room}/members/${bot.user.id}`);
    expectProblem(await bot.post("/api/direct", { user_ids: [b.user.id] }), 404, "user_not_found");
    expect(await bot.post("/api/direct", { user_ids: [a.user.id] })).toMatchObject({ status: 200 });
  });

  test("has no notes, no groups, and no word with another bot", async () => {
    const scopes = ["read:messages", "write:messages"] as const;
    const [bot, other] = [await world.bot("one", [...scopes]), await world.bot("two", [...scopes])];
    await world.room("both", ada, [ben, bot, other]);
    for (const user_ids of [[], idsOf([ada, ben])]) {
      expectProblem(await bot.post("/api/direct", { user_ids }), 403, "not_for_bots");
    }
    const answer = await bot.post("/api/direct", { user_ids: [other.user.id] });
    expectProblem(answer, 404, "user_not_found");
  });

  test("is in the groups that people open with it, and is added to none", async () => {
    const bot = await world.bot("late", ["read:messages", "write:messages"]);
    const out = await world.bot("out-of-sight", []);
    await world.room("late-room", ada, [bot]);
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(ada, a, b);
    await a.say(id, "among people");
    const add = (who: Client) => ada.post(`/api/direct/${id}/members`, { user_id: who.user.id });
    expectProblem(await add(bot), 403, "not_for_bots");
    expectProblem(await add(out), 404, "user_not_found");
    expectProblem(await bot.get(`/api/rooms/${id}/messages`), 404, "room_not_found");
    const withBot = await open(ada, a, bot);
    await ada.say(withBot.id, "with a bot from the start");
    expect((await bot.get(`/api/rooms/${withBot.id}/messages`)).body.items).toHaveLength(1);
  });

  test("begins twenty an hour", async () => {
    const owner = await newcomer();
    const partners = await Promise.all(Array.from({ length: 21 }, () => newcomer()));
    const bot = await world.bot("eager", ["write:messages"]);
    await world.room("eager-room", owner, [bot, ...partners]);
    const last = partners.pop() as Client;
    for (const partner of partners) await open(bot, partner);
    const response = await bot.post("/api/direct", { user_ids: [last.user.id] });
    expectProblem(response, 429, "rate_limited");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    const answer = await bot.post("/api/direct", { user_ids: [partners[0]?.user.id] });
    expect(answer.status).toBe(200);
    // A person may still write to it.
    await open(last, bot);
  });
});

describe("a conversation is no room", () => {
  test("to those routes that are of rooms, which answer as if there were none", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const calls: [method: string, path: string, body?: unknown][] = [
      ["GET", ""],
      ["PATCH", "", { description: "x" }],
      ["DELETE", ""],
      ["POST", "/join"],
      ["POST", "/leave"],
      ["POST", "/transfer", { user_id: b.user.id }],
      ["GET", "/members"],
      ["POST", "/members", { user_id: b.user.id }],
      ["PATCH", `/members/${b.user.id}`, { role: "admin" }],
      ["DELETE", `/members/${b.user.id}`],
      ["GET", "/incoming-webhooks"],
      ["POST", "/incoming-webhooks", { name: "x" }],
      ["GET", "/outgoing-webhooks"],
    ];
    for (const [method, path, body] of calls) {
      const [answer, never] = await Promise.all(
        [id, Bun.randomUUIDv7()].map((item) => a.call(method, `/api/rooms/${item}${path}`, body)),
      );
      expect([path, answer?.status, answer?.body]).toEqual([path, 404, never?.body]);
    }
  });

  test("in lists of rooms and for administrators", async () => {
    const [a, b] = [await newcomer(), admin];
    const { id } = await open(a, b);
    await a.say(id, "to an administrator");
    for (const client of [a, b]) {
      for (const path of ["/api/rooms", "/api/rooms/browse"]) {
        expect((await client.get(`${path}?limit=200`)).body.items).not.toContainEqual(
          expect.objectContaining({ id }),
        );
      }
    }
    const { body } = await admin.get("/api/admin/rooms?limit=200");
    expect(body.items.map((room: Json) => room.id)).not.toContain(id);
    for (const [method, path, sent] of [
      ["POST", "/archive"],
      ["POST", "/transfer", { user_id: a.user.id }],
      ["PATCH", "", { is_default: true }],
    ] as const) {
      expectProblem(
        await admin.call(method, `/api/admin/rooms/${id}${path}`, sent),
        404,
        "room_not_found",
      );
    }
    const invite = { email: "x@example.org", room_ids: [id] };
    expectProblem(await admin.post("/api/admin/invites", invite), 422, "validation");
  });

  test("to administrators, who see the number and size of all together", async () => {
    const before = (await admin.get("/api/admin/overview")).body.directs;
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const { body: image } = await a.upload(`/api/rooms/${id}/images`, PNG);
    expect((await admin.get("/api/admin/overview")).body.directs).toEqual({
      count: before.count + 1,
      bytes: before.bytes + image.size_bytes,
    });
  });

  test("and a room is no conversation", async () => {
    const id = await world.room("plain-room", ada, [ben]);
    const never = await ada.get(`/api/direct/${Bun.randomUUIDv7()}`);
    expectProblem(never, 404, "room_not_found");
    for (const [method, path, body] of [
      ["GET", ""],
      ["POST", "/members", { user_id: cleo.user.id }],
      ["POST", "/leave"],
      ["POST", "/room", { name: "x" }],
    ] as const) {
      const answer = await ada.call(method, `/api/direct/${id}${path}`, body);
      expect([answer.status, answer.body]).toEqual([404, never.body]);
    }
    const hide = await ada.patch(`/api/rooms/${id}/membership`, { hidden: true });
    expectProblem(hide, 422, "validation");
  });
});

describe("the messages of a conversation", () => {
  test("are posted, read, changed and marked as those of a room", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const first = await a.say(id, "hello @nobody");
    const image = await a.upload(`/api/rooms/${id}/images`, PNG);
    expect(image.status).toBe(201);
    await a.say(id, "a picture", { image_id: image.body.id });
    const { body } = await b.get(`/api/direct/${id}`);
    expect(body.membership).toMatchObject({ unread: true, unread_count: 2 });
    const history = await b.get(`/api/rooms/${id}/messages`);
    expect(history.body.items.map(({ content }: Json) => content)).toEqual([
      "hello @nobody",
      "a picture",
    ]);
    expect((await b.get(image.body.url)).status).toBe(200);
    expect((await b.get(`/api/rooms/${id}/changes?after=0`)).body.items).toHaveLength(2);
    expect((await b.post(`/api/messages/${first.id}/reactions`, { emoji: "👍" })).status).toBe(200);
    expectProblem(await b.delete(`/api/messages/${first.id}`), 403, "role_required");
    const mark = await b.post(`/api/rooms/${id}/read`, { message_id: first.id });
    expect(mark.body).toMatchObject({ unread: true, unread_count: 1 });
    expect((await b.post(`/api/rooms/${id}/read`, {})).body).toMatchObject({ unread_count: 0 });
    expect((await a.delete(`/api/messages/${first.id}`)).status).toBe(204);
  });

  test("have the last of each in a list that asks for it, while it exists", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const last = async (query: string) => (await a.get(`/api/direct${query}`)).body.items[0];
    expect(await last("?last_message=true")).toMatchObject({ id, last_message: null });
    const first = await a.say(id, "the first");
    const second = await b.say(id, `**bold** ${"word ".repeat(100)}`);
    const { last_message } = await last("?last_message=true");
    expect(last_message.id).toBe(second.id);
    expect(last_message.author_id).toBe(b.user.id);
    expect(last_message.excerpt).toStartWith("bold word word");
    expect(last_message.excerpt.length).toBeLessThan(150);
    expect(await last("")).not.toHaveProperty("last_message");
    await b.delete(`/api/messages/${second.id}`);
    expect((await last("?last_message=true")).last_message).toEqual({
      id: first.id,
      author_id: a.user.id,
      excerpt: "the first",
    });
  });

  test("mention nobody with @room, posted or edited, except in code", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const posted = await a.post(`/api/rooms/${id}/messages`, { content: "@room hello" });
    expectProblem(posted, 422, "broadcast_restricted");
    const message = await a.say(id, "say `@room` to all");
    const edited = await a.patch(`/api/messages/${message.id}`, { content: "@here" });
    expectProblem(edited, 422, "broadcast_restricted");
  });

  test("are counted up to a hundred", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    await Promise.all(Array.from({ length: 103 }, (_, n) => a.say(id, `${n}`)));
    await b.say(id, "one of my own");
    const { body } = await b.get("/api/direct");
    expect(body.items[0].membership).toMatchObject({ unread: true, unread_count: 100 });
  });
});

describe("the list", () => {
  test("is ordered by the last message, in pages", async () => {
    const a = await newcomer();
    const partners = await Promise.all(Array.from({ length: 5 }, () => newcomer()));
    const ids: string[] = [];
    for (const partner of partners) ids.push((await open(a, partner)).id);
    await a.say(ids[1] as string, "the newest");
    const wanted = [1, 4, 3, 2, 0].map((n) => ids[n]);
    expect(await list(a)).toEqual(wanted as string[]);
    const paged: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await a.get(`/api/direct?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...body.items.map(({ id }: Json) => id));
      if (!body.next) break;
      cursor = body.next;
    }
    expect(paged).toEqual(wanted as string[]);
    expectProblem(await a.get("/api/direct?cursor=bm8"), 422, "validation");
  });

  test("leaves out what was hidden, until the next message", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    await a.say(id, "first");
    const hide = (client: Client, hidden: boolean) =>
      client.patch(`/api/rooms/${id}/membership`, { hidden });
    expect(await hide(a, true)).toMatchObject({
      status: 200,
      body: { id, membership: { hidden_at: expect.any(String) } },
    });
    expect(await list(a)).toEqual([]);
    expect(await list(a, "&all=true")).toEqual([id]);
    // What is unread is never hidden.
    await hide(b, true);
    expect(await list(b)).toEqual([id]);
    await b.say(id, "second");
    expect(await list(a)).toEqual([id]);
    await b.post(`/api/rooms/${id}/read`, {});
    await hide(b, true);
    expect(await list(b)).toEqual([]);
    await hide(b, false);
    expect(await list(b)).toEqual([id]);
  });

  test("has what was pinned and muted", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const { body } = await a.patch(`/api/rooms/${id}/membership`, { notify: "none", pinned: true });
    expect(body.membership).toMatchObject({ notify: "none", pinned_at: expect.any(String) });
    expect((await b.get(`/api/direct/${id}`)).body.membership).toMatchObject({ notify: "all" });
  });
});

describe("a group", () => {
  test("grows and shrinks, and is found by who is in it", async () => {
    const [a, b, c, d] = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()]);
    const { id, kind } = await open(a, b, c);
    expect(kind).toBe("group");
    await a.say(id, "before d");
    const grown = await b.post(`/api/direct/${id}/members`, { user_id: d.user.id });
    expect(grown).toMatchObject({ status: 201, body: { id, kind: "group" } });
    expect(grown.body.members).toHaveLength(4);
    // Everything said before is theirs to read, and none of it unread.
    expect((await d.get(`/api/rooms/${id}/messages`)).body.items).toHaveLength(1);
    expect((await d.get(`/api/direct/${id}`)).body.membership.unread).toBe(false);
    const response = await d.post("/api/direct", { user_ids: idsOf([a, b, c]) });
    expect(response).toMatchObject({ status: 200, body: { id } });
    const other = await open(a, b, c);
    expect(other.id).not.toBe(id);

    expect((await d.post(`/api/direct/${id}/leave`)).status).toBe(204);
    expectProblem(await d.get(`/api/direct/${id}`), 404, "room_not_found");
    expectProblem(await d.get(`/api/rooms/${id}/messages`), 404, "room_not_found");
    // The other has that set.
    const both = await a.post("/api/direct", { user_ids: idsOf([b, c]) });
    expect(both).toMatchObject({ status: 200, body: { id: other.id } });

    const changes = (await a.get(`/api/rooms/${id}/changes?after=0`)).body.items;
    expect(changes).toMatchObject([
      { type: "message" },
      { type: "member_added", user_id: d.user.id, actor_id: b.user.id },
      { type: "member_removed", user_id: d.user.id, actor_id: d.user.id },
    ]);
  });

  test("of one is closed, and of two takes no pair's place", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const { id } = await open(a, b, c);
    await a.say(id, "hello");
    await c.post(`/api/direct/${id}/leave`);
    await open(a, b);
    await b.post(`/api/direct/${id}/leave`);
    expect((await a.get(`/api/direct/${id}`)).body).toMatchObject({ is_closed: true });
    const posted = await a.post(`/api/rooms/${id}/messages`, { content: "alone" });
    expectProblem(posted, 409, "conversation_closed");
    // As a room the one who is left could add others, who would read what those who left have said.
    const response = await a.post(`/api/direct/${id}/room`, { name: "of-one" });
    expectProblem(response, 409, "conversation_closed");
    expect((await a.get(`/api/rooms/${id}/messages`)).body.items).toHaveLength(1);
    expect((await a.post(`/api/direct/${id}/leave`)).status).toBe(204);
    expect(await list(a, "&all=true")).not.toContain(id);
  });

  test("leaves to each what they have said, and no trace in the list of what was administered", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), admin]);
    const { id } = await open(a, b, c);
    const message = await b.say(id, "mine to delete");
    for (const other of [a, c]) {
      expectProblem(await other.delete(`/api/messages/${message.id}`), 403, "role_required");
      const edited = await other.patch(`/api/messages/${message.id}`, { content: "x" });
      expect(edited.status).toBe(403);
    }
    expect((await b.delete(`/api/messages/${message.id}`)).status).toBe(204);
    await a.post(`/api/direct/${id}/leave`);
    const [row] = await world.database.sql<{ count: number }[]>`
      select count(*)::int as count from admin_audit_log a
      where a::text like ${`%${id}%`} or a::text like ${`%${a.user.id}%`}`;
    expect(row?.count).toBe(0);
  });

  test("refuses a tenth person, a member and an unknown id; a pair refuses all", async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => newcomer()));
    const [a, ...rest] = many as [Client, ...Client[]];
    const last = rest.pop() as Client;
    const full = await open(a, ...rest);
    const add = (id: string, user_id: string) => a.post(`/api/direct/${id}/members`, { user_id });
    expectProblem(await add(full.id, last.user.id), 409, "too_many");
    expectProblem(await add(full.id, rest[0]?.user.id as string), 409, "already_a_member");
    const three = await open(a, ...rest.slice(0, 2));
    expectProblem(await add(three.id, Bun.randomUUIDv7()), 404, "user_not_found");
    for (const { id } of [await open(a, last), await open(a)]) {
      expectProblem(await add(id, rest[0]?.user.id as string), 422, "not_for_direct");
      expectProblem(await a.post(`/api/direct/${id}/leave`), 422, "not_for_direct");
      const response = await a.post(`/api/direct/${id}/room`, { name: "x" });
      expectProblem(response, 422, "not_for_direct");
    }
  });

  test("becomes a room with its history, which its maker owns and all others administer", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const { id } = await open(a, b, c);
    const message = await a.say(id, "as a conversation");
    await world.room("name-taken", ada);
    const response = await b.post(`/api/direct/${id}/room`, { name: "name-taken" });
    expectProblem(response, 409, "room_name_taken");
    const answer = await b.post(`/api/direct/${id}/room`, {
      name: "grown-up",
      description: "We are",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        name: "grown-up",
        description: "We are",
        privacy: "private",
        member_count: 3,
        private_until_seq: message.seq,
        owner: { id: b.user.id },
        membership: { role: "owner" },
      },
    });
    for (const other of [a, c]) {
      expect((await other.get(`/api/rooms/${id}`)).body.membership.role).toBe("admin");
    }
    expect((await c.get(`/api/rooms/${id}/messages`)).body.items).toHaveLength(1);
    expect(await list(a, "&all=true")).not.toContain(id);
    const { body } = await a.get(`/api/rooms/${id}/changes?after=0`);
    expect(body.items.map(({ type }: Json) => type)).toEqual(["message", "room_updated"]);
    // The set is free again.
    await open(a, b, c);
  });
});

describe("a deactivated partner", () => {
  test("closes the conversation of two, and opens it by coming back", async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    const { id } = await open(a, b);
    const own = await a.say(id, "before");
    await world.administer(b.user.username, deactivateUser);
    const { body } = await a.get(`/api/direct/${id}`);
    expect(body.is_closed).toBe(true);
    for (const answer of [
      await a.post(`/api/rooms/${id}/messages`, { content: "after" }),
      await a.post(`/api/rooms/${id}/messages`, { content: "see https://example.org" }),
      await a.patch(`/api/messages/${own.id}`, { content: "after" }),
      await a.post(`/api/messages/${own.id}/reactions`, { emoji: "👍" }),
      await a.upload(`/api/rooms/${id}/images`, PNG),
    ]) {
      expectProblem(answer, 409, "conversation_closed");
    }
    expect(await a.post("/api/direct", { user_ids: [b.user.id] })).toMatchObject({ status: 200 });
    expect((await a.get(`/api/rooms/${id}/messages`)).body.items).toHaveLength(1);
    expect((await a.delete(`/api/messages/${own.id}`)).status).toBe(204);
    await world.administer(b.user.username, reactivateUser);
    expect((await a.get(`/api/direct/${id}`)).body.is_closed).toBe(false);
    await a.say(id, "welcome back");
  });

  test("does not close a group", async () => {
    const [a, b, c] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const { id } = await open(a, b, c);
    await world.administer(c.user.username, deactivateUser);
    expect((await a.get(`/api/direct/${id}`)).body.is_closed).toBe(false);
    await a.say(id, "we go on");
  });
});
