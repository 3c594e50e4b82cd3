import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MAX_UNREAD } from "../../src/wire/limits.ts";
import type { MyRoom, RoomReadMark } from "../../src/wire/models.ts";
import { type Client, expectProblem } from "../support/client.ts";
import type { TestSocket } from "../support/socket.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let roomId: string;
let count = 0;
beforeAll(async () => {
  world = await World.start();
  [owner, member] = await Promise.all([world.person("owner"), world.person("member")]);
});
afterAll(() => world.stop());
beforeEach(async () => {
  roomId = await world.room(`room-${count++}`, owner, [member]);
});

/** Writes many messages at once, as if they had come one by one. */
async function writeMany(author: Client, count: number, via = { via_name: null as string | null }) {
  const { sql } = world.database;
  await sql`with room as (
      update rooms set last_seq = last_seq + ${count} where id = ${roomId} returning last_seq)
    insert into messages (id, room_id, seq, author_id, content, via_name)
    select gen_random_uuid(), ${roomId}, last_seq - ${count}::int + n, ${author.user.id}, 'more',
      ${via.via_name} from room, generate_series(1, ${count}::int) n`;
}

/** What the room is to someone, as their own list says. */
async function mark(client: Client) {
  const { body } = await client.get("/api/rooms?limit=200");
  const match = body.items.find((room: MyRoom) => room.id === roomId);
  expect((await client.get(`/api/rooms/${roomId}`)).body).toEqual(match);
  return match.membership;
}
const read = (client: Client, body?: object) => client.post(`/api/rooms/${roomId}/read`, body);
/**
 * Waits until a socket has received these marks. They come in the order in which they were moved, so
 * nothing of before is still to come.
 */
async function heard(socket: TestSocket, marks: RoomReadMark[]): Promise<void> {
  const isOf = (mark: RoomReadMark) => (event: RoomReadMark & { type: string }) =>
    event.type === "read" && event.room_id === mark.room_id && event.version === mark.version;
  for (const mark of marks) await socket.next(isOf(mark));
  await socket.drain();
}

describe("marking unread", () => {
  const unread = (client: Client, message_id: string, room = roomId) =>
    client.post(`/api/rooms/${room}/unread`, { message_id });

  test("moves the mark to just before the message, and tells the reader's sockets", async () => {
    const [first, second] = [await owner.say(roomId, "one"), await owner.say(roomId, "two")];
    const socket = await member.socket();
    await heard(socket, [{ room_id: roomId, ...(await read(member)).body }]);
    const { status, body } = await unread(member, second.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ unread: true, last_read_seq: second.seq - 1 });
    expect(body.last_read_at < second.created_at).toBe(true);
    expect(await mark(member)).toMatchObject({ unread: true, last_read_seq: second.seq - 1 });
    const event = await socket.next("read");
    expect(event).toMatchObject({ room_id: roomId, last_read_seq: second.seq - 1, unread: true });
    socket.close();
    // Reading on from there moves it forward again.
    await read(member, { message_id: second.id });
    expect((await mark(member)).unread).toBe(false);
    await unread(member, first.id);
    expect((await mark(member)).last_read_seq).toBe(first.seq - 1);
  });

  test("counts the mentions again, and never moves the mark forward", async () => {
    const first = await owner.say(roomId, "@member one");
    const second = await owner.say(roomId, "@member two");
    await read(member);
    await unread(member, first.id);
    expect((await mark(member)).mention_count).toBe(2);
    const before = await mark(member);
    const { body } = await unread(member, second.id);
    expect(body.last_read_at).toBe(before.last_read_at);
    expect((await mark(member)).last_read_seq).toBe(before.last_read_seq);
  });

  test("is for conversations too, and for a message of the room", async () => {
    const { id } = (await owner.post("/api/direct", { user_ids: [member.user.id] })).body;
    const { id: messageId } = await owner.say(id, "psst");
    await read(member, { message_id: null });
    await member.post(`/api/rooms/${id}/read`);
    expect((await unread(member, messageId, id)).body).toMatchObject({ unread_count: 1 });
    expectProblem(await unread(member, messageId), 404, "message_not_found");
    expectProblem(await unread(member, Bun.randomUUIDv7()), 404, "message_not_found");
  });
});

describe("a room", () => {
  test("is unread after another's message, and not after the reader's own", async () => {
    expect((await mark(member)).unread).toBe(false);
    await owner.say(roomId, "news");
    expect((await mark(member)).unread).toBe(true);
    expect((await mark(owner)).unread).toBe(false);
  });

  test("is not unread because of messages from before the reader joined", async () => {
    await owner.say(roomId, "old news");
    const late = await world.person(`late-${count}`);
    await owner.post(`/api/rooms/${roomId}/members`, { user_id: late.user.id });
    expect((await mark(late)).unread).toBe(false);
  });

  test("is not unread once what was new is deleted", async () => {
    const { id } = await owner.say(roomId, "a slip");
    expect((await mark(member)).unread).toBe(true);
    await owner.delete(`/api/messages/${id}`);
    expect((await mark(member)).unread).toBe(false);
  });

  test("is unread where someone else wrote before a thousand messages of the reader", async () => {
    await owner.say(roomId, "long ago");
    await writeMany(owner, MAX_UNREAD + 1);
    expect((await mark(owner)).unread).toBe(false);
    await member.say(roomId, "unread");
    await writeMany(owner, MAX_UNREAD);
    expect((await mark(owner)).unread).toBe(true);
    await read(owner);
    await writeMany(owner, MAX_UNREAD + 1);
    expect((await mark(owner)).unread).toBe(false);
    await writeMany(owner, 1, { via_name: "Builds" });
    await writeMany(owner, MAX_UNREAD);
    expect((await mark(owner)).unread).toBe(true);
  });

  test("that was left is no longer in the list", async () => {
    await member.post(`/api/rooms/${roomId}/leave`);
    const { body } = await member.get("/api/rooms?limit=200");
    expect(body.items.map((room: MyRoom) => room.id)).not.toContain(roomId);
  });
});

describe("marking as read", () => {
  test("up to now clears what is unread, for the caller alone, on all screens", async () => {
    const other = await world.person(`other-${count}`);
    await owner.post(`/api/rooms/${roomId}/members`, { user_id: other.user.id });
    await owner.say(roomId, "news");
    const before = await mark(other);
    const socket = await member.socket();
    const { status, body } = await read(member);
    expect([status, Object.keys(body)]).toEqual([
      200,
      ["last_read_at", "last_read_seq", "unread", "mention_count", "version", "room_seq"],
    ]);
    expect(await socket.next("read")).toEqual({ type: "read", room_id: roomId, ...body });
    const { room_seq: _, ...same } = body;
    expect(await mark(member)).toMatchObject({ unread: false, ...same });
    expect(await mark(other)).toEqual(before);
    expect(before.unread).toBe(true);
    socket.close();
  });

  test("up to a message leaves what came after it unread", async () => {
    const first = await owner.say(roomId, "first");
    const second = await owner.say(roomId, "second");
    // At one moment: only the number can tell them apart.
    await world.database.sql`update messages set created_at = ${first.created_at}
      where room_id = ${roomId}`;
    const { body } = await read(member, { message_id: first.id });
    expect(body.last_read_at).toBe(first.created_at);
    expect((await mark(member)).unread).toBe(true);
    await read(member, { message_id: second.id });
    expect((await mark(member)).unread).toBe(false);
  });

  test("never goes backwards", async () => {
    const first = await owner.say(roomId, "first");
    await owner.say(roomId, "second");
    const now = await read(member);
    const back = await read(member, { message_id: first.id });
    const { version: _, room_seq, ...same } = now.body;
    expect(back).toMatchObject({ status: 200, body: { ...same, room_seq } });
    expect(await mark(member)).toMatchObject({ unread: false, ...same });
  });

  test("takes null as now, and refuses a message of another room", async () => {
    expect((await read(member, { message_id: null })).status).toBe(200);
    const elsewhere = await world.room(`elsewhere-${count}`, owner, [member]);
    const { id } = await owner.say(elsewhere, "there");
    for (const message_id of [id, Bun.randomUUIDv7()]) {
      expectProblem(await read(member, { message_id }), 404, "message_not_found");
    }
    expectProblem(await read(member, { message_id: "x" }), 422, "validation");
  });
});

test("all rooms are marked read at once, and told to the reader's other screens", async () => {
  const other = await world.room(`other-${count}`, owner, [member]);
  const socket = await member.socket();
  await heard(socket, (await member.post("/api/rooms/read")).body.items);
  await owner.say(roomId, "@member one");
  await owner.say(other, "two");
  const [answer, again] = await Promise.all([
    member.post("/api/rooms/read"),
    member.post("/api/rooms/read"),
  ]);
  const marks = [...answer.body.items, ...again.body.items];
  expect(marks.map((mark: RoomReadMark) => mark.room_id).sort()).toEqual([roomId, other].sort());
  for (const mark of marks) expect(mark).toMatchObject({ unread: false, mention_count: 0 });
  const told = [await socket.next("read"), await socket.next("read")];
  expect(told.map(({ type: _, ...mark }) => mark)).toEqual(expect.arrayContaining(marks));
  expect(await mark(member)).toMatchObject({ unread: false, mention_count: 0 });
  expect((await mark(owner)).unread).toBe(false);
  socket.close();
});

describe("what is pushed", () => {
  test("starts as all and is the caller's own to change", async () => {
    const path = `/api/rooms/${roomId}/membership`;
    expect((await mark(member)).notify).toBe("all");
    for (const notify of ["mentions", "none", "all", "mentions"]) {
      const answer = await member.patch(path, { notify });
      expect(answer).toMatchObject({ status: 200, body: { id: roomId, membership: { notify } } });
    }
    expect((await member.patch(path, {})).body.membership.notify).toBe("mentions");
    expectProblem(await member.patch(path, { notify: "some" }), 422, "validation");
    const raised = await member.patch(path, { role: "owner" });
    expect(raised.body.membership).toMatchObject({ role: "member", notify: "mentions" });
    expect((await mark(owner)).notify).toBe("all");
  });
});

describe("a favourite", () => {
  test("is the caller's own, and keeps its time while it is one", async () => {
    const path = `/api/rooms/${roomId}/membership`;
    expect((await mark(member)).pinned_at).toBeNull();
    const pinned = await member.patch(path, { pinned: true, notify: "none" });
    const { pinned_at } = pinned.body.membership;
    expect(pinned_at).toMatch(/Z$/);
    expect(pinned.body.membership.notify).toBe("none");
    expect((await member.patch(path, { pinned: true })).body.membership.pinned_at).toBe(pinned_at);
    expect((await member.patch(path, { notify: "all" })).body.membership.pinned_at).toBe(pinned_at);
    expect(await mark(member)).toMatchObject({ pinned_at, notify: "all" });
    expect((await mark(owner)).pinned_at).toBeNull();
    expect((await member.patch(path, { pinned: false })).body.membership.pinned_at).toBeNull();
    expectProblem(await member.patch(path, { pinned: "yes" }), 422, "validation");
  });
});
