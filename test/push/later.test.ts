import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { deactivateUser } from "../../src/accounts/administer.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import {
  OUTSIDE,
  PushService,
  queued,
  runPushes,
  sayAndPush,
  SETTINGS,
  subscribed,
  TestBrowser,
} from "./support.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let service: PushService;
let ada: Client;
let bob: Client;
let room: string;
let browser: TestBrowser;
let count = 0;
beforeAll(async () => {
  service = new PushService();
  // A busy machine takes its time for hundreds of requests at once.
  const options = { ...OUTSIDE, maxPendingPushes: 100, pushMs: 60_000 };
  world = await World.start(SETTINGS, options);
});
afterAll(async () => {
  await world.stop();
  await service.stop();
});
beforeEach(async () => {
  const n = count++;
  ada = await world.person(`ada${n}`, { displayName: "Ada" });
  bob = await world.person(`bob${n}`);
  room = await world.room(`snug-${n}`, ada, [bob]);
  browser = await subscribed(service, bob);
});
afterEach(async () => {
  service.reset();
  await world.database.sql`delete from jobs`;
});

/** What ends a notification between its message and the push, or between two attempts. */
const ENDS: [string, (messageId: string) => unknown][] = [
  [
    "its recipient was removed from the room",
    () => ada.delete(`/api/rooms/${room}/members/${bob.user.id}`),
  ],
  ["its recipient has left the room", () => bob.post(`/api/rooms/${room}/leave`)],
  ["its recipient was deactivated", () => world.administer(bob.user.username, deactivateUser)],
  ["its recipient has signed out there", () => bob.post("/api/auth/logout")],
  [
    "its recipient has ended that session",
    async () => (await world.signIn(bob.user)).delete("/api/auth/me/sessions"),
  ],
  [
    "the session has expired",
    () => world.database.sql`update sessions set expires_at = now() where user_id = ${bob.user.id}`,
  ],
  [
    "the session must first turn on a second factor",
    () =>
      world.database.sql`update sessions set is_restricted = true where user_id = ${bob.user.id}`,
  ],
  ["its message was deleted", (id) => ada.delete(`/api/messages/${id}`)],
  ["its room was deleted", () => ada.delete(`/api/rooms/${room}`)],
];

describe("a push is not sent", () => {
  test.each(ENDS)("when, before it was, %s", async (_, end) => {
    await sayAndPush(world, ada, room, "before", end);
    expect(browser.requests).toEqual([]);
  });

  test.each(ENDS)("again when, since the first attempt, %s", async (_, end) => {
    service.answer = () => new Response(null, { status: 503 });
    const id = await sayAndPush(world, ada, room, "before");
    expect(browser.requests).toHaveLength(1);
    service.reset();
    await end(id);
    await runPushes(world, "push_retry");
    expect(browser.requests).toEqual([]);
    expect(await world.database.sql`select from jobs where kind = 'push_retry'`).toHaveLength(0);
  });
});

test("a push that is retried has the text as it is now", async () => {
  service.answer = () => new Response(null, { status: 503 });
  const id = await sayAndPush(world, ada, room, "before");
  service.reset();
  await ada.patch(`/api/messages/${id}`, { content: "after" });
  await runPushes(world, "push_retry");
  expect(await browser.bodies()).toEqual(["Ada: after"]);
});

test("those who are notified late, of a room of very many, are notified of the text as it is then", async () => {
  // Of these and Bob's own, 200 are read at once.
  const others = await Promise.all(Array.from({ length: 250 }, () => TestBrowser.open(service)));
  const rows = others.map(({ subscription: { endpoint, keys } }) => ({ endpoint, ...keys }));
  const { sql } = world.database;
  await sql`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
    select gen_random_uuid(), s.user_id, s.id, x.endpoint, x.p256dh, x.auth
    from jsonb_to_recordset(${sql.json(rows)}) as x(endpoint text, p256dh text, auth text),
      sessions s where s.user_id = ${bob.user.id}`;
  const released = Promise.withResolvers<void>();
  service.answer = async () => {
    await released.promise;
    return new Response(null, { status: 201 });
  };
  const { id } = await ada.say(room, "before");
  await queued(world, id);
  const done = runPushes(world, "push");
  // The others are read once some of the first have been sent to.
  await eventually(() => service.received.length > 0);
  await ada.patch(`/api/messages/${id}`, { content: "after" });
  released.resolve();
  await done;
  const texts = (
    await Promise.all([browser, ...others].map((receiver) => receiver.bodies()))
  ).flat();
  expect(texts.filter((text) => text === "Ada: before")).toHaveLength(200);
  expect(texts.filter((text) => text === "Ada: after")).toHaveLength(51);
});
