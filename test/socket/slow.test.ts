import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect as connectTcp, type Socket } from "node:net";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

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

/** A WebSocket client of bytes, that joins the room and then does not read any more. */
async function stoppedReader(): Promise<Socket> {
  const { hostname, port } = new URL(world.service.address);
  const socket = connectTcp(Number(port), hostname);
  const heard: string[] = [];
  const { promise: joined, resolve } = Promise.withResolvers<void>();
  socket.on("data", (data) => {
    heard.push(data.toString("latin1"));
    if (heard.join("").includes('"hello"'))
      socket.write(maskedFrame(`{"type":"join","room_id":"${roomId}"}`));
    if (heard.join("").includes('"joined"')) {
      socket.pause();
      resolve();
    }
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
