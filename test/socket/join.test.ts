import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Client } from "../support/client.ts";
import { sayAndDelete } from "../support/gone-message.ts";
import { World } from "../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let outsider: Client;
beforeAll(async () => {
  world = await World.start();
  [owner, member, outsider] = (await Promise.all(
    ["owner", "member", "outsider"].map((name) => world.person(name)),
  )) as [Client, Client, Client];
});
afterAll(() => world.stop());

describe("joining a room", () => {
  test("is for members: others are refused as over REST", async () => {
    const secret = await world.room("join-secret", owner);
    const open = await world.room("join-open", owner, [], "open");
    const socket = await outsider.socket();
    for (const [room_id, code] of [
      [secret, "room_not_found"],
      [open, "not_a_member"],
      [Bun.randomUUIDv7(), "room_not_found"],
    ]) {
      socket.send({ type: "join", room_id });
      expect(await socket.next("error")).toMatchObject({ code, room_id });
    }
    await owner.say(open, "not for you");
    expect((await socket.drain()).filter(inLog(open as string))).toEqual([]);
    socket.close();
  });

  test("answers with the number up to which the room has come", async () => {
    const roomId = await world.room("join-seq", owner, [member]);
    const last = await owner.say(roomId, "before");
    const socket = await member.socket();
    expect(await socket.join(roomId)).toBe(last.seq);
    socket.close();
  });

  test("with a number sends exactly the missed events, then new ones", async () => {
    const roomId = await world.room("join-missed", owner, [member]);
    const first = await owner.say(roomId, "seen");
    const missed = await owner.say(roomId, "missed");
    await owner.patch(`/api/messages/${first.id}`, { content: "seen, edited" });
    const socket = await member.socket();
    await socket.join(roomId, first.seq);
    const live = await owner.say(roomId, "live");
    const heard = [
      await socket.next("message"),
      await socket.next("message_update"),
      await socket.next("message"),
    ];
    expect(heard).toMatchObject([
      { seq: first.seq + 1, message: { id: missed.id } },
      { seq: first.seq + 2, message: { id: first.id, content: "seen, edited" } },
      { seq: first.seq + 3, message: { id: live.id } },
    ]);
    socket.close();
  });

  test("with a number tells of a message that was deleted before it was sent, with its time", async () => {
    const roomId = await world.room("join-deleted", owner, [member]);
    const { seq: before } = await owner.say(roomId, "seen");
    const { id: message_id, created_at, seq } = await sayAndDelete(world, roomId);
    const socket = await member.socket();
    await socket.join(roomId, before);
    expect(await socket.next("message_delete")).toEqual({
      type: "message_delete",
      room_id: roomId,
      seq,
      message_id,
      created_at,
    });
    socket.close();
  });

  test("leaves nothing out and brings nothing twice while others write", async () => {
    const roomId = await world.room("join-busy", owner, [member]);
    let writing = true;
    const writer = (async () => {
      for (let i = 0; writing; i++) await owner.say(roomId, `line ${i}`);
    })();
    const socket = await member.socket();
    const seqs: number[] = [];
    for (let round = 0; round < 10; round++) {
      await socket.join(roomId, seqs.at(-1) ?? 0);
      for (let i = 0; i < 5; i++) seqs.push((await socket.next(inLog(roomId))).seq);
      socket.send({ type: "leave", room_id: roomId });
      seqs.push(...(await collectUntilLeft(socket, roomId)));
    }
    writing = false;
    await writer;
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
    expect(seqs.length).toBeGreaterThan(10);
    socket.close();
  });

  test("in several pieces ends with a request to load the members again", async () => {
    const roomId = await world.room("join-pieces", owner, [member]);
    for (let n = 0; n < 101; n++) await owner.say(roomId, `line ${n}`);
    const socket = await member.socket();
    const last = await socket.join(roomId, 0);
    await socket.next((event) => inLog(roomId)(event) && event.seq === last);
    expect(await socket.next("member_updated")).toEqual({
      type: "member_updated",
      room_id: roomId,
      user_ids: null,
      members: null,
    });
    socket.close();
  });

  test("with a number that was pruned, or never existed, answers resync", async () => {
    const roomId = await world.room("join-gone", owner, [member]);
    await owner.say(roomId, "one");
    const last = await owner.say(roomId, "two");
    await world.database.db.execute(
      sql`delete from room_log where room_id = ${roomId} and seq <= 2`,
    );
    const socket = await member.socket();
    for (const since of [0, 99]) {
      expect(await socket.join(roomId, since)).toBe(last.seq);
      expect(await socket.next("resync")).toEqual({ type: "resync", room_id: roomId });
    }
    socket.close();
  });

  test("ends with leave: then only that there is something new", async () => {
    const roomId = await world.room("join-leave", owner, [member]);
    const socket = await member.socket();
    await socket.join(roomId);
    socket.send({ type: "leave", room_id: roomId });
    expect(await socket.next("left")).toEqual({ type: "left", room_id: roomId });
    const { id, created_at, seq } = await owner.say(roomId, "psst");
    expect(await socket.next("unread")).toEqual({
      type: "unread",
      thread_id: null,
      kind: "room",
      room_id: roomId,
      message_id: id,
      author_id: owner.user.id,
      created_at,
      seq,
      mention: false,
    });
    expect((await socket.drain()).filter(inLog(roomId))).toEqual([]);
    socket.close();
  });
});

type Socket = Awaited<ReturnType<Client["socket"]>>;
type Heard = { type: string; room_id?: string; seq?: number };

/** Matches the events of a room's log. */
function inLog(roomId: string) {
  return (event: Heard) =>
    event.room_id === roomId &&
    event.seq !== undefined &&
    !["joined", "unread"].includes(event.type);
}

/** The numbers that still come before the answer to `leave`. */
async function collectUntilLeft(socket: Socket, roomId: string): Promise<number[]> {
  const seqs: number[] = [];
  for (;;) {
    const event = await socket.next((e: Heard) => e.type === "left" || inLog(roomId)(e));
    if (event.type === "left") return seqs;
    seqs.push(event.seq);
  }
}
