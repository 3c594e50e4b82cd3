import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import { notifyRecipients, type PushDeps } from "../../src/push/notify.ts";
import { PushServices } from "../../src/push/services.ts";
import { createVapid, type Vapid } from "../../src/push/vapid.ts";
import type { Client } from "../support/client.ts";
import { MuteServer } from "../support/mute.ts";
import {
  created,
  OUTSIDE,
  PushService,
  queued,
  runPushes,
  SETTINGS,
  subscribed,
  TestBrowser,
} from "../push/support.ts";
import { repeats } from "../support/soak.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

let world: World;
let service: PushService;
let mute: MuteServer;
let ada: Client;
let bob: Client;
let room: string;
let browser: TestBrowser;
beforeAll(async () => {
  service = new PushService();
  mute = await MuteServer.open();
  world = await World.start({ EGRESS_ALLOW: `${SETTINGS.EGRESS_ALLOW},127.0.0.1` }, OUTSIDE);
  ada = await world.person("ada", { isSiteAdmin: true });
  bob = await world.person("bob");
  room = await world.room("snug", ada, [bob]);
  browser = await subscribed(service, bob);
});
afterAll(async () => {
  await world.stop();
  await mute.close();
  await service.stop();
});

/**
 * Says something with a link, and waits for its push and its preview.
 * @param hung what hangs meanwhile: none of its connections is given up before
 */
async function expectPushAndPreview(text: string, hung: MuteServer): Promise<void> {
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response("<title>A page</title>", { headers: { "content-type": "text/html" } }),
  });
  const pushed = browser.requests.length;
  const givenUp = hung.accepted - hung.open;
  const { id } = await ada.say(room, `${text} http://127.0.0.1:${site.port}/`);
  await eventually(async () => {
    const { body } = await bob.get(`/api/messages/${id}`);
    return body.preview?.title === "A page" && browser.requests.length > pushed;
  });
  expect(hung.accepted - hung.open).toBe(givenUp);
  await site.stop(true);
}

test("a mail server that accepts and never answers stops no push and no preview", async () => {
  const { database } = world;
  const settings = { host: "127.0.0.1", port: mute.port, security: "none", from: "a@example.org" };
  expect((await ada.put("/api/admin/settings/smtp", settings)).status).toBe(200);
  for (let n = 0; n < 12; n += 1) {
    const answer = await ada.post("/api/admin/invites", { email: `guest-${n}@example.org` });
    expect(answer.status).toBe(201);
  }
  await mute.until(4);
  await expectPushAndPreview("while mail hangs", mute);
  const [row] = await database.sql`select count(*)::int as running from jobs
    where kind = 'invite_mail' and locked_by is not null`;
  expect(row).toEqual({ running: 4 });
});

test("a site that hangs stops no preview of another, nor does one person's flood of links", async () => {
  const hung = await MuteServer.open();
  for (let n = 0; n < 20; n += 1) await bob.say(room, `http://127.0.0.1:${hung.port}/${n}`);
  await hung.until(8);
  await expectPushAndPreview("while a site hangs", hung);
  await hung.close();
});

test("a push service that hangs delays no push to another, and rests after a time-out", async () => {
  const hung = await MuteServer.open();
  const keys = await TestBrowser.open(service);
  for (let n = 0; n < 4; n += 1) {
    const person = await world.person(`hung-${n}`);
    await ada.post(`/api/rooms/${room}/members`, { user_id: person.user.id });
    for (let m = 0; m < 10; m += 1) {
      const endpoint = `https://localhost:${hung.port}/push/${n}-${m}`;
      const subscription = { ...keys.subscription, endpoint };
      expect((await person.post("/api/push/subscriptions", subscription)).status).toBe(201);
    }
  }
  // Read after all of those that hang.
  const last = await subscribed(service, bob);
  for (const text of ["first", "second"]) await ada.say(room, text);
  await eventually(async () => last.requests.length >= 2);
  expect(hung.open).toBeGreaterThan(0);
  expect(hung.open).toBe(hung.accepted);
  await hung.close();
});

describe("pushes by hand", () => {
  const egress = createEgress({ allow: parseEgressAllow("localhost"), ca: OUTSIDE.ca });
  const readKey = () => loadSecretKey(world.settings.DATA_DIR, null);
  const depsOf = (timeoutMs?: number): PushDeps => ({
    database: world.database,
    egress,
    queue: { wake() {} },
    baseUrl: world.service.baseUrl,
    services: new PushServices(egress, timeoutMs),
    vapid: createVapid(world.database.db, readKey, {
      baseUrl: world.service.baseUrl,
      subject: null,
    }),
  });

  test("to a service that timed out are put off without asking it, for longer each time", async () => {
    const hung = await MuteServer.open();
    const { services, vapid } = depsOf(50);
    const { subscription } = await TestBrowser.open(service);
    const { p256dh, auth } = subscription.keys;
    const send = async () => {
      const endpoint = `https://localhost:${hung.port}/x`;
      const manner = { ttl: 60, urgency: "normal" } as const;
      return services.send(
        (await vapid()) as Vapid,
        { id: "", endpoint, p256dh, auth },
        "{}",
        manner,
      );
    };
    expect(await send()).toMatchObject({ type: "later", hasTimedOut: true });
    const asked = hung.accepted;
    const answer = await send();
    expect(answer).toMatchObject({ type: "later", reason: expect.stringContaining("hangs") });
    if (answer.type === "later") expect(answer.seconds).toBeWithin(10, 15.1);
    expect(hung.accepted).toBe(asked);
    await hung.close();
  });

  test("that a stop cuts off are continued where they were", async () => {
    const { sql } = world.database;
    const { body } = await ada.post(`/api/rooms`, { name: "wide", privacy: "private" });
    await ada.post(`/api/rooms/${body.id}/members`, { user_id: bob.user.id });
    const [own] =
      await sql`select * from push_subscriptions where user_id = ${bob.user.id} limit 1`;
    await sql`delete from push_subscriptions`;
    // More than are read at a time.
    const count = repeats(220, 450);
    const endpoints = Array.from({ length: count }, (_, n) => `${service.origin}/wide/${n}`);
    await sql`insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
      select id, ${bob.user.id}, ${own?.session_id}, endpoint, ${own?.p256dh}, ${own?.auth}
      from unnest(${endpoints.map(() => Bun.randomUUIDv7())}::uuid[], ${endpoints}::text[])
        as s(id, endpoint)`;
    const { id } = await ada.say(body.id, "to many");
    await queued(world, id);
    await sql`delete from jobs where id = ${id}`;
    service.received.length = 0;
    const stop = new AbortController();
    service.answer = () => {
      if (service.received.length === 100) stop.abort();
      return created();
    };
    const { signal } = new AbortController();
    await notifyRecipients(depsOf(), { messageId: id }, { signal, stopping: stop.signal });
    const first = service.received.length;
    expect(first).toBeLessThan(endpoints.length);
    await runPushes(world, "push", "push_retry");
    const paths = service.received.map(({ path }) => path);
    expect(new Set(paths).size).toBe(endpoints.length);
    // Requests in flight may have been delivered.
    expect(paths.length).toBeLessThan(endpoints.length + 130);
  });
});
