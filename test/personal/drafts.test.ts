import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, reactivateUser } from "../../src/accounts/administer.ts";
import { MAX_CLEARED_DRAFTS, MAX_DRAFTS } from "../../src/wire/limits.ts";
import type { DraftCopy } from "../../src/wire/drafts.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;
let ada: Client;
beforeAll(async () => {
  stage = await setStage();
  ada = stage.ada;
});
afterAll(() => stage.world.stop());

const save = (
  client: Client,
  room_id: string,
  base_version: number,
  content: string | null,
  more = {},
) => client.put("/api/drafts", { room_id, base_version, content, ...more });
const list = async (client: Client, query = ""): Promise<DraftCopy[]> =>
  (await client.get(`/api/drafts${query}`)).body.items;
const find = async (client: Client, roomId: string, query = "") =>
  (await list(client, query)).find(({ room_id }) => room_id === roomId);

/** An event of a draft: what was announced of another one may come late. */
const isOf = (roomId: string) => (event: { type: string; room_id?: string }) =>
  event.type === "draft" && event.room_id === roomId;

describe("a draft", () => {
  test("is on all devices of its owner, with its version and device, and on nobody else's", async () => {
    const { id: room, name } = await stage.newRoom();
    const phone = await stage.world.signIn(ada.user);
    const [socket, other] = [await phone.socket(), await stage.ben.socket()];
    expect(await save(ada, room, 0, "Hello", { device: "a laptop" })).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    const expected: DraftCopy = {
      room_id: room,
      room: { id: room, kind: "room", name },
      thread_id: null,
      content: "Hello",
      quote_id: null,
      image: null,
      file: null,
      client_id: null,
      version: 1,
      device: "a laptop",
      updated_at: expect.any(String),
    };
    expect(await socket.next(isOf(room))).toEqual({ type: "draft", ...expected });
    expect(await find(phone, room)).toEqual(expected);
    for (const client of [stage.ben, stage.owner]) expect(await list(client)).toEqual([]);
    const heard = await other.drain();
    expect(heard.some(({ type }) => type === "draft")).toBe(false);
    socket.close();
    other.close();
  });

  test("is changed from its last version only, and the other text comes with the refusal", async () => {
    const { id: room } = await stage.newRoom();
    await save(ada, room, 0, "one");
    await save(ada, room, 1, "two", { device: "the phone" });
    const answer = await save(ada, room, 1, "another two");
    expectProblem(answer, 409, "draft_changed");
    expect(answer.body.draft).toMatchObject({
      content: "two",
      version: 2,
      device: "the phone",
      updated_at: expect.any(String),
    });
    expect((await find(ada, room))?.content).toBe("two");
    // The same text again is an answer that was lost, and changes nothing.
    expect((await save(ada, room, 1, "two")).body).toEqual({ version: 2 });
    expect((await save(ada, room, 2, "both")).body).toEqual({ version: 3 });
  });

  test("of two devices at once is one of the two, and the other learns of it", async () => {
    const { id: room } = await stage.newRoom();
    const answers = await Promise.all(["left", "right"].map((text) => save(ada, room, 0, text)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [won, lost] = answers[0]?.status === 200 ? ["left", "right"] : ["right", "left"];
    expect((await find(ada, room))?.content).toBe(won);
    expect(lost).not.toBe(won);
    expect(answers.find(({ status }) => status === 409)?.body.draft.content).toBe(won);
  });

  test("that is cleared leaves a tombstone, and a device that was away cannot bring it back", async () => {
    const { id: room } = await stage.newRoom();
    await save(ada, room, 0, "soon gone");
    const before = new Date(Date.now() - 60_000).toISOString();
    expect((await save(ada, room, 1, null)).body).toEqual({ version: 2 });
    expect(await find(ada, room)).toBeUndefined();
    expect(await find(ada, room, `?after=${before}`)).toMatchObject({ content: null, version: 2 });
    const after = new Date(Date.now() + 60_000).toISOString();
    expect(await find(ada, room, `?after=${after}`)).toBeUndefined();
    const answer = await save(ada, room, 1, "soon gone, and more");
    expectProblem(answer, 409, "draft_changed");
    expect(answer.body.draft).toMatchObject({ content: null, version: 2 });
    // Clearing once more is no change.
    expect((await save(ada, room, 1, null)).body).toEqual({ version: 2 });
    expectProblem(await ada.get("/api/drafts?after=yesterday"), 422, "validation");
  });

  test("of a thread is its own", async () => {
    const { id: room } = await stage.newRoom();
    const { id: thread_id } = await ada.say(room, "the root");
    await save(ada, room, 0, "to the room");
    expect((await save(ada, room, 0, "to the thread", { thread_id })).body).toEqual({ version: 1 });
    const both = (await list(ada)).filter(({ room_id }) => room_id === room);
    expect(both.map((client) => [client.thread_id, client.content])).toEqual([
      [thread_id, "to the thread"],
      [null, "to the room"],
    ]);
  });

  test("is text of a length that a message can have, or a quote alone", async () => {
    const { id: room } = await stage.newRoom();
    expectProblem(await save(ada, room, 0, "x".repeat(8_001)), 422, "validation");
    expect((await save(ada, room, 0, "😀".repeat(8_000))).status).toBe(200);
    const { id: quote_id } = await ada.say(room, "quoted");
    await save(ada, room, 1, null, { quote_id });
    expect(await find(ada, room)).toMatchObject({ content: null, quote_id, version: 2 });
    expectProblem(await save(ada, room, 2, "x", { device: "d".repeat(41) }), 422, "validation");
  });

  test("number 501 is refused, and one that is there can still be changed", async () => {
    const { world, roomId } = stage;
    const many = await world.person("many");
    await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: many.user.id });
    await world.database.sql`insert into drafts (user_id, room_id, thread_id, content, version)
      select ${many.user.id}, ${roomId}, gen_random_uuid(), 'x', 1
      from generate_series(1, ${MAX_DRAFTS - 1})`;
    expect((await save(many, roomId, 0, "the last")).status).toBe(200);
    const thread_id = Bun.randomUUIDv7();
    expectProblem(await save(many, roomId, 0, "x", { thread_id }), 409, "too_many_drafts");
    expect((await save(many, roomId, 1, "changed")).status).toBe(200);
    await save(many, roomId, 2, null);
    expect((await save(many, roomId, 0, "x", { thread_id })).status).toBe(200);
  });
});

test("what was cleared is remembered for a thousand places, the last ones", async () => {
  const { world, roomId } = stage;
  const tidy = await world.person("tidy");
  await stage.owner.post(`/api/rooms/${roomId}/members`, { user_id: tidy.user.id });
  await world.database.sql`insert into drafts (user_id, room_id, thread_id, version, updated_at)
    select ${tidy.user.id}, ${roomId}, gen_random_uuid(), 2, now() - n * interval '1 second'
    from generate_series(1, ${MAX_CLEARED_DRAFTS + 10}) n`;
  const all = "?after=2020-01-01T00:00:00Z";
  const before = await list(tidy, all);
  await save(tidy, roomId, 0, "new");
  const places = (items: DraftCopy[]) => items.map(({ thread_id }) => thread_id);
  expect(places(await list(tidy, all))).toEqual([
    null,
    ...places(before).slice(0, MAX_CLEARED_DRAFTS),
  ]);
});

describe("posting", () => {
  test("clears the draft with the same client_id in the same statement", async () => {
    const { id: room } = await stage.newRoom();
    const client_id = Bun.randomUUIDv7();
    const socket = await ada.socket();
    await save(ada, room, 0, "on its way", { client_id });
    expect((await find(ada, room))?.client_id).toBe(client_id);
    await socket.next(isOf(room));
    await ada.say(room, "on its way", { client_id, clears_draft: true });
    expect(await socket.next(isOf(room))).toMatchObject({
      room_id: room,
      content: null,
      version: 2,
    });
    expect(await find(ada, room)).toBeUndefined();
    // A save that was under way while it was sent brings nothing back.
    expect((await save(ada, room, 2, "on its way", { client_id })).body).toEqual({ version: 2 });
    expect(await find(ada, room)).toBeUndefined();
    socket.close();
  });

  test("over the socket clears it too, and another person's never", async () => {
    const { id: room } = await stage.newRoom();
    const client_id = Bun.randomUUIDv7();
    for (const client of [ada, stage.ben])
      await save(client, room, 0, "the same id", { client_id });
    const socket = await ada.socket();
    socket.send({ type: "message", room_id: room, content: "x", client_id, clears_draft: true });
    await socket.next("ack");
    expect(await find(ada, room)).toBeUndefined();
    expect((await find(stage.ben, room))?.content).toBe("the same id");
    socket.close();
  });

  test("what another device has saved clears it, whichever arrives first: the message or its name", async () => {
    for (const isNamedFirst of [true, false]) {
      const { id: room } = await stage.newRoom();
      const [theirs, client_id] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
      await save(ada, room, 0, "the same words", { client_id: theirs });
      const name = () => save(ada, room, 1, "the same words", { client_id });
      const say = () => ada.say(room, "the same words", { client_id, clears_draft: true });
      if (isNamedFirst) {
        expect((await name()).body).toEqual({ version: 2 });
        // Asked once more it is no change.
        expect((await name()).body).toEqual({ version: 2 });
        await say();
      } else {
        await say();
        expect((await find(ada, room))?.content).toBe("the same words");
        await name();
      }
      expect(await find(ada, room)).toBeUndefined();
      // The other device sends what it had: its words are not taken for the first message's.
      await ada.say(room, "the same words, and more", { client_id: theirs, clears_draft: true });
      const { items } = (await ada.get(`/api/rooms/${room}/messages`)).body;
      expect(items).toHaveLength(2);
    }
  });

  test("a save of what was posted meanwhile, with its image, brings nothing back", async () => {
    const { id: room } = await stage.newRoom();
    const client_id = Bun.randomUUIDv7();
    const { body: image } = await ada.upload(`/api/rooms/${room}/images`, PNG);
    await save(ada, room, 0, "look", { client_id });
    await ada.say(room, "look", { client_id, clears_draft: true, image_id: image.id });
    const late = await save(ada, room, 1, "look", { client_id, image_id: image.id });
    expectProblem(late, 409, "draft_changed");
    expect(late.body.draft).toMatchObject({ content: null, version: 2 });
    const again = await save(ada, room, 2, "look", { client_id, image_id: image.id });
    expect(again.body).toEqual({ version: 2 });
    expect(await find(ada, room)).toBeUndefined();
    const other = await save(ada, room, 2, "look", { image_id: image.id });
    expectProblem(other, 422, "unknown_upload");
  });

  test("that is refused keeps the draft", async () => {
    const { id: room, name } = await stage.newRoom();
    const client_id = Bun.randomUUIDv7();
    await save(ada, room, 0, "not now", { client_id });
    await stage.world.archive(name, true);
    const path = `/api/rooms/${room}/messages`;
    const answer = await ada.post(path, { content: "x", client_id, clears_draft: true });
    expectProblem(answer, 409, "room_archived");
    expect((await find(ada, room))?.content).toBe("not now");
  });
});

describe("what happens to a draft", () => {
  test("when its writer leaves: it stays theirs, without the room's name, and can be cleared", async () => {
    const { id: room } = await stage.newRoom();
    await save(ada, room, 0, "my words");
    await ada.post(`/api/rooms/${room}/leave`);
    expect(await find(ada, room)).toMatchObject({ content: "my words", room: null });
    expectProblem(await save(ada, room, 1, "more words"), 404, "room_not_found");
    expect((await save(ada, room, 1, null)).body).toEqual({ version: 2 });
  });

  test("in a room of others is refused as in one that never was", async () => {
    const { outsider } = stage;
    const [there, never] = [
      await save(outsider, stage.roomId, 0, "x"),
      await save(outsider, Bun.randomUUIDv7(), 0, "x"),
    ];
    expect([there.status, there.body]).toEqual([never.status, never.body]);
    expectProblem(there, 404, "room_not_found");
    expect((await save(outsider, stage.roomId, 0, null)).body).toEqual({ version: 0 });
  });

  test("when I am deactivated: kept", async () => {
    const { world, roomId, owner } = stage;
    const away = await world.person("away");
    await owner.post(`/api/rooms/${roomId}/members`, { user_id: away.user.id });
    await save(away, roomId, 0, "for later");
    await world.administer("away", deactivateUser);
    await world.administer("away", reactivateUser);
    const back = await world.signIn(away.user);
    expect(await find(back, roomId)).toMatchObject({ content: "for later", version: 1 });
  });

  test("when the message that it quotes is deleted: kept, and refused when it is sent", async () => {
    const { id: room } = await stage.newRoom();
    const { id: quote_id } = await ada.say(room, "quoted");
    const client_id = Bun.randomUUIDv7();
    await save(ada, room, 0, "a reply", { quote_id, client_id });
    await ada.delete(`/api/messages/${quote_id}`);
    expect(await find(ada, room)).toMatchObject({ content: "a reply", quote_id });
    const body = { content: "a reply", client_id, clears_draft: true };
    const path = `/api/rooms/${room}/messages`;
    expectProblem(await ada.post(path, { ...body, quote_id }), 422, "unknown_quote");
    expect((await find(ada, room))?.content).toBe("a reply");
    expect((await ada.post(path, body)).status).toBe(201);
    expect(await find(ada, room)).toBeUndefined();
  });

  test("when the room is archived: it stays, and can be changed", async () => {
    const { id: room, name } = await stage.newRoom();
    await save(ada, room, 0, "kept");
    await stage.world.archive(name, true);
    expect((await save(ada, room, 1, "kept, too")).status).toBe(200);
  });

  test("when the room is deleted: it is gone, and its devices learn of it", async () => {
    const { id: room } = await stage.newRoom();
    const socket = await ada.socket();
    await save(ada, room, 0, "to be copied");
    await socket.next(isOf(room));
    await stage.owner.delete(`/api/rooms/${room}`);
    expect(await socket.next(isOf(room))).toMatchObject({
      room_id: room,
      version: 0,
      content: null,
    });
    expect(await find(ada, room)).toBeUndefined();
    socket.close();
  });
});

test("bots have no drafts", async () => {
  const bot = await stage.world.bot("scribe", ["read:messages", "write:messages"]);
  expectProblem(await save(bot, stage.roomId, 0, "x"), 403, "not_for_bots");
  expectProblem(await bot.get("/api/drafts"), 403, "not_for_bots");
});
