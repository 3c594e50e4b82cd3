import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FRAME_RATE } from "../../src/wire/limits.ts";
import { people, World } from "../support/world.ts";

let world: World;
let cast: Awaited<ReturnType<typeof people>>;
beforeAll(async () => {
  world = await World.start();
  cast = await people(world);
});
afterAll(() => world.stop());

const isError = (code: string) => (event: { type: string; code?: string }) =>
  event.type === "error" && event.code === code;

describe("a socket", () => {
  test("is greeted first", async () => {
    const socket = await cast.member.socket();
    expect(socket.heard[0]).toEqual({
      type: "hello",
      user_id: cast.member.user.id,
      instance: expect.any(String),
      server_time: expect.any(String),
    });
    socket.close();
  });

  test("answers an invalid frame with an error, and continues", async () => {
    const socket = await cast.member.socket();
    for (const raw of [
      "{nope",
      "[]",
      "7",
      '"text"',
      "null",
      '{"type":"nope"}',
      '{"type":["join"]}',
      "{}",
    ]) {
      socket.sendRaw(raw);
      await socket.next(isError("bad_request"));
    }
    socket.sendRaw(new Uint8Array([1, 2, 3]));
    await socket.next(isError("bad_request"));
    socket.send({ type: "join", room_id: 7 });
    await socket.next(isError("validation"));
    socket.sendRaw("0123");
    await socket.next(isError("bad_request"));
    socket.send({ type: "ping" });
    await socket.next("pong");
    socket.close();
  });

  test("names client_id and ref in every refusal of a frame that is JSON", async () => {
    const socket = await cast.member.socket();
    const room_id = cast.rooms.open;
    const message = { type: "message", room_id, content: "x" };
    for (const [frame, code] of [
      [{ ...message, content: "a\0b" }, "validation"],
      [{ ...message, content: "half \ud83d" }, "validation"],
      [{ ...message, "\udc00": 1 }, "validation"],
      [{ ...message, image_alt: "\ud800" }, "validation"],
      [{ ...message, room_id: "\udfff" }, "validation"],
      [{ ...message, content: 7 }, "validation"],
      [{ ...message, content: "x".repeat(20_000) }, "validation"],
      [{ ...message, content: "x".repeat(9_000) }, "validation"],
      [{ ...message, content: " " }, "empty_message"],
      [{ ...message, room_id: undefined }, "validation"],
      [{ type: "edit", message_id: room_id, content: "\0" }, "validation"],
      [{ type: "nope" }, "bad_request"],
      [{ type: "nope\0" }, "validation"],
      [{}, "bad_request"],
    ] as const) {
      const names = { client_id: crypto.randomUUID(), ref: `😀${code}` };
      socket.send({ ...frame, ...names });
      expect(await socket.next("error")).toMatchObject({ code, ...names });
    }
    // A name that nobody can store is not repeated; the other one is.
    socket.send({ ...message, client_id: "\ud800", ref: "a" });
    const error = await socket.next("error");
    expect(error).toMatchObject({ code: "validation", ref: "a" });
    expect(error).not.toHaveProperty("client_id");
    socket.close();
  });

  test("is closed with 1009 by a frame over 64 KiB, and no other is harmed", async () => {
    const [big, other] = [await cast.member.socket(), await cast.member.socket()];
    big.send({ type: "ping", padding: "x".repeat(64 * 1024) });
    expect((await big.closing()).code).toBe(1009);
    other.send({ type: "ping" });
    await other.next("pong");
    other.close();
  });

  test("is refused past the burst, with the frame's client_id", async () => {
    const socket = await cast.outsider.socket();
    const client_id = crypto.randomUUID();
    for (let i = 0; i < FRAME_RATE.burst + 10; i++) socket.send({ type: "ping" });
    socket.send({ type: "message", room_id: cast.rooms.open, content: "x", client_id });
    const error = await socket.next((event) => event.client_id === client_id);
    expect(error).toMatchObject({ type: "error", code: "rate_limited" });
    socket.close();
  });
});

describe("a message frame", () => {
  test("is acknowledged to its sender, with client_id; others get the envelope without", async () => {
    const { member, owner, rooms } = cast;
    const [sender, reader] = [await member.socket(), await owner.socket()];
    await sender.join(rooms.secret);
    const joined = await reader.join(rooms.secret);
    const client_id = crypto.randomUUID();
    sender.send({ type: "message", room_id: rooms.secret, content: "hi", client_id });
    const ack = await sender.next("ack");
    expect(ack).toMatchObject({ client_id, message: { content: "hi", client_id } });
    const envelope = await reader.next("message");
    expect(envelope).toEqual({
      type: "message",
      room_id: rooms.secret,
      seq: joined + 1,
      message: { ...ack.message, client_id: null },
    });
    // The sender receives the ack first, then the same event as everyone.
    expect(await sender.next("message")).toEqual(envelope);
    const types = sender.heard.map((event) => event.type);
    expect(types.indexOf("ack")).toBeLessThan(types.indexOf("message"));
    sender.close();
    reader.close();
  });

  test("keeps the order in which one socket sent", async () => {
    const { member, rooms } = cast;
    const socket = await member.socket();
    await socket.join(rooms.open);
    const texts = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    for (const content of texts) {
      socket.send({
        type: "message",
        room_id: rooms.open,
        content,
        client_id: crypto.randomUUID(),
      });
    }
    const heard: string[] = [];
    while (heard.length < texts.length) heard.push((await socket.next("message")).message.content);
    expect(heard).toEqual(texts);
    socket.close();
  });

  test("that is refused says why, and names its client_id", async () => {
    const socket = await cast.outsider.socket();
    for (const [room_id, code] of [
      [cast.rooms.open, "not_a_member"],
      [cast.rooms.secret, "room_not_found"],
      [Bun.randomUUIDv7(), "room_not_found"],
    ] as const) {
      const client_id = crypto.randomUUID();
      socket.send({ type: "message", room_id, content: "let me in", client_id });
      const answer = await socket.next((event) => event.client_id === client_id);
      expect(answer).toMatchObject({ type: "error", code, room_id });
    }
    socket.close();
  });

  test("a second time with its client_id is acknowledged with the first message", async () => {
    const { member, rooms } = cast;
    const socket = await member.socket();
    const client_id = crypto.randomUUID();
    const frame = { type: "message", room_id: rooms.open, content: "once", client_id };
    socket.send(frame);
    const first = await socket.next("ack");
    socket.send({ ...frame, content: "twice" });
    expect((await socket.next("ack")).message).toEqual(first.message);
    socket.close();
  });
});

describe("edit and delete frames", () => {
  test("are acknowledged with their ref and sent to the room", async () => {
    const { member, owner, rooms } = cast;
    const { id } = await member.say(rooms.secret, "teh");
    const [author, reader] = [await member.socket(), await owner.socket()];
    await reader.join(rooms.secret);
    author.send({ type: "edit", message_id: id, content: "the", ref: "a" });
    expect(await author.next("ack")).toEqual({ type: "ack", ref: "a" });
    expect(await reader.next("message_update")).toMatchObject({ message: { id, content: "the" } });
    author.send({ type: "delete", message_id: id, ref: "b" });
    expect(await author.next("ack")).toEqual({ type: "ack", ref: "b" });
    expect(await reader.next("message_delete")).toMatchObject({ message_id: id });
    author.send({ type: "delete", message_id: id, ref: "c" });
    expect(await author.next("error")).toMatchObject({ code: "message_not_found", ref: "c" });
    author.close();
    reader.close();
  });
});

describe("typing", () => {
  test("reaches the room, and only from one who has it open", async () => {
    const { member, owner, outsider, rooms } = cast;
    const sockets = await Promise.all([member.socket(), owner.socket(), outsider.socket()]);
    const [typist, reader, stranger] = sockets;
    await reader.join(rooms.open);
    stranger.send({ type: "typing", room_id: rooms.open });
    await stranger.drain();
    await typist.join(rooms.open);
    typist.send({ type: "typing", room_id: rooms.open });
    const heard = await reader.next("typing");
    expect(heard).toEqual({ type: "typing", room_id: rooms.open, user_id: member.user.id });
    for (const socket of sockets) socket.close();
  });
});
