import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page, WebSocketRoute } from "playwright-core";
import {
  composerBox,
  launchBrowser,
  messageRow,
  messageText,
  paneHead,
  PHONE,
  signedInPage,
  toasts,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let general: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  general = await world.room("general", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = (page: Page) => page.getByRole("textbox", { name: "Message #general" });

async function open(options: object, path = "/rooms/general", prepare?: (page: Page) => unknown) {
  const tab = await signedInPage(browser, ada, path, options, prepare);
  await composer(tab.page).waitFor();
  return tab;
}

const boxOf = (of: Locator) =>
  of.evaluate((element) => {
    const { left, top, right, bottom, width } = element.getBoundingClientRect();
    return { left, top, right, bottom, width };
  });

test("the sidebar keeps the width it was dragged to, over a reload", async () => {
  const { page } = await open(WIDE);
  const edge = page.getByRole("separator", { name: "Width of the room list" });
  const width = async () => (await boxOf(page.getByRole("complementary", { name: "Rooms" }))).width;
  const said = async () =>
    Promise.all(["now", "min", "max"].map((name) => edge.getAttribute(`aria-value${name}`)));
  expect(await width()).toBe(264);
  expect(await said()).toEqual(["264", "200", "360"]);

  await edge.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await width()).toBe(296);
  await page.keyboard.press("ArrowLeft");
  expect(await width()).toBe(280);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expectSoon(width, 360);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expectSoon(width, 200);
  expect(await said()).toEqual(["200", "200", "360"]);

  await page.mouse.move(200, 400);
  await page.mouse.down();
  await page.mouse.move(250, 420);
  await page.mouse.move(320, 410);
  await page.screenshot({ path: join(SHOTS, "sidebar-drawn-wide-dark.png") });
  await page.mouse.up();
  await page.mouse.move(500, 400);
  await expectSoon(width, 320);

  // Whatever width the list is ever drawn in, it is the one that was kept.
  await page.addInitScript(() => {
    const seen = new Set<number>();
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const list = document.querySelector('[role="complementary"]');
      if (list) seen.add(list.getBoundingClientRect().width);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await composer(page).waitFor();
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: [] }).seen]);
  expect(seen).toEqual([320] as never);

  await edge.dblclick();
  expect(await width()).toBe(264);
});

describe("on a phone", () => {
  test("the page ends above the on-screen keyboard, and pinch zoom is not taken for one", async () => {
    const { page } = await open(PHONE);
    /** What Safari tells: the page is as tall as before, what is seen of it is not. */
    const view = (height: number, scale: number) =>
      page.evaluate(
        ([h, s]) => {
          const seen = window.visualViewport as VisualViewport;
          Object.defineProperty(seen, "height", { value: h, configurable: true });
          Object.defineProperty(seen, "scale", { value: s, configurable: true });
          seen.dispatchEvent(new Event("resize"));
        },
        [height, scale] as const,
      );
    await composer(page).tap();
    await view(500, 1);
    await expectSoon(async () => (await boxOf(page.locator("[data-connection]"))).bottom, 500);
    await expectSoon(async () => (await boxOf(page.locator("form"))).bottom, 500);
    expect((await boxOf(paneHead(page))).top).toBe(0);
    await page.screenshot({ path: join(SHOTS, "keyboard-phone-dark.png") });
    await view(844, 1);
    await expectSoon(async () => (await boxOf(page.locator("form"))).bottom, 844);
    await view(422, 2);
    await expectSoon(async () => (await boxOf(page.locator("form"))).bottom, 844);
  });

  test("the safe areas stay free, and are not added above the keyboard", async () => {
    const { page, context } = await open(PHONE);
    const session = await context.newCDPSession(page);
    const insets = { top: 40, bottom: 34 };
    await session.send("Emulation.setSafeAreaInsetsOverride" as never, { insets } as never);
    await page.waitForFunction(() => {
      const head = document.querySelector("main header");
      return head && Math.round(head.getBoundingClientRect().top) === 40;
    });
    const lowest = 844 - 34;
    expect((await boxOf(composerBox(page))).bottom).toBeLessThanOrEqual(lowest);
    await page.getByRole("link", { name: "Back" }).tap();
    const home = page.getByRole("main", { name: "Rooms" });
    await expectSoon(async () => (await boxOf(home.locator("> div").first())).top, 40);
    const bar = page.getByRole("navigation", { name: "Main" });
    expect((await boxOf(bar.locator("svg").first())).bottom).toBeLessThan(lowest);
    const rooms = page.getByRole("navigation", { name: "Rooms" });
    await eventually(async () => (await boxOf(rooms)).bottom === (await boxOf(bar)).top);
    await page.screenshot({ path: join(SHOTS, "safe-home-phone-dark.png") });
    await page.goBack();

    await page.getByRole("heading", { level: 1 }).getByRole("button").tap();
    await page.getByRole("tab", { name: "Members" }).tap();
    const panel = page.getByRole("complementary", { name: "Members" });
    await expectSoon(async () => (await boxOf(panel.locator("header"))).top, 40);
    const members = panel.getByRole("list", { name: "Members" });
    expect((await boxOf(members.locator(".."))).bottom).toBeLessThanOrEqual(lowest);
    await panel.getByRole("button", { name: "Close details" }).tap();

    await page.keyboard.press("Control+Shift+k");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect((await boxOf(dialog)).top).toBeGreaterThanOrEqual(40);
    // Once it has risen.
    await eventually(async () => (await boxOf(dialog.locator("> div"))).bottom <= lowest);
    await page.screenshot({ path: join(SHOTS, "safe-dialog-phone-dark.png") });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    // The keyboard covers what the device keeps, and the bar: there is no gap above it.
    await composer(page).tap();
    await bar.waitFor({ state: "hidden" });
    await page.evaluate(() => {
      const seen = window.visualViewport as VisualViewport;
      Object.defineProperty(seen, "height", { value: 500, configurable: true });
      seen.dispatchEvent(new Event("resize"));
    });
    expect((await boxOf(composerBox(page))).bottom).toBe(492);
  });
});

test("a room keeps its width while the code of the search beside it loads", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { page } = await open(WIDE, "/rooms/general?q=filler", (tab) =>
    tab.route(/\/assets\/rest-/, async (route) => {
      await promise;
      await route.continue();
    }),
  );
  const before = await composer(page).boundingBox();
  resolve();
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
  expect(await composer(page).boundingBox()).toEqual(before);
});

test.each([
  ["wide", WIDE, "/rooms/general?q=filler"],
  ["on a phone", PHONE, "/rooms/general"],
  ["beside a panel", { viewport: { width: 1000, height: 800 } }, "/rooms/general?panel=about"],
  ["above a panel", { viewport: { width: 700, height: 800 } }, "/rooms/general?panel=about"],
] as const)(
  "without a connection the banner covers nothing, and the messages do not move: %s",
  async (name, options, path) => {
    await ada.say(general, "The newest");
    const sockets = new Set<WebSocketRoute>();
    let isDown = false;
    const { page } = await open(options, path, (tab) =>
      tab.routeWebSocket("**/ws/chat", (socket) => {
        if (isDown) return void socket.close();
        socket.connectToServer();
        sockets.add(socket);
      }),
    );
    const newest = messageRow(page, "The newest").last();
    await newest.waitFor();
    await page.locator("[data-connection=open]").waitFor();
    const before = await newest.boundingBox();
    isDown = true;
    for (const socket of sockets) await socket.close();
    const banner = page.getByRole("status").filter({ hasText: "Reconnecting" });
    await banner.waitFor();
    const covered = await banner.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const places = Array.from({ length: 40 }, (_, i) => [
        left + (width * (i + 0.5)) / 40,
        top + (height * ((i % 4) + 0.5)) / 4,
      ]);
      const below = places.flatMap(([x = 0, y = 0]) => document.elementsFromPoint(x, y));
      return below
        .filter((other) => !element.contains(other) && !other.contains(element))
        .map(({ className }) => className);
    });
    expect(covered).toEqual([]);
    expect((await banner.boundingBox())?.width).toBe(page.viewportSize()?.width);
    expect(await newest.boundingBox()).toEqual(before);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(SHOTS, `reconnecting-${name}-${colorScheme}.png`) });
    }
    // The page also tries by itself, so the click itself ends the outage.
    await page.exposeFunction("endOutage", () => {
      isDown = false;
    });
    const tryNow = banner.getByRole("button", { name: "Try now" });
    await tryNow.evaluate((button) => {
      const { endOutage } = globalThis as unknown as { endOutage(): void };
      button.addEventListener("click", endOutage, { capture: true });
    });
    await tryNow.click();
    await banner.waitFor({ state: "detached" });
    expect(await newest.boundingBox()).toEqual(before);
  },
);

/** Toasts stay, however slow the machine is. */
const keepToasts = (page: Page) =>
  page.addInitScript(() => {
    const start = globalThis.setTimeout;
    const stretched = (run: () => void, ms?: number) => start(run, ms === 5_000 ? 600_000 : ms);
    globalThis.setTimeout = stretched as typeof setTimeout;
  });

test.each([
  ["wide", WIDE],
  ["on a phone", PHONE],
] as const)(
  "toasts leave the newest message readable; two are shown, and more are counted: %s",
  async (name, options) => {
    for (const text of ["Stays", "First", "Second", "Third"]) await ada.say(general, text);
    const { page } = await open(options, undefined, keepToasts);
    const row = (text: string) => messageRow(page, text).last();
    await row("Third").waitFor();
    const deleted = toasts(page, "Message deleted");
    const more = page.getByRole("button", { name: "2 more" });
    await composer(page).focus();
    for (const text of ["Third", "Second"]) {
      await row(text).focus();
      await row(text).getByRole("toolbar").waitFor();
      await page.keyboard.press("Delete");
    }
    await deleted.nth(1).waitFor();
    expect(await toasts(page).count()).toBe(2);
    await page.screenshot({ path: join(SHOTS, `toasts-${name}.png`) });
    const text = await messageText(row("First"))
      .locator("p")
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().toJSON() as DOMRect;
      });
    for (const toast of await deleted.all()) {
      const box = await toast.evaluate((element) => element.getBoundingClientRect().toJSON());
      const isAbove = box.bottom < text.top && box.top >= (await boxOf(paneHead(page))).bottom;
      expect(isAbove || box.left > text.right).toBe(true);
      const gap = (await boxOf(page.locator("form"))).top - box.bottom;
      expect(gap).toBeGreaterThanOrEqual(12);
    }
    await row("First").focus();
    await row("First").getByRole("toolbar").waitFor();
    await page.keyboard.press("Delete");
    await more.waitFor();
    expect(await deleted.count()).toBe(1);
    await more.click();
    await deleted.nth(2).getByRole("button", { name: "Undo" }).click();
    await row("First").waitFor();
  },
);
