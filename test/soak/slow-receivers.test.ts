import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  createDeliveries,
  deliverToWebhook,
  enqueueDueWebhooks,
  type OutgoingWebhookDeps,
} from "../../src/webhooks/outgoing/deliver.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { parseEgressAllow } from "../../src/platform/egress/rules.ts";
import { loadSecretKey } from "../../src/platform/secrets/secrets.ts";
import type { Client } from "../support/client.ts";
import { MuteServer } from "../support/mute.ts";
import { repeats } from "../support/soak.ts";
import { Post } from "../webhooks/outgoing/support.ts";
import { eventually } from "../support/wait.ts";

let post: Post;
let mute: MuteServer[] = [];
beforeAll(async () => {
  post = await Post.open();
});
afterEach(async () => {
  // Nothing of one test's receivers is still being sent to in the next.
  await post.world.database.sql`update outgoing_webhooks set is_active = false`;
  await Promise.all(mute.map((client) => client.close()));
  mute = [];
});
afterAll(() => post?.close());

/** Receivers that hang on their first request: none of them had to end for what came meanwhile. */
const hanging = () => mute.filter(({ open, accepted }) => open === 1 && accepted === 1);

async function hang(owner: Client, room: string, count: number): Promise<string> {
  const roomId = await post.world.room(room, owner);
  const opened = await Promise.all(Array.from({ length: count }, () => MuteServer.open()));
  for (const one of opened) {
    const url = `http://127.0.0.1:${one.port}/`;
    const values = { name: "Hangs", url, events: ["message.created"] };
    const path = `/api/rooms/${roomId}/outgoing-webhooks`;
    expect((await owner.post(path, values)).status).toBe(201);
  }
  mute.push(...opened);
  return roomId;
}

test("twenty receivers that hang delay no webhook of others, nor another of the same owner", async () => {
  const { world } = post;
  const mallory = await world.person("mallory");
  const hung = await hang(mallory, "tarpit", 20);
  const line = await post.room(["message.created"]);
  const own = await world.room("healthy", mallory);
  const values = { name: "CI", url: post.receiver.at("/own"), events: ["message.created"] };
  await mallory.post(`/api/rooms/${own}/outgoing-webhooks`, values);

  await mallory.say(hung, "hello?");
  await Promise.all(mute.slice(0, 16).map((client) => client.until(1)));
  await Promise.all([line.say("first"), mallory.say(own, "mine")]);
  await Promise.all([line.until(1), post.receiver.until("/own", 1)]);
  await line.say("second");
  await line.until(2);
  // Each has one connection, still open: none had to end for what came meanwhile.
  const connections = mute.slice(0, 16).map(({ open, accepted }) => ({ open, accepted }));
  expect(connections).toEqual(connections.map(() => ({ open: 1, accepted: 1 })));
}, 60_000);

test("more receivers of one person than there are places leave room for others", async () => {
  const { world } = post;
  const eve = await world.person("eve");
  const rooms: string[] = [];
  for (let n = 0; n < repeats(2, 8); n += 1) rooms.push(await hang(eve, `pit-${n}`, 20));
  const line = await post.room(["message.created"]);
  await Promise.all(rooms.map((room) => eve.say(room, "hello?")));
  const reached = () => mute.filter((client) => client.accepted > 0).length;
  await eventually(async () => reached() >= 32);
  await line.say("first");
  await line.until(1);
  expect([reached(), hanging().length]).toEqual([32, 32]);
}, 60_000);

test("receivers that were slow at their last attempt get a part of the places", async () => {
  const { world } = post;
  const owners = await Promise.all(Array.from({ length: 18 }, (_, n) => world.person(`slow-${n}`)));
  const rooms = await Promise.all(owners.map((owner, n) => hang(owner, `slow-${n}`, 1)));
  await world.database.sql`update outgoing_webhooks set slow_attempts = 1 where is_active`;
  await Promise.all(owners.map((owner, n) => owner.say(rooms[n] ?? "", "hello?")));
  const reached = () => mute.filter((client) => client.accepted > 0).length;
  await eventually(async () => reached() >= 16);
  const line = await post.room(["message.created"]);
  await line.say("first");
  await line.until(1);
  expect(reached()).toBe(16);
}, 60_000);

test("after a time-out a webhook rests, each time longer, until it answers", async () => {
  const { world } = post;
  const line = await post.room(["message.created"]);
  const { sql } = world.database;
  const egress = createEgress({ allow: parseEgressAllow("127.0.0.1") });
  const readKey = () => loadSecretKey(world.settings.DATA_DIR, null);
  const deps: OutgoingWebhookDeps = { database: world.database, egress, readKey, timeoutMs: 50 };
  const { promise, resolve } = Promise.withResolvers<Response>();
  post.receiver.answer = () => promise;
  // No other runner delivers for it.
  await sql`update outgoing_webhooks set resting_until = 'infinity' where id = ${line.hook.id}`;
  await line.say("hello?");
  const { signal } = new AbortController();
  const rests: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    await sql`update webhook_deliveries set next_at = clock_timestamp() - interval '1 second'
      where hook_id = ${line.hook.id}`;
    await deliverToWebhook(deps, line.hook.id, { signal, stopping: signal });
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from resting_until - clock_timestamp())::float8 as seconds
      from outgoing_webhooks where id = ${line.hook.id}`;
    rests.push(Math.round(row?.seconds ?? 0));
  }
  expect(rests).toEqual([5, 10, 20]);
  resolve(new Response("ok"));
  post.receiver.answer = () => new Response("ok");
  const [waiting] = await line.deliveries();
  await post.ada.post(`${line.at}/deliveries/${waiting?.id}/redeliver`);
  await line.newest(({ state }) => state === "delivered");
  const [row] = await sql`select slow_attempts, resting_until from outgoing_webhooks
    where id = ${line.hook.id}`;
  expect(row).toEqual({ slow_attempts: 0, resting_until: null });
});

test("a webhook with a thousand pending deliveries creates no more until some have ended", async () => {
  const { sql } = post.world.database;
  const line = await post.room(["message.created"]);
  await sql`insert into webhook_deliveries (id, hook_id, event, body, next_at)
    select gen_random_uuid(), ${line.hook.id}, 'message.created', '{}', now() + interval '1 hour'
    from generate_series(1, 1000)`;
  await line.say("later");
  expect(await createDeliveries(post.world.database, line.hook.id)).toBe(false);
  await enqueueDueWebhooks(post.world.database);
  const key = `hook:${line.hook.id}`;
  expect(await sql`select from jobs where unique_key = ${key}`).toHaveLength(0);
  await sql`delete from webhook_deliveries where id = (
    select id from webhook_deliveries where hook_id = ${line.hook.id} limit 1)`;
  await enqueueDueWebhooks(post.world.database);
  const [got] = await line.until(1);
  expect(got?.body.data.message.content).toBe("later");
});
