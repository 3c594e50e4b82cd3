import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { toPlainResponse } from "../../src/webhooks/incoming/plain-response.ts";
import { receiveWebhook } from "../../src/webhooks/incoming/receive.ts";
import { createPoster, type Poster } from "../../src/messages/post.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { Refusal } from "../../src/platform/refusal.ts";
import type { Client } from "../support/client.ts";
import { repeats } from "../support/soak.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
const MAX_ITEMS = 100;
let poster: Poster;
let locker: Database;
const metrics = createMetrics();
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("flooded", ada);
  const effects = {
    feed: { publish() {} },
    keywords: { search: () => Promise.resolve() },
    pushQueue: { add() {} },
  };
  poster = createPoster(world.database.sql, "flood", effects, metrics, {
    maxItems: MAX_ITEMS,
    maxBytes: 1e9,
  });
  locker = connectDatabase(world.target, 1);
});
afterAll(async () => {
  metrics.stop();
  await locker.close();
  await world.stop();
});

/** Of what was posted: how many were taken and how many refused, in the end. */
function flood(count: number, content: string) {
  const outcomes = { taken: 0, refused: 0 };
  const posts = Array.from({ length: count }, () =>
    poster.post({ id: ada.user.id, sessionId: null, token: null }, roomId, { content }).then(
      () => (outcomes.taken += 1),
      (error) => {
        expect(error).toBeInstanceOf(Refusal);
        expect(error).toMatchObject({ code: "unavailable", extensions: { retryAfter: 1 } });
        outcomes.refused += 1;
      },
    ),
  );
  return { outcomes, settled: Promise.all(posts) };
}

test("a flood past what can be absorbed is refused at once, and what was taken is written", async () => {
  const response = await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: "flood" });
  const token = response.body.url.split("/hooks/")[1];
  const deps = { database: world.database } as Parameters<typeof receiveWebhook>[0];
  for (let round = 0; round < repeats(2, 50); round++) {
    const before = await countMessages();
    const release = await holdRoom();
    const { outcomes, settled } = flood(10 * MAX_ITEMS, "x".repeat(8_000));
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes.refused).toBe(9 * MAX_ITEMS);
    const body = JSON.stringify({ text: "an alert" });
    const alert = new Request("http://localhost/", { method: "POST", body });
    const answer = await receiveWebhook(deps, poster, alert, token).catch(toPlainResponse);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    await release();
    await settled;
    expect(outcomes.taken).toBe(MAX_ITEMS);
    expect(await countMessages()).toBe(before + MAX_ITEMS);
  }
});

/** Nothing of the flood is written until it is released. */
async function holdRoom() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holder = locker.sql.begin(async (tx) => {
    await tx`select from rooms where id = ${roomId} for no key update`;
    lock();
    await released;
  });
  await locked;
  return () => {
    release();
    return holder;
  };
}

async function countMessages(): Promise<number> {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::int as count from messages`;
  return row?.count ?? 0;
}
