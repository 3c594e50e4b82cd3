import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, signIn, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

/** Slow 4G, as browsers' developer tools have it. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
/** The CPU of a phone beside that of a computer. */
const CPU_SHARE = 1 / 4;
const MAX_SHIFT = 0.01;
/** More than fit on the screen of a phone. */
const ROOMS = 14;

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  await fillEverything();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Gives Ada something of all that a room and the sidebar can show. */
async function fillEverything(): Promise<void> {
  // As many as show the members beside a room.
  const names = ["bob", "cara", "dan", "eve", "fay", "gus", "hal", "ida"];
  const people = await Promise.all(names.map((name) => world.person(name)));
  const rooms: string[] = [];
  for (let n = 0; n < ROOMS; n++) rooms.push(await world.room(`room-${n}`, ada, people));
  const [room = "", other = ""] = rooms;
  for (let n = 0; n < 30; n++) await people[n % 4]?.say(room, `Message ${n}, with a few words`);
  const root = await ada.say(room, "What begins a thread");
  await people[0]?.say(room, "A reply", { thread_id: root.id });
  const last = await people[1]?.say(room, "**Bold**, `code` and a list:\n- one\n- two");
  await ada.post(`/api/messages/${last.id}/reactions`, { emoji: "🎉" });
  await ada.put(`/api/messages/${last.id}/pin`, {});
  await ada.put(`/api/saved/${last.id}`, {});
  // So that the room opens at its end, where all of this is.
  await ada.post(`/api/rooms/${room}/read`, {});
  for (const person of people) {
    const { body } = await ada.post("/api/direct", { user_ids: [person.user.id] });
    await person.say(body.id, "Hello");
  }
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const later = { content: "Later", send_at, zone: "UTC", client_id: crypto.randomUUID() };
  expect(await ada.post("/api/scheduled", { room_id: room, ...later })).toMatchObject({
    status: 201,
  });
  const draft = { room_id: other, base_version: 0, content: "A draft" };
  expect(await ada.put("/api/drafts", draft)).toMatchObject({ status: 200 });
  await ada.patch(`/api/rooms/${other}/membership`, { pinned: true });
}

type Recording = { places: Record<string, string[]>; shifts: string[]; sum: number };

/** Records where rows, heads, messages and the composer are in every frame. */
function record(): void {
  const recording: Recording = { places: {}, shifts: [], sum: 0 };
  type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] };
  new PerformanceObserver((list) => {
    for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
      recording.sum += value;
      const moved = sources.map(({ node }) => `${node?.nodeName}.${node?.className}`);
      recording.shifts.push(`${value} at ${Math.round(startTime)} ms: ${moved}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
  const shown = `[aria-label=Rooms] :is(a, button, input, h2), header :is(h1, h2, p, button), .pin-line a,
    form > div > :not(:empty), .scheduled-line, [data-message-id], .marks, .reactions, aside li, nav[aria-label=Main] a`;
  const isInView = ({ top, bottom, left, right, width }: DOMRect) =>
    width > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const look = () => {
    const counts: Record<string, number> = {};
    for (const element of document.querySelectorAll<HTMLElement>(shown)) {
      const box = element.getBoundingClientRect();
      if (!element.checkVisibility({ visibilityProperty: true }) || !isInView(box)) continue;
      const { messageId } =
        element.closest<HTMLElement>("[data-message-id]")?.dataset ?? ({} as DOMStringMap);
      const label = element.getAttribute("aria-label") ?? element.getAttribute("href");
      const name = `${element.nodeName} ${messageId ?? ""} ${label ?? element.className}`;
      counts[name] = (counts[name] ?? 0) + 1;
      const key = `${name} ${counts[name]}`;
      const at = [box.left, box.top, box.width, box.height].map(Math.round).join();
      recording.places[key] ??= [];
      if (recording.places[key].at(-1) !== at) recording.places[key].push(at);
    }
    requestAnimationFrame(look);
  };
  look();
  Object.assign(globalThis, { recording });
}

async function openSlowly(page: Page, path: string, last: string): Promise<Recording> {
  await page.goto(world.service.address + path, { waitUntil: "commit" });
  await page.locator(last).first().waitFor({ timeout: 60_000 });
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/rest-")),
  );
  await page.waitForLoadState("networkidle");
  return page.evaluate(() => (globalThis as unknown as { recording: Recording }).recording);
}

test.each([
  ["wide", WIDE, "/rooms/room-0", "[data-message-id] button[aria-pressed]"],
  ["on a phone", PHONE, "/rooms/room-0", "[data-message-id] button[aria-pressed]"],
  ["at Home on a phone", PHONE, "/", '[aria-label=Rooms] a[href^="/rooms/"]'],
] as const)(
  "nothing moves from the first frame on, on a slow device and network, %s",
  async (_, size, path, last) => {
    const { page, context } = await newPage(browser, size);
    await signIn(context, ada);
    await page.addInitScript(record);
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: 1 / CPU_SHARE });
    for (const visit of ["first", "second", "third"]) {
      const { places, shifts, sum } = await openSlowly(page, path, last);
      expect(Object.keys(places).length).toBeGreaterThan(20);
      const moved = Object.entries(places).filter(([, at]) => at.length > 1);
      expect({ visit, moved }).toEqual({ visit, moved: [] });
      expect(sum, `${visit}: ${shifts.join("\n")}`).toBeLessThan(MAX_SHIFT);
    }
  },
);
