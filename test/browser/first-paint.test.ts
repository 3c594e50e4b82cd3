import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, readSnapshot, signIn, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

/** What search engines and Lighthouse call good is 0.1; Snug's own bound is half of it. */
const MAX_SHIFT = 0.05;

let world: World;
let browser: Browser;
let ada: Client;
let page: Page;
let context: BrowserContext;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  ({ page, context } = await newPage(browser, PHONE));
  await signIn(context, ada);
  await page.addInitScript(recordShifts);
  await answerOneByOne();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

type Shift = { value: number; moved: string[] };
type Recording = { shifts: Shift[]; observer: PerformanceObserver; add(list: object[]): void };

/** Records what moves on the screen without anyone's doing. */
function recordShifts(): void {
  type Entry = { value: number; sources: { node: Element | null }[] };
  const shifts: Shift[] = [];
  const add = (entries: object[]) => {
    for (const { value, sources } of entries as Entry[]) {
      const moved = sources.map(({ node }) => `${node?.nodeName}.${node?.className}`);
      shifts.push({ value, moved });
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  Object.assign(globalThis, { recording: { shifts, observer, add } satisfies Recording });
}

function readShifts(): Promise<Shift[]> {
  return page.evaluate(() => {
    const { shifts, observer, add } = (globalThis as unknown as { recording: Recording }).recording;
    add(observer.takeRecords());
    return shifts;
  });
}

const paint = () =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

/** Lets the service's answers through one by one; after each of them the page is painted. */
async function answerOneByOne(): Promise<void> {
  let last = Promise.resolve();
  await page.route("**/api/**", async (route) => {
    last = last.then(async () => {
      const response = await route.fetch();
      await route.fulfill({ response });
      // The page may be left while the last ones are on their way.
      await paint().catch(() => {});
    });
    await last;
  });
}

test.each([
  ["whose beginning is in its first page", 40, 1],
  ["that begins long before", 120, 60],
])("a room %s shows its messages at their place, once", async (_, count, oldest) => {
  const roomId = await world.room(`room-${count}`, ada);
  for (let n = 1; n <= count; n++) await ada.say(roomId, `Message ${n}`);
  const steps: string[] = [];
  page.on("request", (request) => steps.push(`? ${new URL(request.url()).pathname}`));
  page.on("response", (response) => steps.push(`! ${new URL(response.url()).pathname}`));
  await page.goto(`${world.service.address}/rooms/room-${count}`, { waitUntil: "commit" });
  const message = (n: number) => page.getByRole("log").getByText(`Message ${n}`, { exact: true });
  await message(count).waitFor();
  // What is above the screen is there too.
  await message(oldest).waitFor({ state: "attached" });
  await paint();
  // Nothing comes before the messages but what shows them; all the rest is one file, after them.
  const first = steps.indexOf(`! /api/rooms/${roomId}/messages`);
  const assets = steps.flatMap((step, at) =>
    /^\? \/assets\/.*s$/.test(step) ? [{ step, at }] : [],
  );
  const before = assets.filter(({ at }) => at < first).map(({ step }) => step);
  const isFirstVisit = oldest === 1;
  // The stored rooms of a later visit do not have this one: the screen that says so is in the chunk.
  if (isFirstVisit) expect(before).toEqual([/\.css$/, /\.js$/].map(expect.stringMatching));
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/rest-")),
  );
  // What is loaded after the first screen moves nothing, either.
  await page.waitForLoadState("networkidle");
  await paint();
  const shifts = await readShifts();
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT);
  // What was prefetched is imported from the browser's cache.
  const loaded = new Set(steps.filter((step) => step.startsWith("? /assets/")));
  expect(loaded.size).toBeLessThan(15);
  // On a later visit what it has stored is brought up to date once.
  const threads = steps.filter((step) => step === "? /api/threads");
  if (!isFirstVisit) expect(threads).toHaveLength(1);
  page.removeAllListeners("request").removeAllListeners("response");
  await eventually(async () => Boolean((await readSnapshot(page))?.includes(`Message ${count}`)));
});

/** Records each place where a row of a message is, and the composer, from the frame that first shows it. */
function recordPlaces(): void {
  const places: Record<string, string[]> = {};
  const look = () => {
    const shown = [...document.querySelectorAll("[data-message-id], form > div > :not(:empty)")];
    for (const one of shown.filter((element) => element.checkVisibility())) {
      const { left, top, width, height } = one.getBoundingClientRect();
      const label = one.getAttribute("aria-label") ?? one.className;
      const name = (one as HTMLElement).dataset.messageId ?? label;
      const at = [left, top, width, height].map(Math.round).join();
      const known = places[name] ?? [];
      if (known.at(-1) !== at) places[name] = [...known, at];
    }
    requestAnimationFrame(look);
  };
  look();
  Object.assign(globalThis, { places });
}

test.each([
  ["a phone", PHONE],
  ["a wide screen", WIDE],
])("on %s nothing moves while the rest of the page is loaded", async (_, size) => {
  const tab = await newPage(browser, size);
  await signIn(tab.context, ada);
  const roomName = `still-${size.viewport.width}`;
  const roomId = await world.room(roomName, ada);
  const said: string[] = [];
  for (let n = 0; n < 6; n++) said.push((await ada.say(roomId, `Message ${n}`)).id);
  for (const id of said.slice(1, 4)) await ada.put(`/api/messages/${id}/pin`, {});
  for (const id of said.slice(2, 6)) await ada.put(`/api/saved/${id}`, {});
  const open = async () => {
    await tab.page.goto(`${world.service.address}/rooms/${roomName}`);
    await tab.page.getByText("Saved for later").nth(3).waitFor();
    await tab.page.getByRole("complementary", { name: "Newest pinned message" }).waitFor();
  };
  // What a reader has saved is known from the visit before.
  await open();
  await tab.page.addInitScript(recordPlaces);
  await open();
  await tab.page.waitForLoadState("networkidle");
  const places = await tab.page.evaluate(
    () => (globalThis as unknown as { places: Record<string, string[]> }).places,
  );
  expect(Object.keys(places).length).toBeGreaterThan(8);
  expect(Object.entries(places).filter(([, at]) => at.length > 1)).toEqual([]);
});

test("the room of the address is loaded together with the lists", async () => {
  const tab = await newPage(browser, WIDE);
  await signIn(tab.context, ada);
  const roomId = await world.room("room-early", ada);
  await ada.say(roomId, "Good morning");
  const requested = tab.page.waitForRequest(`**/api/rooms/${roomId}/messages?*`);
  let isWaiting = true;
  await tab.page.route("**/api/scheduled?*", async (route) => {
    await requested;
    if (isWaiting) expect(await tab.page.getByRole("textbox").count()).toBe(0);
    isWaiting = false;
    await route.continue();
  });
  await tab.page.goto(`${world.service.address}/rooms/room-early`);
  await tab.page.getByRole("log").getByText("Good morning", { exact: true }).waitFor();
  expect(isWaiting).toBe(false);
});
