import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser, newPage, signIn, walk } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { openStore, until } from "../support/store.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(3_600_000);

const ROOMS = 20;
const FIRST_SWITCHES = 100;
const SWITCHES = 1_000;
const MESSAGES = 20_000;
/** The most that a tab's memory may grow, as a factor. */
const MAX_GROWTH = 1.2;
const PATIENCE_MS = 60_000;

/** A room with more unread messages than a page opens at the first of them, without the newest. */
function markRead(reader: Client, roomId: string, messageId: string): Promise<unknown> {
  return reader.post(`/api/rooms/${roomId}/read`, { message_id: messageId });
}

/** Minutes in a real browser, so it is not part of the suite. */
describe.skipIf(!process.env.SNUG_SOAK)("the memory of a tab", () => {
  let world: World;
  let browser: Browser;
  let ada: Client;
  let bob: Client;
  let rooms: string[];
  beforeAll(async () => {
    [world, browser] = await Promise.all([World.start(), launchBrowser()]);
    ada = await world.person("ada");
    bob = await world.person("bob");
    rooms = [];
    for (let n = 0; n < ROOMS; n++) rooms.push(await world.room(`room-${n}`, ada, [bob]));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  async function open(): Promise<{ page: Page; cdp: CDPSession }> {
    const { page, context } = await newPage(browser);
    page.setDefaultTimeout(PATIENCE_MS);
    await signIn(context, ada);
    await page.goto(`${world.service.address}/rooms/room-0`);
    return { page, cdp: await context.newCDPSession(page) };
  }

  /** The bytes of the heap after a garbage collection. */
  async function measureHeap(cdp: CDPSession): Promise<number> {
    await cdp.send("HeapProfiler.collectGarbage");
    return (await cdp.send("Runtime.getHeapUsage")).usedSize;
  }

  /** Switches to the next room, while messages are posted in it and in the one before. */
  async function switchTo(page: Page, n: number): Promise<void> {
    const [before = "", room = ""] = [rooms[(n - 1) % ROOMS], rooms[n % ROOMS]];
    const count = MESSAGES / SWITCHES / 2;
    const post = (id: string) =>
      Promise.all(Array.from({ length: count }, (_, i) => bob.say(id, `message ${n} ${i}`)));
    await Promise.all([post(before), walk(page, `/rooms/room-${n % ROOMS}`)]);
    await post(room);
    const { id } = await bob.say(room, `last ${n}`);
    // A room opens where its reader left it, which may be far above the newest message.
    const log = page.getByRole("log");
    await eventually(async () => {
      await log.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return page.locator(`[data-message-id="${id}"]`).isVisible();
    }, PATIENCE_MS);
    await markRead(ada, room, id);
  }

  test(`stays within ${MAX_GROWTH} over ${SWITCHES} switches of rooms`, async () => {
    const { page, cdp } = await open();
    let first = 0;
    for (let n = 1; n <= SWITCHES; n++) {
      await switchTo(page, n);
      if (n === FIRST_SWITCHES) first = await measureHeap(cdp);
      if (n % 100 === 0) console.info(`${n} switches: ${await measureHeap(cdp)} bytes`);
    }
    expect((await measureHeap(cdp)) / first).toBeLessThan(MAX_GROWTH);
  });
});

describe.skipIf(!process.env.SNUG_SOAK)("the state of a page, without a browser", () => {
  test(`grows as little over ${SWITCHES} switches of rooms`, async () => {
    const own = await World.start();
    const reader = await own.person("ada");
    const writer = await own.person("bob");
    const ids: string[] = [];
    for (let n = 0; n < ROOMS; n++) ids.push(await own.room(`room-${n}`, reader, [writer]));
    const store = openStore(() => reader.base, reader.cookie as string);
    await store.start();
    await until(store, ({ conversations }) => conversations !== null);
    const count = MESSAGES / SWITCHES / 2;
    const post = (id: string) =>
      Promise.all(Array.from({ length: count }, (_, i) => writer.say(id, `message ${i}`)));
    const measureState = () => JSON.stringify(store.state.value).length;
    let first = 0;
    for (let n = 1; n <= SWITCHES; n++) {
      const [before = "", room = ""] = [ids[(n - 1) % ROOMS], ids[n % ROOMS]];
      store.sync.open(room);
      await post(before);
      await post(room);
      const { id } = await writer.say(room, `last ${n}`);
      await until(store, ({ views }) => views[room]?.messages.at(-1)?.id === id, PATIENCE_MS);
      await markRead(reader, room, id);
      if (n === FIRST_SWITCHES) first = measureState();
      if (n % 100 === 0) console.info(`${n} switches: ${measureState()} characters of state`);
    }
    expect(measureState() / first).toBeLessThan(MAX_GROWTH);
    store.close();
    await own.stop();
  });
});
