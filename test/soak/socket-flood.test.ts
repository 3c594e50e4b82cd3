import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { MAX_CONCURRENT_FRAMES, MAX_SOCKETS, MAX_WAITING_FRAMES } from "../../src/wire/limits.ts";
import { Client } from "../support/client.ts";
import { urlOf } from "../support/database.ts";
import { Running } from "../support/process.ts";
import { repeats } from "../support/soak.ts";
import { World } from "../support/world.ts";

/** Of 8 kB each: more than what kernels and the service's limits hold together. */
const FLOOD = repeats(1_500, 20_000);

let world: World;
/** The service under flood has a process of its own, so that its memory can be measured. */
let flooded: Running;
let owner: Client;
let bot: Client;
let roomId: string;
beforeAll(async () => {
  world = await World.start();
  flooded = await Running.start({ ...world.settings, DATABASE_URL: urlOf(world.target) });
  owner = at(await world.person("owner"));
  bot = at(await world.bot("flooder", ["read:messages", "write:messages"]));
  roomId = await world.room("flooded", owner, [bot]);
});
afterAll(async () => {
  await flooded.stop();
  await world.stop();
});

const at = ({ cookie, user, token }: Client) => new Client(flooded.address, cookie, user, token);

function memoryMiB(): number {
  const status = readFileSync(`/proc/${flooded.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

/** Holds a lock on rows or tables until the work is done. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await world.database.sql.begin(async (tx) => {
    await tx.unsafe(lock);
    await work();
  });
}

describe("a flood of frames", () => {
  test("of a bot is slowed down by TCP, and all of it is answered", async () => {
    const [socket, other] = [await bot.socket(), await owner.socket()];
    const before = memoryMiB();
    await whileLocked("select from rooms where name = 'flooded' for update", async () => {
      const content = "x".repeat(8_000);
      for (let i = 0; i < FLOOD; i++) {
        socket.send({ type: "message", room_id: roomId, content, client_id: crypto.randomUUID() });
      }
      // Nothing is answered now. Several exchanges on another socket give the service time to read.
      for (let i = 0; i < 50; i++) await other.drain();
      expect(socket.unsentBytes).toBeGreaterThan(0);
      expect(memoryMiB() - before).toBeLessThan(64);
    });
    for (let i = 0; i < FLOOD; i++) await socket.next("ack");
    expect(memoryMiB() - before).toBeLessThan(128);
    socket.close();
    other.close();
  }, 120_000);

  test("of a person before the greeting is refused at a limit, and others are served", async () => {
    const other = await owner.socket();
    await whileLocked("lock table memberships in access exclusive mode", async () => {
      const socket = owner.openSocket();
      await socket.opening();
      for (let i = 0; i <= MAX_WAITING_FRAMES; i++) socket.send({ type: "ping" });
      expect(await socket.next("error")).toMatchObject({ code: "rate_limited" });
      expect((await socket.closing()).code).toBe(1013);
      await other.drain();
    });
    other.close();
  });

  test("of sockets ends at a limit for one account, and others are served", async () => {
    const sockets = await Promise.all(Array.from({ length: MAX_SOCKETS }, () => bot.socket()));
    const extra = bot.openSocket();
    expect(await extra.next("error")).toMatchObject({ code: "rate_limited" });
    expect((await extra.closing()).code).toBe(1013);
    const other = await owner.socket();
    await other.drain();
    for (const socket of [...sockets, other]) socket.close();
    for (const socket of sockets) await socket.closing();
    // There is room again.
    (await bot.socket()).close();
  });

  test("of a bot before the greeting is answered after it, in its order", async () => {
    const count = repeats(MAX_CONCURRENT_FRAMES + 10, 2 * MAX_CONCURRENT_FRAMES);
    const socket = bot.openSocket();
    await whileLocked("lock table memberships in access exclusive mode", async () => {
      await socket.opening();
      for (let i = 0; i < count; i++) {
        socket.send({ type: "delete", message_id: Bun.randomUUIDv7(), ref: String(i) });
      }
    });
    await socket.next("hello");
    for (let i = 0; i < count; i++) expect((await socket.next("error")).ref).toBe(String(i));
    socket.close();
  });
});
