import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, expectProblem } from "../support/client.ts";
import { commitDuring } from "../support/blocked.ts";
import { World } from "../support/world.ts";
import { OUTSIDE, PushService, SETTINGS, subscribed, TestBrowser } from "./support.ts";

const PATH = "/api/push/subscriptions";

let world: World;
let service: PushService;
let ada: Client;
beforeAll(async () => {
  service = new PushService();
  world = await World.start(SETTINGS, OUTSIDE);
  ada = await world.person("ada");
});
afterAll(async () => {
  await world.stop();
  await service.stop();
});

const rows = () => world.database.sql`select user_id from push_subscriptions order by id`;

describe("the site's key", () => {
  test("is made once and is one for all instances, and its private half lies sealed", async () => {
    const second = await world.signIn(ada.user, await world.secondInstance());
    const keys = await Promise.all([ada, second].map((client) => client.get("/api/push/key")));
    expect(keys[0]?.body.public_key).toMatch(/^[\w-]{87}$/);
    expect(keys[1]?.body).toEqual(keys[0]?.body);
    const [row] = await world.database.sql`select private_key from push_keys`;
    expect(row?.private_key[0]).toBe(1);
  });
});

describe("a subscription", () => {
  test("is stored by its endpoint: 201, then 200, and belongs to the last subscriber", async () => {
    const browser = await subscribed(service, ada);
    expect((await ada.post(PATH, browser.subscription)).status).toBe(200);
    const bob = await world.person("bob");
    expect((await bob.post(PATH, browser.subscription)).status).toBe(200);
    expect(await rows()).toMatchObject([{ user_id: bob.user.id }]);
    const { endpoint } = browser;
    // No longer Ada's: nothing happens, and nothing is revealed.
    expect((await ada.call("DELETE", PATH, { endpoint })).status).toBe(204);
    expect(await rows()).toHaveLength(1);
    expect((await bob.call("DELETE", PATH, { endpoint })).status).toBe(204);
    expect(await rows()).toHaveLength(0);
  });

  test("is deleted with its session", async () => {
    const eve = await world.person("eve");
    await subscribed(service, eve);
    await eve.post("/api/auth/logout");
    expect(await rows()).toHaveLength(0);
  });

  test("is refused if its session ends while it is stored", async () => {
    const finn = await world.person("finn");
    const browser = await subscribed(service, finn);
    const answer = await commitDuring(
      world,
      (tx) => tx.execute(`delete from sessions where user_id = '${finn.user.id}'`),
      () => finn.post(PATH, browser.subscription),
    );
    expectProblem(answer, 401, "unauthenticated");
    expect(await rows()).toHaveLength(0);
  });

  test.each([
    ["http://push.example.org/x", "not https"],
    ["https://10.0.0.1/x", "not public"],
    ["https://[::1]/x", "not public"],
    ["https://127.0.0.1/x", "not public"],
    [`https://push.example.org/${"x".repeat(2_100)}`, "too long"],
  ])("to %s is refused: %s", async (endpoint) => {
    const browser = await TestBrowser.open(service);
    const answer = await ada.post(PATH, { ...browser.subscription, endpoint });
    expectProblem(answer, 422, "validation");
  });

  test.each([[{ p256dh: "A".repeat(87) }], [{ auth: "A".repeat(16) }], [{ p256dh: "no base64!" }]])(
    "with an invalid key is refused: %j",
    async (wrong) => {
      const { subscription } = await TestBrowser.open(service);
      const keys = { ...subscription.keys, ...wrong };
      expectProblem(await ada.post(PATH, { ...subscription, keys }), 422, "validation");
    },
  );

  test("is one of twenty at most: the oldest is deleted", async () => {
    const many = await world.person("many");
    const first = await subscribed(service, many);
    for (let i = 0; i < 20; i++) await subscribed(service, many);
    const rows = await world.database.sql`
      select endpoint from push_subscriptions where user_id = ${many.user.id}`;
    expect(rows).toHaveLength(20);
    expect(rows.map(({ endpoint }) => endpoint)).not.toContain(first.endpoint);
  });
});

describe("a test notification", () => {
  test("goes to all of the caller's browsers", async () => {
    const bob = await world.person("bobby");
    const browsers = [await subscribed(service, bob), await subscribed(service, bob)];
    const other = await subscribed(service, ada);
    expect((await bob.post("/api/push/test")).body).toEqual({ delivered: 2, failed: 0 });
    for (const browser of browsers) {
      expect(await browser.bodies()).toEqual(["Notifications work in this browser."]);
    }
    expect(other.requests).toEqual([]);
  });
});

test("a pause lasts 31 days at most, and null ends it", async () => {
  const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString();
  const pause = (push_paused_until: string | null) =>
    ada.patch("/api/auth/me", { push_paused_until });
  const until = day(1);
  expect((await pause(until)).body.push_paused_until).toBe(until);
  expectProblem(await pause(day(40)), 422, "validation");
  expectProblem(await pause("tomorrow"), 422, "validation");
  expect((await pause(null)).body.push_paused_until).toBeNull();
});
