import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, restLoaded, signIn, toasts } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { Finger } from "../support/finger.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let roomId: string;
let context: BrowserContext;
let page: Page;
let finger: Finger;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  roomId = await world.room("general", ada, [bob]);
  await world.room("design", ada, [bob]);
  for (let i = 0; i < 30; i++) await bob.say(roomId, `Line ${i}`);
  // Read, so that the room opens at its newest.
  await ada.post(`/api/rooms/${roomId}/read`);
  ({ page, context } = await newPage(browser, PHONE));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(context, ada);
  // Its time is the test's own: half a second passes when the test says so.
  await page.clock.install();
  await page.goto(`${world.service.address}/rooms/general`);
  await row("Line 29").waitFor();
  await restLoaded(page);
  finger = await Finger.on(page);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const HOLD_MS = 500;
const row = (text: string) =>
  page.locator("[data-message-id]").filter({ has: page.getByText(text, { exact: true }) });
const sheet = () => page.getByRole("dialog", { name: "Message actions" });
const sidebar = () =>
  page.getByRole("complementary", { name: "Rooms", exact: true, includeHidden: true });
const left = (panel: Locator) => panel.evaluate((element) => element.getBoundingClientRect().left);
const isInert = () => sidebar().evaluate((element) => (element as HTMLElement).inert);
/** Waits until a panel stands still there. */
const standsAt = (panel: Locator, x: number) =>
  eventually(async () => Math.abs((await left(panel)) - x) < 1);

async function hold(text: string): Promise<void> {
  await finger.down(row(text));
  await page.clock.runFor(HOLD_MS);
  await sheet().waitFor();
  await finger.up();
}

describe("a long press on a message", () => {
  test("opens its actions; Esc and a tap outside close them", async () => {
    await hold("Line 28");
    // The sheet covers the message.
    await sheet().getByText("Bob Noyce: Line 28").waitFor();
    expect(await sheet().getByRole("listitem").allInnerTexts()).toEqual([
      "Reply with a quote",
      "Reply in a thread",
      "Save for later",
      "Remind me",
      "Pin message",
      "Copy text",
      "Copy link to message",
      "Mark unread from here",
      "Delete message",
    ]);
    for (const button of await sheet().getByRole("button").all()) {
      // As it is laid out: while the sheet slides in, its box is off by a fraction.
      const size = await button.evaluate((element) =>
        element instanceof HTMLElement ? Math.min(element.offsetWidth, element.offsetHeight) : 0,
      );
      expect(size).toBeGreaterThanOrEqual(44);
    }
    await page.screenshot({ path: join(SHOTS, "message-sheet-phone-dark.png") });
    await page.keyboard.press("Escape");
    await sheet().waitFor({ state: "detached" });
    expect(await row("Line 28").evaluate((element) => element === document.activeElement)).toBe(
      true,
    );
    await hold("Line 28");
    await page.touchscreen.tap(195, 100);
    await sheet().waitFor({ state: "detached" });
  });

  test("offers to react and to copy the text", async () => {
    await hold("Line 27");
    await sheet().getByRole("button", { name: "React with 👍" }).tap();
    await row("Line 27").getByRole("button", { name: "👍, 1: you" }).waitFor();
    await sheet().waitFor({ state: "detached" });
    await hold("Line 27");
    await sheet().getByRole("list", { name: "Reactions" }).getByText("you").waitFor();
    await sheet().getByRole("button", { name: "Copy text" }).tap();
    await page.getByText("Text copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Line 27");
    // The toast is above the composer, where the newest rows are.
    await page.clock.runFor(6_000);
    await toasts(page).first().waitFor({ state: "detached" });
  });

  test("offers the author to edit it", async () => {
    await ada.say(roomId, "My own");
    await row("My own").waitFor();
    await hold("My own");
    await sheet().getByRole("button", { name: "Edit message" }).tap();
    const area = page.getByRole("textbox", { name: "Edit message" });
    await area.and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Cancel" }).tap();
  });

  test("follows no link on release, though a tap does", async () => {
    await ada.say(roomId, "See #design");
    const link = page.getByRole("log").getByRole("link", { name: "#design" });
    await link.waitFor();
    await finger.down(link);
    await page.clock.runFor(HOLD_MS);
    await sheet().waitFor();
    await finger.up();
    await page.keyboard.press("Escape");
    await sheet().waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/rooms/general");
    await link.tap();
    await page.getByRole("textbox", { name: "Message #design" }).waitFor();
    await page.goBack();
    await row("Line 28").waitFor();
  });

  test("does not open if the finger moves, or only taps", async () => {
    await finger.pull(row("Line 28"), { x: 4, y: 20 });
    await page.clock.runFor(2 * HOLD_MS);
    await finger.up();
    await row("Line 28").tap();
    await page.clock.runFor(2 * HOLD_MS);
    expect(await sheet().count()).toBe(0);
    const tools = row("Line 28").getByRole("toolbar");
    expect(await tools.count()).toBe(0);
    // The keyboard has them.
    await page.keyboard.press("Tab");
    await row("Line 28").focus();
    await page.keyboard.press("Tab");
    await expectSoon(() => tools.evaluate((element) => getComputedStyle(element).opacity), "1");
  });
});

/** Too narrow for a sidebar beside the room, and too wide for a phone. */
const NARROW = { width: 700, height: 844 };

describe("the sidebar drawer", () => {
  beforeAll(() => page.setViewportSize(NARROW));
  afterAll(() => page.setViewportSize(PHONE.viewport));

  test("follows a swipe from the edge, and opens if released past the middle", async () => {
    const closed = await left(sidebar());
    expect(await isInert()).toBe(true);
    await finger.pull({ x: 8, y: 400 }, { x: 120 });
    // It has come as far as the finger, from where that was meant.
    expect(await left(sidebar())).toBeGreaterThan(closed + 60);
    await finger.move({ x: 120 });
    await page.screenshot({ path: join(SHOTS, "drawer-pulled-narrow-dark.png") });
    await finger.up();
    await standsAt(sidebar(), 0);
    expect(await isInert()).toBe(false);
    await page.screenshot({ path: join(SHOTS, "drawer-narrow-dark.png") });
  });

  test("closes by a swipe to the left, and is inert then", async () => {
    await finger.pull({ x: 250, y: 400 }, { x: -220 });
    await finger.up();
    await eventually(isInert);
    await standsAt(sidebar(), -Math.ceil((await sidebar().boundingBox())?.width ?? 0));
    // The focus is not lost with it.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Rooms",
    );
  });

  test("opens by a flick, but not by a short swipe or from elsewhere", async () => {
    const closed = await left(sidebar());
    await finger.pull({ x: 8, y: 400 }, { x: 90 });
    await finger.up();
    await standsAt(sidebar(), closed);
    expect(await isInert()).toBe(true);
    // Fast, but it rests before it goes.
    await finger.pull({ x: 8, y: 400 }, { x: 90 }, 1);
    await page.clock.runFor(HOLD_MS);
    await finger.up();
    await standsAt(sidebar(), closed);
    await finger.pull({ x: 60, y: 400 }, { x: 250 });
    await finger.up();
    expect(await isInert()).toBe(true);
    await finger.flick({ x: 8, y: 400 }, { x: 90 });
    await standsAt(sidebar(), 0);
    await page.keyboard.press("Escape");
    await standsAt(sidebar(), closed);
  });

  test("leaves vertical scrolling to the browser, also at the edge", async () => {
    const list = page.getByRole("log");
    const before = await list.evaluate((element) => element.scrollTop);
    await finger.pull({ x: 10, y: 300 }, { x: 20, y: 200 });
    await finger.up();
    await eventually(async () => (await list.evaluate(({ scrollTop }) => scrollTop)) < before);
    expect(await isInert()).toBe(true);
  });
});

test("the sheet of members closes by a swipe to the right", async () => {
  await page.goto(`${world.service.address}/rooms/general?panel=members`);
  const members = page.getByRole("complementary", { name: "Members" });
  await members.getByText("Bob Noyce").waitFor();
  await page.screenshot({ path: join(SHOTS, "members-phone-dark.png") });
  const open = await left(members);
  await finger.pull({ x: 200, y: 500 }, { x: 80 });
  expect(await left(members)).toBeGreaterThan(open + 40);
  await finger.up();
  await standsAt(members, open);
  await finger.pull({ x: 150, y: 500 }, { x: 220 });
  await finger.up();
  await members.waitFor({ state: "detached" });
});

test("a sheet closes by a swipe down, but not by a short one or while its content is scrolled", async () => {
  await page.setViewportSize(PHONE.viewport);
  await page.goto(`${world.service.address}/rooms/general`);
  const top = () => sheet().evaluate((element) => Math.round(element.getBoundingClientRect().top));
  await hold("Line 28");
  await eventually(() =>
    sheet().evaluate((element) =>
      element.getAnimations().every(({ playState }) => playState === "finished"),
    ),
  );
  const open = await top();
  const item = sheet().getByRole("button", { name: "Copy text" });
  // What can be scrolled is scrolled first.
  await page.setViewportSize({ width: 390, height: 420 });
  await sheet().evaluate((element) => element.scrollTo(0, 80));
  await finger.pull(item, { y: 60 });
  await finger.up();
  await expectSoon(() => sheet().evaluate((element) => element.style.transform), "");
  await page.setViewportSize(PHONE.viewport);
  await eventually(async () => (await top()) === open);
  await finger.pull(item, { y: 60 });
  expect(await top()).toBeGreaterThan(open + 30);
  await finger.up();
  await eventually(async () => (await top()) === open);
  await finger.pull(item, { y: 400 });
  await finger.up();
  await sheet().waitFor({ state: "detached" });

  // A menu and a dialog are sheets, too.
  await page.getByRole("button", { name: "Notifications for this room" }).tap();
  const menu = page.getByRole("menu");
  await finger.pull(menu.getByRole("menuitemradio", { name: "Mentions only" }), { y: 300 });
  await finger.up();
  await menu.waitFor({ state: "detached" });
  await page
    .getByRole("log")
    .getByRole("button", { name: /^Today/ })
    .tap();
  const jump = page.getByRole("dialog", { name: "Jump to a day" });
  await finger.pull(jump.getByRole("heading"), { y: 300 });
  await finger.up();
  await jump.waitFor({ state: "detached" });
});

test("with reduced motion the same happens without animation", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(NARROW);
  await finger.pull({ x: 8, y: 400 }, { x: 240 });
  await finger.up();
  await eventually(async () => !(await isInert()));
  expect(await left(sidebar())).toBe(0);
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE.viewport);
  await page.goto(`${world.service.address}/rooms/general?panel=members`);
  await page.getByRole("complementary", { name: "Members" }).getByText("Bob Noyce").waitFor();
  await finger.pull({ x: 150, y: 500 }, { x: 220 });
  await finger.up();
  await page.getByRole("complementary", { name: "Members" }).waitFor({ state: "detached" });
  await page.emulateMedia({ reducedMotion: null });
});
