import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPoster } from "../../src/messages/post.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let roomId: string;
const metrics = createMetrics();
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada");
  roomId = await world.room("effects", ada);
});
afterAll(async () => {
  metrics.stop();
  await world.stop();
});

/** A poster that notes its effects. */
function openPoster() {
  const effects: string[] = [];
  const poster = createPoster(
    world.database.sql,
    Bun.randomUUIDv7(),
    {
      feed: { publish: (events) => effects.push(`publish ${events.length}`) },
      keywords: {
        async search(messages) {
          effects.push(`search ${messages.length}`);
          await Bun.sleep(5);
          effects.push("searched");
        },
      },
      pushQueue: { add: (ids) => effects.push(`push ${ids.length}`) },
    },
    metrics,
  );
  const post = (content: string, client_id?: string) =>
    poster
      .post({ id: ada.user.id, sessionId: null, token: null }, roomId, { content, client_id })
      .then(() => effects.push("acknowledged"));
  return { effects, poster, post };
}

test("a message is acknowledged, published, searched for keywords and then pushed", async () => {
  const { effects, poster, post } = openPoster();
  await post("one");
  await poster.idle();
  expect(effects).toEqual(["acknowledged", "publish 1", "search 1", "searched", "push 1"]);
});

test("the poster is not idle before the last push was queued", async () => {
  const { effects, poster, post } = openPoster();
  void post("two");
  await poster.idle();
  expect(effects.at(-1)).toBe("push 1");
});

test("what is refused or was posted before has no effect", async () => {
  const { effects, poster, post } = openPoster();
  const clientId = Bun.randomUUIDv7();
  await post("three", clientId);
  await poster.idle();
  effects.length = 0;
  await post("three", clientId);
  await poster.idle();
  expect(effects).toEqual(["acknowledged"]);
});
