import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser, setUserPassword } from "../../src/accounts/administer.ts";
import { sweepExpired } from "../../jobs/prune.ts";
import { hashPassword } from "../../src/sign-in/passwords.ts";
import { endSessions } from "../../src/authentication/sessions.ts";
import type { UserRow } from "../../src/users/users.ts";
import { requireBot } from "../../src/admin/bots.ts";
import { createToken, revokeToken } from "../../src/admin/tokens.ts";
import { COMMAND_LINE } from "../../src/audit/write.ts";
import type { Transaction } from "../../src/database/connect.ts";
import { MAX_BROADCAST_MEMBERS, MAX_SCHEDULED } from "../../src/wire/limits.ts";
import type { DraftCopy } from "../../src/wire/drafts.ts";
import type { Scheduled } from "../../src/wire/scheduled-messages.ts";
import type { Message } from "../../src/wire/models.ts";
import type { Scope } from "../../src/wire/scopes.ts";
import { Client, expectProblem } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { inMinutes, makeDue, passTime, setStage, type Stage, untilDone } from "./stage.ts";
import { eventually } from "../support/wait.ts";

let stage: Stage;
let ada: Client;
beforeAll(async () => {
  stage = await setStage();
  ada = stage.ada;
});
afterAll(() => stage.world.stop());

const zone = "Europe/Lisbon";
const ask = (client: Client, room_id: string, content: string, more = {}) =>
  client.post("/api/scheduled", { room_id, content, send_at: inMinutes(5), zone, ...more });
async function plan(room: string, content: string, more = {}, client = ada): Promise<Scheduled> {
  const { status, body } = await ask(client, room, content, more);
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}
const list = async (client: Client): Promise<Scheduled[]> =>
  (await client.get("/api/scheduled?limit=200")).body.items;
const find = async (id: string, client = ada) =>
  (await list(client)).find((item) => item.id === id);
const textsOf = async (room: string, client = stage.owner) =>
  (await client.get(`/api/rooms/${room}/messages?limit=200`)).body.items.map(
    ({ content }: Message) => content,
  );
const draftOf = async (room: string, client = ada): Promise<DraftCopy | undefined> =>
  (await client.get("/api/drafts")).body.items.find((item: DraftCopy) => item.room_id === room);
const reset = async (tx: Transaction, user: UserRow) =>
  setUserPassword(tx, COMMAND_LINE, user, await hashPassword("a new password 42", []));
/** Lets the time of everything that waits come, and its jobs run. */
async function send(minutes = 10): Promise<void> {
  await passTime(stage.world, minutes);
  await untilDone(stage.world, "send_scheduled");
  // Nothing but what is refused for good fails.
  const { sql } = stage.world.database;
  expect([...(await sql`select kind, last_error from jobs where last_error is not null`)]).toEqual(
    [],
  );
}

describe("a scheduled message", () => {
  test("waits in its author's list, on all own sockets, and in nobody else's", async () => {
    const { id: room, name } = await stage.newRoom();
    const [socket, other] = [await ada.socket(), await stage.ben.socket()];
    const send_at = inMinutes(60);
    const planned = await plan(room, "Good morning", { send_at });
    expect(planned).toEqual({
      id: expect.any(String),
      room_id: room,
      room: { id: room, kind: "room", name },
      thread_id: null,
      quote_id: null,
      content: "Good morning",
      image: null,
      file: null,
      group_id: null,
      send_at,
      zone,
      state: "waiting",
      reason: null,
      message_id: null,
      sent_late: false,
      ended_at: null,
      created_at: expect.any(String),
    });
    const { id } = planned;
    const event = await socket.next((event) => event.type === "scheduled" && event.id === id);
    expect(event).toEqual({ type: "scheduled", id, scheduled: planned });
    expect(await find(id)).toEqual(planned);
    for (const client of [stage.ben, stage.owner]) {
      expect(await list(client)).toEqual([]);
      for (const [method, path] of [
        ["PATCH", `/api/scheduled/${id}`],
        ["DELETE", `/api/scheduled/${id}`],
        ["POST", `/api/scheduled/${id}/send-now`],
      ] as const) {
        const body = method === "PATCH" ? { content: "mine" } : undefined;
        const [there, never] = [
          await client.call(method, path, body),
          await client.call(method, path.replace(id, Bun.randomUUIDv7()), body),
        ];
        expectProblem(there, 404, "scheduled_not_found");
        expect(there.body).toEqual(never.body);
      }
    }
    expect(await textsOf(room)).toEqual([]);
    expect((await other.drain()).some(({ type }) => type === "scheduled")).toBe(false);
    socket.close();
    other.close();
  });

  test("is posted once at its time, with its id, its uploads and its mentions", async () => {
    const { id: room } = await stage.newRoom();
    const image = (await ada.upload(`/api/rooms/${room}/images`, PNG)).body;
    const root = await stage.ben.say(room, "the root");
    const more = { image_id: image.id, image_alt: "a dot", thread_id: root.id, quote_id: root.id };
    const { id, image: shown } = await plan(room, "@ben look", more);
    expect(shown).toEqual({ ...image, alt: "a dot" });
    const socket = await ada.socket();
    await send();
    const { scheduled } = await socket.next(
      (event) => event.type === "scheduled" && event.scheduled?.state === "sent",
    );
    const message = (await ada.get(`/api/messages/${scheduled.message_id}`)).body;
    expect(message).toMatchObject({
      content: "@ben look",
      client_id: id,
      image: { id: image.id, alt: "a dot" },
      mentions: [{ username: "ben" }],
      thread_id: root.id,
    });
    expect(await find(id)).toMatchObject({ state: "sent", message_id: message.id });
    // Its job finds nothing more.
    await makeDue(stage.world, "send_scheduled");
    await untilDone(stage.world, "send_scheduled");
    const [row] = await stage.world.database.sql<{ count: number }[]>`
      select count(*)::int as count from messages where client_id = ${id}`;
    expect(row?.count).toBe(1);
    socket.close();
  });

  test("is changed, deleted, and sent at once while it waits, and not after", async () => {
    const { id: room } = await stage.newRoom();
    const [one, two, three] = [
      await plan(room, "one"),
      await plan(room, "two"),
      await plan(room, "three"),
    ];
    const send_at = inMinutes(600);
    const changed = { content: "one, later", send_at, zone: "Asia/Tokyo" };
    expect((await ada.patch(`/api/scheduled/${one.id}`, changed)).body).toEqual({
      ...one,
      ...changed,
    });
    expect((await ada.patch(`/api/scheduled/${one.id}`, {})).body).toMatchObject(changed);
    expect((await ada.delete(`/api/scheduled/${two.id}`)).status).toBe(204);
    expect(await find(two.id)).toBeUndefined();
    const response = await ada.post(`/api/scheduled/${three.id}/send-now`);
    expect(response).toMatchObject({
      status: 201,
      body: { content: "three", client_id: three.id },
    });
    await send();
    expect(await textsOf(room)).toEqual(["three"]);
    const { id } = three;
    for (const answer of [
      await ada.patch(`/api/scheduled/${id}`, { content: "again" }),
      await ada.delete(`/api/scheduled/${id}`),
      await ada.post(`/api/scheduled/${id}/send-now`),
    ]) {
      expectProblem(answer, 409, "already_sent");
    }
    await send(600);
    expect(await textsOf(room)).toEqual(["three", "one, later"]);
  });

  test("that a process has begun to send can no longer be changed", async () => {
    const { id: room } = await stage.newRoom();
    const { id } = await plan(room, "on its way");
    await stage.world.database.sql`
      update scheduled_messages set sending_at = clock_timestamp() where id = ${id}`;
    expectProblem(await ada.patch(`/api/scheduled/${id}`, { content: "x" }), 409, "already_sent");
    expectProblem(await ada.delete(`/api/scheduled/${id}`), 409, "already_sent");
    // The process died: another one goes on.
    await send();
    expect(await textsOf(room)).toEqual(["on its way"]);
  });

  test("with a known client_id is the first one", async () => {
    const { id: room } = await stage.newRoom();
    const client_id = Bun.randomUUIDv7();
    const first = await plan(room, "first", { client_id });
    expect(first.id).toBe(client_id);
    const again = await ask(ada, room, "second", { client_id });
    expect([again.status, again.body]).toEqual([200, first]);
    expectProblem(await ask(stage.ben, room, "mine", { client_id }), 409, "client_id_used");
  });

  test("needs a membership, text, a zone, and a time of 1 minute to 1 year", async () => {
    const { id: room, name } = await stage.newRoom();
    const open = await stage.world.room(`open-${name}`, stage.owner, [], "open");
    for (const [roomId, code] of [
      [room, "room_not_found"],
      [Bun.randomUUIDv7(), "room_not_found"],
      [open, "not_a_member"],
    ] as const) {
      expect((await ask(stage.outsider, roomId, "x")).body.code).toBe(code);
    }
    expectProblem(await ask(ada, room, " "), 422, "empty_message");
    for (const more of [
      { zone: "Europe/Atlantis" },
      { zone: "" },
      { zone: undefined },
      { send_at: inMinutes(0.5) },
      { send_at: inMinutes(-5) },
      { send_at: inMinutes(60 * 24 * 368) },
      { send_at: "tomorrow" },
    ]) {
      expectProblem(await ask(ada, room, "x", more), 422, "validation");
    }
    await plan(room, "x", { send_at: inMinutes(1) });
    await plan(room, "x", { send_at: inMinutes(60 * 24 * 365) });
    const image_id = (await stage.ben.upload(`/api/rooms/${room}/images`, PNG)).body.id;
    expectProblem(await ask(ada, room, "x", { image_id }), 422, "unknown_upload");
    await stage.world.archive(name, true);
    expectProblem(await ask(ada, room, "x"), 409, "room_archived");
  });

  test("needs a thread, a quote and an upload that a post may name", async () => {
    const { id: room, name } = await stage.newRoom();
    const { id: other } = await stage.newRoom();
    const begun = await stage.ben.say(room, "a thread");
    const reply = await stage.ben.say(room, "a reply", { thread_id: begun.id });
    const root = await stage.ben.say(room, "no thread yet");
    const message = await stage.ben.say(room, "gone");
    await stage.ben.delete(`/api/messages/${message.id}`);
    const elsewhere = await stage.ben.say(other, "elsewhere");
    const { id } = await plan(room, "x");
    /** How a post, a new scheduled message and a changed one with these parts are answered. */
    const tryAll = async (parts: object) => {
      const answers = [
        await ada.post(`/api/rooms/${room}/messages`, { content: "x", ...parts }),
        await ask(ada, room, "x", parts),
        await ada.patch(`/api/scheduled/${id}`, parts),
      ];
      return answers.map(({ status, body }) => (status < 300 ? status : body.code));
    };
    for (const unknown of [Bun.randomUUIDv7(), message.id, elsewhere.id]) {
      expect(await tryAll({ thread_id: unknown })).toEqual(Array(3).fill("unknown_thread"));
      expect(await tryAll({ quote_id: unknown })).toEqual(Array(3).fill("unknown_quote"));
      expect(await tryAll({ file_id: unknown })).toEqual(Array(3).fill("unknown_upload"));
    }
    await stage.owner.patch(`/api/rooms/${room}`, { threads: "off" });
    expect(await tryAll({ thread_id: root.id })).toEqual(Array(3).fill("threads_off"));
    expect(await tryAll({ thread_id: reply.id })).toEqual([201, 201, 200]);
    expect(await tryAll({ thread_id: begun.id, quote_id: root.id })).toEqual([201, 201, 200]);
    // Its own thread is not in another room; a quote that has gone meanwhile is left out.
    const path = `/api/scheduled/${id}`;
    expectProblem(await ada.patch(path, { room_id: other }), 422, "unknown_thread");
    const moved = { room_id: other, thread_id: null };
    expectProblem(await ada.patch(path, moved), 422, "unknown_quote");
    await stage.ben.delete(`/api/messages/${root.id}`);
    expect((await ada.patch(path, { content: "y" })).status).toBe(200);
    const direct = (await ada.post("/api/direct", { user_ids: [stage.ben.user.id] })).body.id;
    const { id: line } = await ada.say(direct, "hello");
    expectProblem(await ask(ada, direct, "x", { thread_id: line }), 409, "threads_off");
    await stage.world.archive(name, true);
    expectProblem(await ask(ada, room, "x", { quote_id: message.id }), 409, "room_archived");
  });

  test("has @room and @here only where a post may have them, now and when it is sent", async () => {
    const { world, owner } = stage;
    const { id: room } = await stage.newRoom();
    const bot = await world.bot("caller", ["write:messages"]);
    await owner.post(`/api/rooms/${room}/members`, { user_id: bot.user.id });
    const grow = (to: number) => world.database.sql`
      update rooms set member_count = ${to} where id = ${room}`;
    const { id } = await plan(room, "x");
    const early = await plan(room, "@here, while we are few", { send_at: inMinutes(6) });
    await grow(MAX_BROADCAST_MEMBERS + 1);
    for (const content of ["@room lunch", "lunch, @here"]) {
      for (const answer of [
        await ada.post(`/api/rooms/${room}/messages`, { content }),
        await ask(ada, room, content),
        await ask(bot, room, content),
        await ada.patch(`/api/scheduled/${id}`, { content }),
      ]) {
        expectProblem(answer, 422, "broadcast_restricted");
      }
      await plan(room, content, {}, owner);
    }
    await plan(room, "`@room` in code");
    // A conversation has nobody to call together.
    const direct = (await ada.post("/api/direct", { user_ids: [stage.ben.user.id] })).body.id;
    expectProblem(await ask(ada, direct, "@room"), 422, "broadcast_restricted");
    await send();
    expect((await textsOf(room)).toSorted()).toEqual(
      ["@room lunch", "lunch, @here", "x", "`@room` in code"].toSorted(),
    );
    expect(await find(early.id)).toMatchObject({ state: "failed", reason: "broadcast_restricted" });
  });

  test("number 101 is refused while as many wait", async () => {
    const { world, roomId } = stage;
    const many = await world.person("planner");
    await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: many.user.id });
    await world.database.sql`
      insert into scheduled_messages (id, user_id, room_id, content, send_at, zone)
      select gen_random_uuid(), ${many.user.id}, ${roomId}, 'x', now() + interval '90 days', 'UTC'
      from generate_series(1, ${MAX_SCHEDULED - 1})`;
    const { id } = await plan(roomId, "the last", {}, many);
    expectProblem(await ask(many, roomId, "one more"), 409, "too_many_scheduled");
    await many.post(`/api/scheduled/${id}/send-now`);
    expect((await ask(many, roomId, "one more")).status).toBe(201);
    // The rest is out of the way of other tests.
    await world.database.sql`delete from scheduled_messages where user_id = ${many.user.id}`;
  });

  test("is listed by its time, in pages, and for a day after it was sent", async () => {
    const reader = await stage.world.person("lister");
    const { roomId, world } = stage;
    await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: reader.user.id });
    const ids: string[] = [];
    for (const minutes of [30, 10, 20]) {
      ids.push((await plan(roomId, "x", { send_at: inMinutes(minutes) }, reader)).id);
    }
    const [last, first, second] = ids as [string, string, string];
    const page = (await reader.get("/api/scheduled?limit=2")).body;
    expect(page.items.map(({ id }: Scheduled) => id)).toEqual([first, second]);
    const rest = (await reader.get(`/api/scheduled?limit=2&cursor=${page.next}`)).body;
    expect([rest.items.map(({ id }: Scheduled) => id), rest.next]).toEqual([[last], null]);
    await reader.post(`/api/scheduled/${first}/send-now`);
    expect(await find(first, reader)).toMatchObject({ state: "sent" });
    await world.database.sql`update scheduled_messages set ended_at = ended_at - interval '25 hours'
      where id = ${first}`;
    expect(await find(first, reader)).toBeUndefined();
    expectProblem(await reader.get("/api/scheduled?cursor=abc"), 422, "validation");
  });

  test("of a bot goes out in the rooms that it is in", async () => {
    const [bot, reader] = [
      await stage.world.bot("clock", ["write:messages"]),
      await stage.world.bot("watch", ["read:messages"]),
    ];
    const room = await stage.world.room("of-the-clock", stage.owner, [bot, reader]);
    const { id } = await plan(room, "nine o'clock", {}, bot);
    expectProblem(await ask(reader, room, "x"), 403, "insufficient_scope");
    expectProblem(await reader.get("/api/scheduled"), 403, "insufficient_scope");
    await send();
    expect(await textsOf(room)).toEqual(["nine o'clock"]);
    expect(await find(id, bot)).toMatchObject({ state: "sent" });
    // One that cannot be sent is in its list, and in no draft.
    const late = await plan(room, "too late", {}, bot);
    await stage.owner.delete(`/api/rooms/${room}/members/${bot.user.id}`);
    await send();
    expect(await find(late.id, bot)).toMatchObject({ state: "failed", reason: "not_a_member" });
    const drafts = await stage.world.database
      .sql`select from drafts where user_id = ${bot.user.id}`;
    expect(drafts.count).toBe(0);
  });

  test("keeps the order of the times in its room, whatever came first", async () => {
    const { id: room } = await stage.newRoom();
    const { sql } = stage.world.database;
    const authors = [ada, stage.ben, stage.owner];
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        plan(room, `${n}`, { send_at: inMinutes(90 - n) }, authors[n % 3]),
      ),
    );
    const [{ expected } = { expected: [] as string[] }] = await sql<{ expected: string[] }[]>`
      select array_agg(content order by send_at, id) as expected from scheduled_messages
      where room_id = ${room}`;
    await send(120);
    expect(await textsOf(room)).toEqual(expected);
    expect(expected[0]).toBe("29");
  });
});

describe("one that cannot be sent", () => {
  /** What its author finds afterwards: the reason, the text, and one event of it. */
  async function expectFailed(
    room: string,
    reason: string,
    cause: (id: string) => Promise<unknown>,
    more = {},
  ): Promise<string> {
    const { id } = await plan(room, "my words", more);
    await cause(id);
    const socket = await ada.socket();
    await send();
    const nextEvent = await socket.next((event) => event.type === "scheduled_failed");
    expect(nextEvent).toEqual({ type: "scheduled_failed", id, code: reason });
    const failed = await socket.next((event) => event.scheduled?.state === "failed");
    expect(failed.scheduled).toMatchObject({ id, state: "failed", reason, content: "my words" });
    expect(await find(id)).toMatchObject({ state: "failed", reason, content: "my words" });
    const copy = await socket.next((event) => event.type === "draft" && event.room_id === room);
    expect(copy).toMatchObject({ content: "my words" });
    expect(await draftOf(room)).toMatchObject({ content: "my words", client_id: id });
    socket.close();
    return id;
  }

  test("since its author has left: not_a_member, whatever the room is to others", async () => {
    for (const privacy of ["private", "open"] as const) {
      const members = [ada, stage.ben];
      const room = await stage.world.room(`left-${privacy}`, stage.owner, members, privacy);
      const id = await expectFailed(room, "not_a_member", () =>
        ada.post(`/api/rooms/${room}/leave`),
      );
      expect((await find(id))?.room).toBeNull();
      expect(await textsOf(room)).toEqual([]);
      expectProblem(await ada.post(`/api/scheduled/${id}/send-now`), 403, "not_a_member");
      // Another room takes it, and the copy among the drafts goes.
      const body = { room_id: stage.roomId, send_at: inMinutes(5) };
      const again = await ada.patch(`/api/scheduled/${id}`, body);
      expect(again.body).toMatchObject({ state: "waiting", reason: null, room_id: stage.roomId });
      expect(await draftOf(room)).toBeUndefined();
      await send();
      expect((await textsOf(stage.roomId)).at(-1)).toBe("my words");
    }
  });

  test("since the room is archived: room_archived, and sent once it is not", async () => {
    const { id: room, name } = await stage.newRoom();
    const id = await expectFailed(room, "room_archived", () => stage.world.archive(name, true));
    expectProblem(await ada.post(`/api/scheduled/${id}/send-now`), 409, "room_archived");
    expect(await find(id)).toMatchObject({ state: "failed", reason: "room_archived" });
    await stage.world.archive(name, false);
    // Its time is over: it needs another one.
    expectProblem(await ada.patch(`/api/scheduled/${id}`, {}), 422, "validation");
    expect((await ada.post(`/api/scheduled/${id}/send-now`)).status).toBe(201);
    expect(await textsOf(room)).toEqual(["my words"]);
    expect(await draftOf(room)).toBeUndefined();
  });

  test("since its thread is gone: unknown_thread", async () => {
    const { id: room } = await stage.newRoom();
    const { id: thread_id } = await stage.ben.say(room, "a root");
    const cause = () => stage.ben.delete(`/api/messages/${thread_id}`);
    const { id } = await plan(room, "my words", { thread_id });
    await cause();
    await send();
    expect(await find(id)).toMatchObject({ state: "failed", reason: "unknown_thread" });
    expect(await draftOf(room)).toMatchObject({ content: "my words", thread_id });
  });

  test("since what it quotes is gone: sent without the quote", async () => {
    const { id: room } = await stage.newRoom();
    const { id: quote_id } = await stage.ben.say(room, "quoted");
    const { id } = await plan(room, "my words", { quote_id });
    await stage.ben.delete(`/api/messages/${quote_id}`);
    await send();
    expect(await find(id)).toMatchObject({ state: "sent" });
    expect((await textsOf(room)).at(-1)).toBe("my words");
  });

  test("since a draft is there keeps its text in the list, and the draft as it is", async () => {
    const { id: room, name } = await stage.newRoom();
    await ada.put("/api/drafts", { room_id: room, base_version: 0, content: "something else" });
    const { id } = await plan(room, "my words");
    await stage.world.archive(name, true);
    await send();
    expect(await find(id)).toMatchObject({ state: "failed", content: "my words" });
    expect(await draftOf(room)).toMatchObject({ content: "something else", version: 1 });
  });

  test("since the service was down for more than 12 hours: too_late, and after less it is late", async () => {
    const { id: room } = await stage.newRoom();
    const [late, tooLate] = [await plan(room, "late"), await plan(room, "too late")];
    const { sql } = stage.world.database;
    for (const [id, hours] of [
      [late.id, 11],
      [tooLate.id, 13],
    ] as const) {
      await sql`update scheduled_messages set send_at = now() - ${hours} * interval '1 hour'
        where id = ${id}`;
    }
    await makeDue(stage.world, "send_scheduled");
    await untilDone(stage.world, "send_scheduled");
    expect(await textsOf(room)).toEqual(["late"]);
    expect(await find(late.id)).toMatchObject({ state: "sent", sent_late: true });
    expect(await find(tooLate.id)).toMatchObject({ state: "failed", reason: "too_late" });
    expect(await draftOf(room)).toMatchObject({ content: "too late" });
    // Nobody else sees that it is late.
    const { items } = (await stage.ben.get(`/api/rooms/${room}/messages`)).body;
    expect(Object.keys(items[0])).not.toContain("sent_late");
  });

  test("since its author is deactivated: all that wait have failed at once", async () => {
    const { id: room } = await stage.newRoom();
    const { world } = stage;
    const person = await world.person("gone");
    await stage.owner.post(`/api/rooms/${room}/members`, { user_id: person.user.id });
    const planned = [
      await plan(room, "one", {}, person),
      await plan(room, "two", { send_at: inMinutes(9_000) }, person),
    ];
    await world.administer("gone", deactivateUser);
    await send();
    expect(await textsOf(room)).toEqual([]);
    await world.administer("gone", reactivateUser);
    const back = await world.signIn(person.user);
    for (const { id, content } of planned) {
      expect(await find(id, back)).toMatchObject({
        state: "failed",
        reason: "deactivated",
        content,
      });
    }
    await send();
    expect(await textsOf(room)).toEqual([]);
  });

  test("since its session was ended by another one: session_ended, until it is sent anyway", async () => {
    const { id: room } = await stage.newRoom();
    const { world } = stage;
    const other = await world.signIn(ada.user);
    const mine = await plan(room, "mine");
    const planned = await plan(room, "of a thief", {}, other);
    const socket = await ada.socket();
    const { items } = (await ada.get("/api/auth/me/sessions")).body;
    const [newest] = items.filter((item: { is_current: boolean }) => !item.is_current);
    expect((await ada.delete(`/api/auth/me/sessions/${newest.id}`)).status).toBe(204);
    const failed = await socket.next((event) => event.type === "scheduled_failed");
    expect(failed).toMatchObject({ id: planned.id, code: "session_ended" });
    socket.close();
    await send();
    expect(await textsOf(room)).toEqual(["mine"]);
    expect(await find(mine.id)).toMatchObject({ state: "sent" });
    expect(await find(planned.id)).toMatchObject({ state: "failed", reason: "session_ended" });
    // The text may be somebody else's, so it does not wait in the composer.
    expect(await draftOf(room)).toBeUndefined();
    expect((await ada.post(`/api/scheduled/${planned.id}/send-now`)).status).toBe(201);
    expect(await textsOf(room)).toContain("of a thief");
  });

  test("since all other sessions were ended: also what one had scheduled that signed out before", async () => {
    const { id: room } = await stage.newRoom();
    const other = await stage.world.signIn(ada.user);
    const planned = await plan(room, "of a thief", {}, other);
    expect((await other.post("/api/auth/logout")).status).toBe(204);
    expect(await find(planned.id)).toMatchObject({ state: "waiting" });
    const mine = await plan(room, "mine");
    expect((await ada.delete("/api/auth/me/sessions")).status).toBe(204);
    expect(await find(planned.id)).toMatchObject({ state: "failed", reason: "session_ended" });
    // With a new time it waits again, now for the session that chose it.
    const again = await ada.patch(`/api/scheduled/${planned.id}`, { send_at: inMinutes(5) });
    expect(again.body).toMatchObject({ state: "waiting", reason: null });
    await ada.delete("/api/auth/me/sessions");
    await send();
    expect((await textsOf(room)).toSorted()).toEqual(["mine", "of a thief"]);
    expect(await find(mine.id)).toMatchObject({ state: "sent" });
  });

  test.each([
    ["the password was reset", (tx: Transaction, user: UserRow) => reset(tx, user)],
    ["someone signed out everywhere", (tx: Transaction, { id }: UserRow) => endSessions(tx, id)],
  ])("since %s: session_ended", async (_, end) => {
    const { id: room } = await stage.newRoom();
    const { world } = stage;
    const planned = await plan(room, "my words");
    await world.administer(ada.user.username, (tx, __, user) => end(tx, user));
    await send();
    expect(await textsOf(room)).toEqual([]);
    ada = await world.signIn(ada.user);
    expect(await find(planned.id)).toMatchObject({ state: "failed", reason: "session_ended" });
  });

  test("after its device has signed out, or its session has expired, is sent", async () => {
    const { id: room } = await stage.newRoom();
    const { world } = stage;
    const [office, old] = [await world.signIn(ada.user), await world.signIn(ada.user)];
    await plan(room, "of the office", {}, office);
    await plan(room, "of an old session", {}, old);
    expect((await office.post("/api/auth/logout")).status).toBe(204);
    await world.database.sql`update sessions set expires_at = now() - interval '1 hour'
      where id = (select session_id from scheduled_messages where content = 'of an old session')`;
    await sweepExpired(world.database.db);
    await send();
    expect((await textsOf(room)).toSorted()).toEqual(["of an old session", "of the office"]);
  });

  test("of a bot, since its token was revoked or has expired: invalid_token", async () => {
    const { id: room } = await stage.newRoom();
    const { world } = stage;
    const { db, sql } = world.database;
    const bot = await world.bot("timer", ["write:messages"]);
    await stage.owner.post(`/api/rooms/${room}/members`, { user_id: bot.user.id });
    const revoked = await plan(room, "revoked", {}, bot);
    const [row] = await sql`select token_id from scheduled_messages where id = ${revoked.id}`;
    await db.transaction((tx) => revokeToken(tx, COMMAND_LINE, row?.token_id));
    const expiring = await world.database.db.transaction(async (tx) => {
      const params = { name: "a test", scopes: ["write:messages"] as Scope[], expiresAt: null };
      return createToken(tx, COMMAND_LINE, await requireBot(tx, bot.user.id), params);
    });
    const again = new Client(world.service.address, null, bot.user, expiring.token);
    const late = await plan(room, "expired", {}, again);
    expect(await find(revoked.id, again)).toMatchObject({
      state: "failed",
      reason: "invalid_token",
    });
    await sql`update api_tokens set created_at = now() - interval '1 hour',
      expires_at = now() - interval '1 minute' where id = ${expiring.id}`;
    await send();
    expect(await textsOf(room)).toEqual([]);
    const [state] = await sql`select state, reason from scheduled_messages where id = ${late.id}`;
    expect(state).toEqual({ state: "failed", reason: "invalid_token" });
  });

  test("since the room is deleted: it is gone, and its author learns of it", async () => {
    const { id: room } = await stage.newRoom();
    const { id } = await plan(room, "gone with it");
    const socket = await ada.socket();
    await stage.owner.delete(`/api/rooms/${room}`);
    const nextEvent = await socket.next((event) => event.type === "scheduled" && !event.scheduled);
    expect(nextEvent).toEqual({ type: "scheduled", id, scheduled: null });
    expect(await find(id)).toBeUndefined();
    await send();
    socket.close();
  });

  test("for a while, since the database is busy, goes out later", async () => {
    const { id: room } = await stage.newRoom();
    const { id } = await plan(room, "in the end");
    const { sql } = stage.world.database;
    // The room is locked for longer than a post waits, and is then free.
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = sql.begin(async (tx) => {
      await tx`select from rooms where id = ${room} for update`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    await passTime(stage.world);
    expect(await find(id)).toMatchObject({ state: "waiting" });
    release.resolve();
    await holding;
    await eventually(async () => (await find(id))?.state === "sent");
    expect(await textsOf(room)).toEqual(["in the end"]);
  });
});
