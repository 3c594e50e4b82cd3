import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import { lockRoom } from "../../src/rooms/change.ts";
import { addMembership, removeMembership } from "../../src/rooms/membership.ts";
import type { SocketDeps } from "../../src/socket/deps.ts";
import { greetAgain } from "../../src/socket/sockets.ts";
import { type Service, startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";
import { testConfig, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** An instance whose LISTEN connection is half open: it receives no signal and no hint. */
let deaf: Service;
/** Another, which compares what it holds with the database often; the first one never does. */
let sweeping: Service;
/** A third, which sweeps only while it finds that nothing arrives. */
let pinging: Service;
let world: World;
let proxy: StallingProxy;
let owner: Client;
beforeAll(async () => {
  world = await World.start();
  proxy = new StallingProxy(world.target);
  const config = testConfig(world.settings);
  const never = 600_000;
  deaf = await startService(config, proxy.target, { sweepMs: never, pingMs: never });
  sweeping = await startService(config, proxy.target, { sweepMs: 200, pingMs: never });
  pinging = await startService(config, proxy.target, { sweepMs: never, pingMs: 40 });
  proxy.stallListening();
  owner = await world.person("owner");
});
afterAll(async () => {
  await Promise.all([deaf.stop(), sweeping.stop(), pinging.stop()]);
  proxy.close();
  await world.stop();
});

/** The same caller, at another instance. */
const at = (service: Service, { cookie, user, token }: Client) =>
  new Client(service.address, cookie, user, token);
const there = (client: Client) => at(deaf, client);

/** Each frame that does something, about a room and a message of the sender's in it. */
const frames = (room_id: string, message_id: string) => ({
  join: { room_id },
  message: { room_id, content: "still here", client_id: crypto.randomUUID() },
  edit: { message_id, content: "changed" },
  delete: { message_id },
  react: { message_id, emoji: "👍" },
  typing: { room_id },
});

describe("where no signal arrives, a frame is refused and closes with 4401", () => {
  test.each(["join", "message", "edit", "delete", "react", "typing"] as const)(
    "%s, of a person whose session has ended",
    async (type) => {
      const person = await world.person(`session-${type}`);
      const roomId = await world.room(`session-${type}`, owner, [person]);
      const { id } = await person.say(roomId, "before");
      const socket = await there(person).socket();
      if (type !== "join") await socket.join(roomId);
      await person.post("/api/auth/logout");
      socket.send({ type, ...frames(roomId, id)[type] });
      expect(await socket.next("error")).toMatchObject({ code: "unauthenticated" });
      expect((await socket.closing()).code).toBe(4401);
      const { body } = await owner.get(`/api/rooms/${roomId}/messages`);
      expect(body.items).toMatchObject([{ content: "before", reactions: [] }]);
    },
  );

  test("of a deactivated person and of a bot whose token was revoked", async () => {
    const person = await world.person("deactivated");
    const bot = await world.bot("revoked", ["read:messages", "write:messages"]);
    const roomId = await world.room("gone", owner, [person, bot]);
    const sockets = [await there(person).socket(), await there(bot).socket()];
    await world.administer("deactivated", deactivateUser);
    await world.database
      .sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
    for (const [i, code] of ["unauthenticated", "invalid_token"].entries()) {
      sockets[i]?.send({ type: "join", room_id: roomId });
      expect(await sockets[i]?.next("error")).toMatchObject({ code });
      expect((await sockets[i]?.closing())?.code).toBe(4401);
    }
  });
});

describe("where no signal arrives, a sweep", () => {
  test.each([
    ["an ended session", (person: Client) => person.post("/api/auth/logout")],
    [
      "a deactivated person",
      (person: Client) => world.administer(person.user.username, deactivateUser),
    ],
  ])("closes a socket of %s before it publishes what came after", async (what, end) => {
    const name = what.replaceAll(/\W/g, "-").slice(-12);
    const person = await world.person(name);
    const roomId = await world.room(name, owner, [person]);
    const socket = await at(sweeping, person).socket();
    await socket.join(roomId);
    await end(person);
    await owner.say(roomId, "not for you");
    expect((await socket.closing()).code).toBe(4401);
    expect(socket.heard.filter(({ type }) => type === "message")).toEqual([]);
  });

  test("closes a socket of a revoked token before it publishes what came after", async () => {
    const bot = await world.bot("unheard", ["read:messages"]);
    const roomId = await world.room("unheard", owner, [bot]);
    const socket = await at(sweeping, bot).socket();
    await socket.join(roomId);
    await world.database
      .sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
    await owner.say(roomId, "not for you");
    expect((await socket.closing()).code).toBe(4401);
    expect(socket.heard.filter(({ type }) => type === "message")).toEqual([]);
  });

  test("takes a removed member out before it publishes what came after", async () => {
    const person = await world.person("taken-out");
    const roomId = await world.room("taken-out", owner, [person]);
    const socket = await at(sweeping, person).socket();
    await socket.join(roomId);
    await owner.delete(`/api/rooms/${roomId}/members/${person.user.id}`);
    await owner.say(roomId, "not for you");
    await socket.next("room_removed");
    expect((await socket.drain()).filter(({ type }) => type === "message")).toEqual([]);
    socket.close();
  });

  test("announces an added room to a person, and sends its events", async () => {
    const person = await world.person("newcomer");
    const socket = await at(sweeping, person).socket();
    const roomId = await world.room("unheard-of", owner, [person]);
    expect(await socket.next("room_added")).toMatchObject({ room: { id: roomId } });
    await owner.say(roomId, "welcome");
    expect(await socket.next("unread")).toMatchObject({ room_id: roomId });
    socket.close();
  });
});

describe("an instance that finds that nothing arrives", () => {
  test("closes a socket of a revoked token, also after it has replaced the connection", async () => {
    for (const name of ["first", "second"]) {
      const bot = await world.bot(`${name}-silent`, ["read:messages"]);
      const roomId = await world.room(`${name}-silent`, owner, [bot]);
      const socket = await at(pinging, bot).socket();
      await socket.join(roomId);
      await world.database
        .sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
      expect((await socket.closing()).code).toBe(4401);
      // Two lost pings replace the connection; the next is silent too.
      const replaced = proxy.links.filter(({ listens }) => listens).length + 1;
      await eventually(() => proxy.links.filter(({ listens }) => listens).length >= replaced);
    }
  });
});

describe("an instance that has found that nothing arrives", () => {
  test("publishes what is posted to it after it has compared who may receive it", async () => {
    const bot = await world.bot("unheard-post", ["read:messages"]);
    const roomId = await world.room("unheard-post", owner, [bot]);
    const [author, reader] = [at(pinging, owner), await at(pinging, owner).socket()];
    for (let n = 0; n < 5; n++) {
      const socket = await at(pinging, bot).socket();
      for (const client of [socket, reader]) await client.join(roomId);
      await world.database
        .sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
      const { id } = await author.say(roomId, "not for you");
      expect((await socket.closing()).code).toBe(4401);
      expect(socket.heard.filter(({ type }) => type === "message")).toEqual([]);
      expect(await reader.next("message")).toMatchObject({ message: { id } });
      await world.database
        .sql`update api_tokens set revoked_at = null where user_id = ${bot.user.id}`;
    }
    reader.close();
  });
});

describe("where notifications may have been lost", () => {
  test("people are greeted again, once however often that was, and bots are not", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const greeted: string[] = [];
    const socket = (id: string, token: object | null) => ({
      data: { id, token, isGreeted: true, nextHello: null },
      send(text: string) {
        greeted.push(JSON.parse(text).user_id);
        resolve();
      },
    });
    const people = new Map(
      [socket("bot", {}), socket("person", null)].map((each) => [
        each.data.id,
        { sockets: new Set([each]) },
      ]),
    );
    const deps = { connections: { people } } as unknown as SocketDeps;
    for (let n = 0; n < 3; n++) greetAgain(deps, "this", 0);
    await promise;
    // Timers of the same time run in their order.
    await new Promise((done) => setTimeout(done));
    expect(greeted).toEqual(["person"]);
  });
});

describe("one who was removed and added again before the removal is heard", () => {
  test("stays in the room", async () => {
    const person = await world.person("back-again");
    const roomId = await world.room("revolving", owner, [person]);
    const first = await there(person).socket();
    await first.join(roomId);
    await world.database.db.transaction(async (tx) => {
      await lockRoom(tx, { id: roomId });
      await removeMembership(tx, roomId, person.user.id, null);
      await addMembership(tx, roomId, person.user.id, "member", null);
    });
    const second = await there(person).socket();
    // The next number makes the feed read those before it.
    const message = await there(person).say(roomId, "still here");
    expect(await first.next("message")).toMatchObject({ seq: message.seq });
    expect(await second.next("unread")).toMatchObject({ message_id: message.id });
    for (const socket of [first, second]) {
      expect(socket.heard.filter(({ type }) => type === "room_removed")).toEqual([]);
      socket.close();
    }
  });
});
