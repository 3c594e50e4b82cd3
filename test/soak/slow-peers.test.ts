import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { eventually } from "../jobs/support.ts";
import { MuteServer } from "../support/mute.ts";
import { OUTSIDE, PushService, SETTINGS, subscribed, type TestBrowser } from "../push/support.ts";
import { World } from "../support/world.ts";

const PROMPT_MS = 4_000;

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

/** Says something with a link, and waits for its push and its preview. */
async function expectPushAndPreview(text: string): Promise<void> {
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response("<title>A page</title>", { headers: { "content-type": "text/html" } }),
  });
  const pushed = browser.requests.length;
  const started = performance.now();
  const { id } = await ada.say(room, `${text} http://127.0.0.1:${site.port}/`);
  await eventually(async () => {
    const { body } = await bob.get(`/api/messages/${id}`);
    return body.preview?.title === "A page" && browser.requests.length > pushed;
  });
  expect(performance.now() - started).toBeLessThan(PROMPT_MS);
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
  await expectPushAndPreview("while mail hangs");
  const [row] = await database.sql`select count(*)::int as running from jobs
    where kind = 'invite_mail' and locked_by is not null`;
  expect(row).toEqual({ running: 4 });
});

test("a site that hangs stops no preview of another, nor does one person's flood of links", async () => {
  const before = mute.accepted;
  for (let n = 0; n < 20; n += 1) await bob.say(room, `http://127.0.0.1:${mute.port}/${n}`);
  await mute.until(before + 8);
  await expectPushAndPreview("while a site hangs");
});
