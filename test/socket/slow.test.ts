import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect as connectTcp, type Socket } from "node:net";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let owner: Client;
let slow: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner");
  slow = await world.person("slow");
  roomId = await world.room("busy", owner, [slow]);
});
afterAll(() => world.stop());

/** A WebSocket client of bytes: `onText` gets each text that it reads. */
function rawClient(onText: (text: string, socket: Socket) => void): Socket {
  const { hostname, port } = new URL(world.service.address);
  const socket = connectTcp(Number(port), hostname);
  let unread: Buffer = Buffer.alloc(0);
  let isUpgraded = false;
  socket.on("data", (data) => {
    unread = Buffer.concat([unread, data as Buffer]);
    const end = isUpgraded ? 0 : unread.indexOf("\r\n\r\n") + 4;
    if (!isUpgraded && end < 4) return;
    isUpgraded = true;
    const { texts, rest } = readFrames(unread.subarray(end));
    unread = rest;
    for (const text of texts) onText(text, socket);
  });
  socket.write(
    [
      "GET /ws/chat HTTP/1.1",
      `Host: ${hostname}:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `Cookie: ${slow.cookie}`,
      `Origin: ${world.service.address}`,
      "\r\n",
    ].join("\r\n"),
  );
  return socket;
}

/** The whole text frames of a service, which have no mask (RFC 6455, 5.2). */
function readFrames(bytes: Buffer): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let at = 0;
  for (;;) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const head = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < at + head) break;
    const long = short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : bytes.readUInt16BE(at + 2);
    const length = short < 126 ? short : long;
    if (bytes.length < at + head + length) break;
    if (bytes[at] === 0x81) texts.push(bytes.toString("utf8", at + head, at + head + length));
    at += head + length;
  }
  return { texts, rest: bytes.subarray(at) };
}

/** Joins the room and then does not read any more. */
async function stoppedReader(): Promise<Socket> {
  const { promise: joined, resolve } = Promise.withResolvers<void>();
  const socket = rawClient((text) => {
    if (text.includes('"hello"'))
      socket.write(maskedFrame(`{"type":"join","room_id":"${roomId}"}`));
    if (text.includes('"joined"')) {
      socket.pause();
      resolve();
    }
  });
  await joined;
  return socket;
}

/** A text frame as a client sends it (RFC 6455, 5.2), with a mask of zeros. */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** How many sockets the service has open. */
async function connections(): Promise<number> {
  const { body } = await world.anonymous.get("/metrics");
  return Number(/^snug_connections (\d+)$/m.exec(String(body))?.[1]);
}

describe("a reader that stops", () => {
  test("is closed at a limit, while others hear all; and resumes without a loss", async () => {
    const reader = await owner.socket();
    const start = await reader.join(roomId);
    const stopped = await stoppedReader();
    const text = "x".repeat(8_000);
    // Past what the two ends' kernels take for it, which is some megabytes.
    let said = 0;
    expect(await connections()).toBe(2);
    while ((await connections()) === 2 && said < 4_000) {
      await Promise.all(Array.from({ length: 50 }, () => owner.say(roomId, text)));
      said += 50;
    }
    expect(await connections()).toBe(1);
    for (let i = 0; i < said; i++) expect((await reader.next("message")).seq).toBe(start + 1 + i);
    stopped.destroy();

    const back = await slow.socket();
    const last = start + said;
    await back.join(roomId, last - 20);
    for (let seq = last - 19; seq <= last; seq++)
      expect((await back.next("message")).seq).toBe(seq);
    back.close();
    reader.close();
  });
});

/** Messages that are missed: more than what the service and the kernels hold together. */
const MISSED = 1_000;

/** Writes messages of 8 kB into a room. @returns the room's number before them */
async function writeMissed(missedId: string): Promise<number> {
  const { sql } = world.database;
  const start = (await sql`select last_seq from rooms where id = ${missedId}`)[0]?.last_seq;
  await sql`
    with written as (
      insert into messages (id, room_id, seq, author_id, content)
      select gen_random_uuid(), ${missedId}, ${start}::int + n, ${owner.user.id}, repeat('x', 8000)
      from generate_series(1, ${MISSED}) n returning id, seq
    ), logged as (
      insert into room_log (room_id, seq, type, message_id)
      select ${missedId}, seq, 'message', id from written
    )
    update rooms set last_seq = ${start + MISSED} where id = ${missedId}`;
  return start;
}

/** Joins with a number once greeted. */
function joinWith(
  missedId: string,
  seq: number,
): (event: { type: string }, socket: Socket) => void {
  const frame = JSON.stringify({ type: "join", room_id: missedId, seq });
  return ({ type }, socket) => {
    if (type === "hello") socket.write(maskedFrame(frame));
  };
}

describe("a reader that is slow", () => {
  test("gets all that it missed, as fast as it reads", async () => {
    const missedId = await world.room("missed", owner, [slow]);
    const start = await writeMissed(missedId);
    const join = joinWith(missedId, start);
    const seqs: number[] = [];
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    const socket = rawClient((text) => {
      const event = JSON.parse(text);
      join(event, socket);
      if (event.type === "message") seqs.push(event.seq);
      if (seqs.at(-1) === start + MISSED) resolve();
    });
    socket.on("close", () => reject(new Error(`closed after ${seqs.length} of ${MISSED}`)));
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    await done;
    expect(seqs).toEqual(Array.from({ length: MISSED }, (_, i) => start + 1 + i));
    // The room is open now.
    const live = await owner.say(missedId, "live");
    await eventually(() => seqs.at(-1) === live.seq);
    socket.removeAllListeners("close");
    socket.destroy();
  });

  test("gets no more of what it missed once it was removed", async () => {
    const missedId = await world.room("missed-less", owner, [slow]);
    const start = await writeMissed(missedId);
    const join = joinWith(missedId, start);
    const seqs: number[] = [];
    const begun = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<{ code: string; room_id: string }>();
    const socket = rawClient((text) => {
      const event = JSON.parse(text);
      join(event, socket);
      if (event.type === "error") refused.resolve(event);
      if (event.type === "message" && seqs.push(event.seq) === 1) {
        socket.pause();
        begun.resolve();
      }
    });
    await begun.promise;
    await owner.delete(`/api/rooms/${missedId}/members/${slow.user.id}`);
    socket.resume();
    expect(await refused.promise).toMatchObject({ code: "room_not_found", room_id: missedId });
    expect(seqs.length).toBeLessThan(MISSED);
    socket.destroy();
  });
});
