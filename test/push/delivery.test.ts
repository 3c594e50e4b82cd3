import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { checkSubject } from "../../src/push/vapid.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import {
  created,
  OUTSIDE,
  PushService,
  queued,
  runPushes,
  sayAndPush,
  SETTINGS,
  subscribed,
  type TestBrowser,
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
  world = await World.start(SETTINGS, OUTSIDE);
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

const say = (content: string) => sayAndPush(world, ada, room, content);
const subscriptions = () => world.database.sql`
  select from push_subscriptions where user_id = ${bob.user.id}`;
const answers = (status: number, headers = {}) => {
  service.answer = () => new Response(null, { status, headers });
};

describe("a push", () => {
  test("names its sender, its lifetime and what it replaces", async () => {
    await say("x");
    const [request] = browser.requests;
    expect(request?.headers.get("content-encoding")).toBe("aes128gcm");
    expect(request?.headers.get("ttl")).toBe("86400");
    expect(request?.headers.get("urgency")).toBe("normal");
    expect(request?.headers.get("topic")).toMatch(/^[\w-]{22}$/);
    const [, jwt = "", key] =
      /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(request?.headers.get("authorization") ?? "") ?? [];
    expect(key).toBe((await bob.get("/api/push/key")).body.public_key);
    const claims = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ aud: service.origin, sub: expect.stringContaining("snug@") });
  });

  test("names the first administrator as its contact, in whose place a setting may be", async () => {
    const admin = await world.person(`admin${count}`, { isSiteAdmin: true });
    await say("x");
    const readContact = (request: (typeof browser.requests)[number] | undefined) => {
      const [, jwt = ""] = /t=([\w.-]+)/.exec(request?.headers.get("authorization") ?? "") ?? [];
      return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()).sub;
    };
    const { email } = (await admin.get("/api/auth/me")).body;
    expect(readContact(browser.requests[0])).toBe(`mailto:${email}`);
    await world.database.sql`update users set is_site_admin = false where id = ${admin.user.id}`;
    const contact = { baseUrl: "https://chat.example.org", subject: null };
    const { db } = world.database;
    expect(await checkSubject(db, contact)).toBe("https://chat.example.org");
    const set = { ...contact, subject: "mailto:ada@example.org" };
    expect(await checkSubject(db, set)).toBe("mailto:ada@example.org");
    for (const subject of ["mailto:ada@snug.local", "mailto:ada@localhost", "https://snug"]) {
      const checked = checkSubject(db, { ...contact, subject });
      await expect(checked).rejects.toThrow("Apple refuses pushes whose contact is");
    }
  });

  test("is shown by browsers that need no service worker, too", async () => {
    const id = await say(`@${bob.user.username}, look`);
    const [payload] = await browser.payloads();
    const path = `/rooms/snug-${count - 1}/m/${id}`;
    expect(payload).toMatchObject({
      type: "message",
      path,
      web_push: 8030,
      notification: {
        title: `#snug-${count - 1}`,
        body: expect.stringMatching(/^Ada mentioned you: .*look$/),
        tag: `room:${room}`,
        navigate: expect.stringMatching(new RegExp(`^http://localhost:\\d+${path}$`)),
        icon: expect.stringMatching(/^http:\/\/localhost:\d+\/icons\/icon-192\.png$/),
        data: { path, count: 1 },
      },
    });
  });

  test("of a mention is urgent and is not replaced by what follows", async () => {
    await say(`@${bob.user.username}`);
    await say("x");
    const [mention, other] = browser.requests;
    expect(mention?.headers.get("urgency")).toBe("high");
    expect(mention?.headers.get("topic")).not.toBe(other?.headers.get("topic"));
  });

  test("of the longest text stays under what push services take", async () => {
    await say("ü".repeat(8_000));
    expect(browser.requests[0]?.body.length).toBeLessThan(4_096);
    expect((await browser.bodies())[0]).toMatch(/^Ada: ü{500,}…$/);
  });

  test.each([404, 410])("that is answered %i ends the subscription", async (status) => {
    answers(status);
    await say("x");
    expect(browser.requests).toHaveLength(1);
    expect(await subscriptions()).toHaveLength(0);
  });

  test.each([400, 403, 413])("that is answered %i is not retried", async (status) => {
    answers(status);
    await say("x");
    await runPushes(world, "push_retry");
    expect(browser.requests).toHaveLength(1);
    expect(await subscriptions()).toHaveLength(1);
  });

  test.each<[string, number, number]>([
    ["120", 100, 121],
    [" 120.5 ", 100, 122],
    ["soon", 0, 100],
    ["-5", 0, 16],
    ["999999999", 3_500, 3_601],
    [new Date(Date.now() + 600_000).toUTCString(), 500, 601],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0, 16],
  ])("waits as long as the service asks for, within an hour: %s", async (after, least, most) => {
    answers(406, { "retry-after": after });
    await say("x");
    const [job] = await world.database.sql`
      select extract(epoch from run_at - clock_timestamp())::float8 as seconds from jobs
      where kind = 'push_retry'`;
    expect(job?.seconds).toBeWithin(least - 1, most);
    await world.database.sql`delete from jobs where kind like 'push%'`;
  });

  test.each([406, 408, 425, 429, 500, 502, 503, 504, 507, 521])(
    "that is answered %i is retried later",
    async (status) => {
      answers(status, { "retry-after": "120" });
      await say("x");
      const [job] = await world.database.sql`
      select extract(epoch from run_at - clock_timestamp())::float8 as seconds from jobs
      where kind = 'push_retry'`;
      expect(job?.seconds).toBeWithin(100, 121);
      service.answer = () => created();
      await runPushes(world, "push_retry");
      expect(browser.requests).toHaveLength(2);
      expect((await browser.bodies())[1]).toBe("Ada: x");
      expect(await world.database.sql`select from jobs where kind like 'push%'`).toHaveLength(0);
    },
  );

  test("that waits tells of the latest message, once", async () => {
    answers(503);
    await say("first");
    await say("second");
    service.answer = () => created();
    service.received.length = 0;
    await runPushes(world, "push_retry");
    expect(await browser.bodies()).toEqual(["Ada: second"]);
  });

  test("goes to many at once, and a slow one delays no other", async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, i) => world.person(`many-${count}-${i}`)),
    );
    for (const { user } of others) {
      await ada.post(`/api/rooms/${room}/members`, { user_id: user.id });
    }
    const browsers = await Promise.all(others.map((other) => subscribed(service, other)));
    const slow = Promise.withResolvers<Response>();
    service.answer = ({ path }) => (browser.endpoint.endsWith(path) ? slow.promise : created());
    const { id } = await ada.say(room, "x");
    await queued(world, id);
    const done = runPushes(world, "push");
    await eventually(() => browsers.every(({ requests }) => requests.length > 0));
    slow.resolve(created());
    await done;
    expect(browser.requests).toHaveLength(1);
  });
});
