import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import { MAX_EXCERPT_LENGTH, MAX_PINS } from "../../src/wire/limits.ts";
import type { Message, MyRoom } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let [owner, admin, ada, ben] = [] as unknown as [Client, Client, Client, Client];
let roomId: string;
let rooms = 0;
beforeAll(async () => {
  world = await World.start();
  [owner, admin, ada, ben] = (await Promise.all(
    ["owner", "admin", "ada", "ben"].map((name) => world.person(name)),
  )) as [Client, Client, Client, Client];
  roomId = await newRoom();
});
afterAll(() => world.stop());

async function newRoom(): Promise<string> {
  const id = await world.room(`pins-${rooms++}`, owner, [admin, ada, ben]);
  await owner.patch(`/api/rooms/${id}/members/${admin.user.id}`, { role: "admin" });
  return id;
}
const pin = (client: Client, id: string) => client.put(`/api/messages/${id}/pin`, {});
const unpin = (client: Client, id: string) => client.delete(`/api/messages/${id}/pin`);
const listed = async (client: Client, room = roomId): Promise<Message[]> =>
  (await client.get(`/api/rooms/${room}/pins`)).body.items;
/** What both ways to read a room say of its pins. */
async function pinsOf(client: Client, room = roomId) {
  const { body } = await client.get("/api/rooms?all=true");
  const inList = body.items.find(({ id }: MyRoom) => id === room);
  const { pin_count, newest_pin } = (await client.get(`/api/rooms/${room}`)).body;
  expect([inList.pin_count, inList.newest_pin]).toEqual([pin_count, newest_pin]);
  return [pin_count, newest_pin?.excerpt ?? null];
}

describe("a pin", () => {
  test("marks the message, keeps its first pinner, and is logged once", async () => {
    const room = await newRoom();
    const { id, seq } = await ada.say(room, "the plan");
    const { status, body } = await pin(ben, id);
    expect(status).toBe(200);
    expect(body.pinned).toMatchObject({ by: { id: ben.user.id }, at: expect.any(String) });
    expect((await pin(ada, id)).body.pinned).toEqual(body.pinned);
    const changes = (await ada.get(`/api/rooms/${room}/changes?after=${seq}`)).body.items;
    expect(changes).toEqual([
      {
        type: "pin",
        room_id: room,
        seq: seq + 1,
        message_id: id,
        pinned: body.pinned,
        pin_count: 1,
        newest_pin: { message_id: id, excerpt: "the plan" },
      },
    ]);
    // Nothing was posted, and a page that was cached before shows the mark.
    const history = (await ada.get(`/api/rooms/${room}/messages`)).body;
    expect(history.items.map((item: Message) => [item.id, item.pinned])).toEqual([
      [id, body.pinned],
    ]);
    expect((await ada.get(`/api/messages/${id}`)).body.pinned).toEqual(body.pinned);
    // Neither it nor its end makes anything unread.
    await owner.post(`/api/rooms/${room}/read`);
    await pin(owner, (await owner.say(room, "more")).id);
    expect((await owner.get(`/api/rooms/${room}`)).body.membership.unread).toBe(false);
  });

  test("is taken off by who made it, the author, and the owner and admins", async () => {
    const { id } = await ada.say(roomId, "whose?");
    for (const client of [ben, ada, admin, owner]) {
      await pin(ben, id);
      const answer = await unpin(client, id);
      expect([client.user.username, answer.status]).toEqual([client.user.username, 204]);
    }
    await pin(owner, id);
    expectProblem(await unpin(ben, id), 403, "role_required");
    expect((await unpin(owner, id)).status).toBe(204);
    // Once more is no failure, and nothing is logged.
    const { seq } = (await ada.get(`/api/rooms/${roomId}`)).body;
    expect((await unpin(ben, id)).status).toBe(204);
    expect((await ada.get(`/api/rooms/${roomId}`)).body.seq).toBe(seq);
    expect((await ada.get(`/api/messages/${id}`)).body.pinned).toBeNull();
    const [row] = await world.database.sql<{ has_embeds: boolean }[]>`
      select has_embeds from messages where id = ${id}`;
    expect(row?.has_embeds).toBe(false);
  });

  test("is of the owner and admins where the room says so", async () => {
    const room = await newRoom();
    const { id } = await ada.say(room, "ours");
    expectProblem(
      await ada.patch(`/api/rooms/${room}`, { pinning: "admins" }),
      403,
      "role_required",
    );
    const { body } = await admin.patch(`/api/rooms/${room}`, { pinning: "admins" });
    expect(body.pinning).toBe("admins");
    expectProblem(await pin(ada, id), 403, "role_required");
    expect((await pin(admin, id)).status).toBe(200);
    // Its author may still take it off.
    expect((await unpin(ada, id)).status).toBe(204);
  });

  test("is everyone's in a conversation, and its list follows", async () => {
    const socket = await ben.socket();
    const user_ids = [ben.user.id];
    const { id: room } = (await ada.post("/api/direct", { user_ids })).body;
    const { id } = await ada.say(room, "the **place**");
    await pin(ada, id);
    const { direct } = await socket.next(
      (event) => event.type === "direct_updated" && event.direct.pin_count === 1,
    );
    expect(direct.newest_pin).toEqual({ message_id: id, excerpt: "the place" });
    expect((await unpin(ben, id)).status).toBe(204);
    expect((await ada.get(`/api/direct/${room}`)).body).toMatchObject({
      pin_count: 0,
      newest_pin: null,
    });
    socket.close();
  });

  test("reaches members who do not have the room open", async () => {
    const socket = await ben.socket();
    const { id } = await ada.say(roomId, "over there");
    await pin(ada, id);
    const isOfThis = (event: { type: string; message_id?: string }) =>
      event.type === "pin" && event.message_id === id;
    const event = await socket.next(isOfThis);
    expect(event).toMatchObject({ message_id: id, pinned: { by: { id: ada.user.id } } });
    await unpin(ada, id);
    expect(await socket.next(isOfThis)).toMatchObject({ message_id: id, pinned: null });
    socket.close();
  });

  test("of a bot needs the right to write", async () => {
    const [writer, reader] = [
      await world.bot("writer", ["write:messages"]),
      await world.bot("reader", ["read:messages"]),
    ];
    const room = await world.room("of-bots", owner, [writer, reader]);
    const { id } = await owner.say(room, "for all");
    expectProblem(await pin(reader, id), 403, "insufficient_scope");
    expect((await pin(writer, id)).body.pinned.by.id).toBe(writer.user.id);
    expect(await listed(reader, room)).toHaveLength(1);
  });
});

describe("what an incoming webhook posts", () => {
  const post = async (url: string, text: string, pin?: unknown) =>
    (await ada.post(new URL(url).pathname, { text, pin })).status;

  test("is pinned where the webhook may, by the name that it posts with", async () => {
    const room = await newRoom();
    const path = `/api/rooms/${room}/incoming-webhooks`;
    const { body: may } = await owner.post(path, { name: "Releases", may_pin: true });
    const { body: mayNot } = await owner.post(path, { name: "Builds" });
    expect([may.may_pin, mayNot.may_pin]).toEqual([true, false]);
    const change = (client: Client, id: string, may_pin: boolean) =>
      client.patch(`${path}/${id}`, { may_pin });
    expectProblem(await change(ada, may.id, false), 403, "role_required");
    expectProblem(await change(owner, Bun.randomUUIDv7(), true), 404, "webhook_not_found");
    for (const may_pin of [true, false]) {
      expect((await change(owner, mayNot.id, may_pin)).body).toMatchObject({ may_pin });
    }
    expect(await post(may.url, "version 2", true)).toBe(200);
    expect(await post(may.url, "plain", "yes")).toBe(200);
    expect(await post(mayNot.url, "not mine", true)).toBe(200);
    const pins = await listed(ada, room);
    expect(pins.map(({ content, pinned }) => [content, pinned?.by.display_name])).toEqual([
      ["version 2", "Releases"],
    ]);
    // A room whose pins are all in use keeps them, and the message is posted.
    await world.database.sql`update rooms set pin_count = ${MAX_PINS} where id = ${room}`;
    expect(await post(may.url, "version 3", true)).toBe(200);
    expect(await listed(ada, room)).toHaveLength(1);
    await unpin(owner, pins[0]?.id ?? "");
    await unpin(ada, pins[0]?.id ?? "");
  });
});

describe("the list of pins", () => {
  test("has the newest first, in pages, with the newest above the room", async () => {
    const room = await newRoom();
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) ids.push((await ada.say(room, text)).id);
    const [one, two, three] = ids as [string, string, string];
    for (const id of [two, three, one]) await pin(ada, id);
    expect((await listed(ben, room)).map(({ id }) => id)).toEqual([one, three, two]);
    expect(await pinsOf(ben, room)).toEqual([3, "one"]);
    const path = `/api/rooms/${room}/pins?limit=2`;
    const first = (await ben.get(path)).body;
    expect(first.items.map(({ id }: Message) => id)).toEqual([one, three]);
    const second = (await ben.get(`${path}&cursor=${first.next}`)).body;
    expect(second.items.map(({ id }: Message) => id)).toEqual([two]);
    expect(second.next).toBeNull();
    expectProblem(await ben.get(`${path}&cursor=abc`), 422, "validation");
    await unpin(ada, one);
    expect(await pinsOf(ben, room)).toEqual([2, "three"]);
  });

  test("ends at a hundred, and drops nothing", async () => {
    const room = await newRoom();
    await world.database.sql`update rooms set pin_count = ${MAX_PINS} - 1 where id = ${room}`;
    const [last, more] = [await ada.say(room, "the last"), await ada.say(room, "one more")];
    expect((await pin(ada, last.id)).status).toBe(200);
    expectProblem(await pin(ada, more.id), 409, "too_many_pins");
    // The one that is pinned stays so, without a refusal.
    expect((await pin(ada, last.id)).status).toBe(200);
    expect((await listed(ada, room)).map(({ id }) => id)).toEqual([last.id]);
    expect((await ada.get(`/api/messages/${more.id}`)).body.pinned).toBeNull();
    // What is unpinned makes room, and two at once do not both take it.
    await unpin(ada, last.id);
    const both = await Promise.all([pin(ada, last.id), pin(ben, more.id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("is not for those who may look at the room from outside", async () => {
    const room = await world.room("open-pins", owner, [], "open");
    await pin(owner, (await owner.say(room, "for members")).id);
    expectProblem(await ada.get(`/api/rooms/${room}/pins`), 403, "not_a_member");
    expect((await ada.get(`/api/rooms/${room}`)).body).toMatchObject({
      pin_count: 0,
      newest_pin: null,
    });
    const { body } = await ada.post(`/api/rooms/${room}/join`);
    expect(body).toMatchObject({ pin_count: 1, newest_pin: { excerpt: "for members" } });
  });

  test("shows the beginning of a long text, and nothing for an image alone", async () => {
    const room = await newRoom();
    const long = await ada.say(room, "word ".repeat(400));
    await pin(ada, long.id);
    const [, excerpt] = await pinsOf(ada, room);
    expect([...excerpt]).toHaveLength(MAX_EXCERPT_LENGTH);
    expect(excerpt.endsWith("…")).toBe(true);
    const { PNG } = await import("../support/images.ts");
    const image_id = (await ada.upload(`/api/rooms/${room}/images`, PNG)).body.id;
    const { body } = await ada.post(`/api/rooms/${room}/messages`, { image_id });
    await pin(ada, body.id);
    expect(await pinsOf(ada, room)).toEqual([2, ""]);
  });
});

describe("what happens to a pin", () => {
  test("when its message is edited: it shows the new text", async () => {
    const room = await newRoom();
    const { id } = await ada.say(room, "old");
    await pin(ben, id);
    // In the list that is cached from here on, too.
    expect(await pinsOf(ben, room)).toEqual([1, "old"]);
    await ada.patch(`/api/messages/${id}`, { content: "new" });
    expect(await pinsOf(ben, room)).toEqual([1, "new"]);
    expect((await listed(ben, room))[0]).toMatchObject({ content: "new", pinned: {} });
  });

  test("when its message is deleted: it is gone, and an event says so", async () => {
    const room = await newRoom();
    const { id, seq } = await ada.say(room, "going");
    await pin(ben, id);
    expect(await pinsOf(ben, room)).toEqual([1, "going"]);
    await ada.delete(`/api/messages/${id}`);
    expect(await pinsOf(ben, room)).toEqual([0, null]);
    expect(await listed(ben, room)).toEqual([]);
    const { items } = (await ben.get(`/api/rooms/${room}/changes?after=${seq + 1}`)).body;
    expect(items).toMatchObject([
      { type: "message_delete", message_id: id },
      { type: "pin", message_id: id, pinned: null, pin_count: 0, newest_pin: null },
    ]);
  });

  test("when its pinner leaves or is deactivated: it stays for the others", async () => {
    const room = await newRoom();
    const leaver = await world.person("leaver");
    await owner.post(`/api/rooms/${room}/members`, { user_id: leaver.user.id });
    const { id } = await ada.say(room, "lasting");
    await pin(leaver, id);
    await leaver.post(`/api/rooms/${room}/leave`);
    expect(await pinsOf(ben, room)).toEqual([1, "lasting"]);
    await ben.get(`/api/rooms/${room}/messages`);
    await world.administer("leaver", deactivateUser);
    // Also in the page that was cached.
    const { items } = (await ben.get(`/api/rooms/${room}/messages`)).body;
    expect(items[0].pinned.by).toMatchObject({ id: leaver.user.id, is_active: false });
    expectProblem(await leaver.get(`/api/rooms/${room}/pins`), 401, "unauthenticated");
  });

  test("when the room is archived: it stays, and cannot be changed", async () => {
    const name = `pins-${rooms}`;
    const room = await newRoom();
    const [first, second] = [await ada.say(room, "kept"), await ada.say(room, "too late")];
    await pin(ada, first.id);
    await world.archive(name, true);
    expectProblem(await pin(ada, second.id), 409, "room_archived");
    expectProblem(await unpin(ada, first.id), 409, "room_archived");
    expect((await listed(ben, room)).map(({ id }) => id)).toEqual([first.id]);
  });

  test("when the room is deleted: it is gone", async () => {
    const room = await newRoom();
    const { id } = await ada.say(room, "gone with it");
    await pin(ada, id);
    await owner.delete(`/api/rooms/${room}`);
    expectProblem(await ada.get(`/api/rooms/${room}/pins`), 404, "room_not_found");
    const rows = await world.database.sql`select from message_pins where message_id = ${id}`;
    expect(rows.count).toBe(0);
  });
});
