import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { MyRoom } from "../../src/wire/models.ts";
import { launchBrowser, newPage, PHONE, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(60_000);

const READ = 40;
/** More than the service's page of 50, so that the line is not among the newest. */
const UNREAD = 70;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** A room in which Ada has read 40 messages of Bob's and not read 70, the fifth of which mentions her. */
async function roomOf(name: string): Promise<string> {
  const roomId = await world.room(name, bob, [ada]);
  await world.room(`beside-${name}`, bob, [ada]);
  for (let n = 1; n <= READ; n++) await bob.say(roomId, `Read ${n}`);
  await ada.post(`/api/rooms/${roomId}/read`);
  for (let n = 1; n <= UNREAD; n++) await bob.say(roomId, n === 5 ? "@ada New 5" : `New ${n}`);
  return roomId;
}

async function open(path: string, options = WIDE, isCut = false) {
  const tab = await newPage(browser, { timezoneId: "UTC", ...options });
  // The part after the first is asked for, and does not come.
  if (isCut) await tab.page.route(/[?&]after=/, () => {});
  const session = await world.signIn(ada.user);
  const [name = "", value = ""] = (session.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  await tab.page.goto(world.service.address + path);
  return tab;
}

const line = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true });

/** What leads to the newest message. */
const newest = (page: Page) => page.locator(".pill.bottom").getByRole("button");
const roomLink = (page: Page, name: string) => page.locator(`.room-link[href="/rooms/${name}"]`);

async function marks(roomId: string): Promise<{ unread: boolean; mentions: number }> {
  const { body } = await ada.get(`/api/rooms/${roomId}`);
  const { unread, mention_count } = (body as MyRoom).membership ?? {};
  return { unread: unread === true, mentions: mention_count ?? 0 };
}

/** The messages that the service has as unread. */
async function unreadOf(roomId: string): Promise<number> {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::int as count from messages m join memberships s using (room_id)
    where room_id = ${roomId} and s.user_id = ${ada.user.id} and m.seq > s.last_read_seq`;
  return row?.count ?? -1;
}

/** Turns the wheel until the newest message is at the bottom. */
async function wheelToEnd(page: Page): Promise<void> {
  await page.getByRole("log").hover();
  const isThere = (text: string) => {
    const rows = document.querySelectorAll(".timeline .message");
    const box = document.querySelector(".timeline");
    return rows[rows.length - 1]?.textContent?.includes(text) && box?.scrollTop === 0;
  };
  for (let turn = 0; turn < 100 && !(await page.evaluate(isThere, "And I")); turn++) {
    await page.mouse.wheel(0, 300);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

for (const [name, options] of [
  ["wide", WIDE],
  ["phone", PHONE],
] as const) {
  test(`a room opens where the reader stopped, and what is below stays unread (${name})`, async () => {
    const roomId = await roomOf(`long-${name}`);
    const { page, context, complaints } = await open(`/rooms/long-${name}`, options);
    await line(page, "New 1").waitFor();
    const divider = page.locator(".divider.new");
    const { top, bottom } = await divider.evaluate((element) => element.getBoundingClientRect());
    expect(top).toBeGreaterThan(60);
    expect(bottom).toBeLessThan(options.viewport.height / 2);
    expect(await line(page, "Read 40").count()).toBe(1);
    await eventually(async () => (await unreadOf(roomId)) < UNREAD);
    await page.screenshot({ path: join(SHOTS, `reading-open-${name}.png`) });
    const left = await unreadOf(roomId);
    expect(left).toBeGreaterThan(30);
    // What was seen is what was on the screen, to the row.
    const last = UNREAD - left;
    const edge = await page
      .locator(".timeline")
      .evaluate((box) => box.getBoundingClientRect().bottom);
    const topOf = (n: number) =>
      line(page, `New ${n}`).evaluate((row) => row.getBoundingClientRect().top);
    expect(await topOf(last)).toBeLessThan(edge);
    expect(await topOf(last + 1)).toBeGreaterThan(edge - 40);
    expect(await marks(roomId)).toEqual({ unread: true, mentions: 0 });
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("scrolling through marks all as read; jumping to the newest message does not", async () => {
  const roomId = await roomOf("jumped");
  const { page, context } = await open("/rooms/jumped", WIDE, true);
  await line(page, "New 1").waitFor();
  await eventually(async () => (await unreadOf(roomId)) < UNREAD);
  const left = await unreadOf(roomId);
  await newest(page).click();
  await line(page, `New ${UNREAD}`).waitFor();
  // One who writes has not read what was skipped.
  await page.getByRole("textbox", { name: "Message #jumped" }).fill("And I");
  await page.keyboard.press("Enter");
  await page.locator("[data-state=sent]", { hasText: "And I" }).waitFor();
  expect(await unreadOf(roomId)).toBe(left + 1);
  await page.unrouteAll();
  await page.screenshot({ path: join(SHOTS, "reading-jumped-wide.png") });
  await page.getByRole("button", { name: /^New since/ }).click();
  await line(page, "New 1").waitFor();
  await wheelToEnd(page);
  await eventually(async () => (await unreadOf(roomId)) === 0);
  await context.close();
});

test("leaving and returning keeps the position, the unread messages and the button to them", async () => {
  const roomId = await roomOf("returned");
  const { page, context } = await open("/rooms/returned");
  await line(page, "New 1").waitFor();
  await eventually(async () => (await unreadOf(roomId)) < UNREAD);
  const left = await unreadOf(roomId);
  const top = () => line(page, "Read 39").evaluate((row) => row.getBoundingClientRect().top);
  const before = await top();
  await page.getByRole("link", { name: "beside-returned" }).click();
  await page.getByRole("textbox", { name: "Message #beside-returned" }).waitFor();
  await roomLink(page, "returned").click();
  await line(page, "New 1").waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await newest(page).waitFor();
  // The divider is lower now: one more row may begin on the screen.
  expect(await unreadOf(roomId)).toBeWithin(left - 1, left + 1);
  // Esc skips the rest on purpose.
  await page.getByRole("textbox", { name: "Message #returned" }).press("Escape");
  await eventually(async () => (await unreadOf(roomId)) === 0);
  await context.close();
});

test("a mention is counted at the open room until it was visible", async () => {
  const roomId = await roomOf("scrolled");
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page, context } = await open("/rooms/scrolled");
  await line(page, `New ${UNREAD}`).waitFor();
  const link = roomLink(page, "scrolled");
  await page.getByRole("log").hover();
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => (document.querySelector(".timeline")?.scrollTop ?? 0) < -300);
  await bob.say(roomId, "@ada look here");
  await link.locator(".badge").waitFor();
  const pill = page.getByRole("button", { name: "1 new" });
  await pill.waitFor();
  await page.screenshot({ path: join(SHOTS, "reading-mention-wide.png") });
  await page.getByRole("link", { name: "beside-scrolled" }).click();
  await page.getByRole("textbox", { name: "Message #beside-scrolled" }).waitFor();
  await link.click();
  await pill.click();
  await link.locator(".badge").waitFor({ state: "detached" });
  await eventually(async () => (await unreadOf(roomId)) === 0);
  await context.close();
});

test("what was seen stays read when an earlier mark arrives after it", async () => {
  const roomId = await world.room("late-mark", bob, [ada]);
  await bob.say(roomId, "First");
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page, context } = await open("/rooms/late-mark");
  await line(page, "First").waitFor();
  const { promise: seen, resolve: pass } = Promise.withResolvers<void>();
  let count = 0;
  await page.route("**/api/rooms/*/read", async (route) => {
    count += 1;
    if (count === 1) await seen;
    await route.continue();
  });
  const isMark = (one: { url(): string }) => one.url().endsWith(`/rooms/${roomId}/read`);
  const asked = page.waitForRequest(isMark);
  const answered = page.waitForResponse(isMark);
  await bob.say(roomId, "Second");
  await asked;
  await bob.say(roomId, "Third");
  await line(page, "Third").waitFor();
  await roomLink(page, "late-mark").and(page.locator(":not(.unread)")).waitFor();
  pass();
  await answered;
  await bob.say(roomId, "Fourth");
  await line(page, "Fourth").waitFor();
  await eventually(async () => (await unreadOf(roomId)) === 0);
  expect(await page.locator(".divider.new").count()).toBe(0);
  await context.close();
});
