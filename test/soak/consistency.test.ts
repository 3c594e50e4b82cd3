import { afterAll, beforeAll, expect, test } from "bun:test";
import { repeats, seeded } from "../support/soak.ts";
import { World } from "../support/world.ts";
import { compareWithFresh } from "./consistency/page.ts";
import { Cast } from "./consistency/people.ts";

const RUNS = repeats(1, 200);
/** Runs that go on together. */
const AT_ONCE = 3;
const ACTIONS = 40;

let world: World;
/** The seeds of the runs that ended with a difference. */
const failed: number[] = [];
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Does things at random, and expects that the page then shows what a fresh load shows. */
async function run(seed: number): Promise<void> {
  const random = seeded(seed);
  const cast = await Cast.gather(world, seed, random);
  const { page, bob } = cast;
  const done: string[] = [];
  try {
    void page.store.start();
    page.look(cast.rooms[0]?.id ?? "");
    await page.lists.load();
    for (let n = 0; n < ACTIONS; n++) {
      // Some of it at the same time.
      const count = random() < 0.3 ? 2 : 1;
      done.push(...(await Promise.all(Array.from({ length: count }, () => cast.act()))));
    }
    page.store.sync.setHidden(false);
    page.store.reconnectNow();
    for (const { id } of [{ id: page.roomId ?? "" }, ...cast.rooms, ...cast.directs]) {
      const root = cast.roots.findLast(({ room_id }) => room_id === id)?.id ?? null;
      const [live, fresh] = await compareWithFresh(page, bob, id, root);
      expect(live).toEqual(fresh);
    }
    await page.settleDrafts();
    await page.kept.expectFresh();
    expect(await page.settleLists()).toEqual([]);
  } catch (error) {
    console.error(`SNUG_SEED=${seed} after ${done.join(" ")}`, error);
    failed.push(seed);
  } finally {
    page.close();
  }
}

test(`a page shows what a fresh load shows, whatever the order: ${RUNS} runs`, async () => {
  for (let seed = 1; seed <= RUNS; seed += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, RUNS - seed + 1) }, (_, n) => seed + n);
    await Promise.all(seeds.map(run));
  }
  expect(failed).toEqual([]);
});
