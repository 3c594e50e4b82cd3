import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(90_000);

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  await world.room("general", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = (page: Page) => page.getByRole("textbox", { name: "Message #general" });

async function open(options: object) {
  const tab = await newPage(browser, options);
  const [name = "", value = ""] = (ada.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  await tab.page.goto(`${world.service.address}/rooms/general`);
  await composer(tab.page).waitFor();
  return tab;
}

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { left, top, right, bottom, width } = element.getBoundingClientRect();
    return { left, top, right, bottom, width };
  });

test("the sidebar keeps the width it was dragged to, over a reload", async () => {
  const { page, context, complaints } = await open(WIDE);
  const edge = page.getByRole("separator", { name: "Width of the room list" });
  const width = async () => (await boxOf(page, ".sidebar")).width;
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
  expect(await width()).toBe(360);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  expect(await width()).toBe(200);
  expect(await said()).toEqual(["200", "200", "360"]);

  await page.mouse.move(200, 400);
  await page.mouse.down();
  await page.mouse.move(250, 420);
  await page.mouse.move(320, 410);
  await page.screenshot({ path: join(SHOTS, "sidebar-drawn-wide-dark.png") });
  await page.mouse.up();
  await page.mouse.move(500, 400);
  expect(await width()).toBe(320);

  // Whatever width the list is ever drawn in, it is the one that was kept.
  await page.addInitScript(() => {
    const seen = new Set<number>();
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const list = document.querySelector(".sidebar");
      if (list) seen.add(list.getBoundingClientRect().width);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await composer(page).waitFor();
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: [] }).seen]);
  expect(seen).toEqual([320] as never);

  await edge.dblclick();
  expect(await width()).toBe(264);
  expect(complaints).toEqual([]);
  await context.close();
});

describe("on a phone", () => {
  test("the page ends above the on-screen keyboard, and pinch zoom is not taken for one", async () => {
    const { page, context, complaints } = await open(PHONE);
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
    expect((await boxOf(page, ".shell")).bottom).toBe(500);
    expect((await boxOf(page, ".composer")).bottom).toBe(500);
    expect((await boxOf(page, ".pane-head")).top).toBe(0);
    await page.screenshot({ path: join(SHOTS, "keyboard-phone-dark.png") });
    await view(844, 1);
    expect((await boxOf(page, ".composer")).bottom).toBe(844);
    await view(422, 2);
    expect((await boxOf(page, ".composer")).bottom).toBe(844);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("the safe areas stay free, and are not added above the keyboard", async () => {
    const { page, context, complaints } = await open(PHONE);
    const session = await context.newCDPSession(page);
    const insets = { top: 40, bottom: 34 };
    await session.send("Emulation.setSafeAreaInsetsOverride" as never, { insets } as never);
    await page.waitForFunction(() => {
      const head = document.querySelector(".pane-head");
      return head && Math.round(head.getBoundingClientRect().top) === 40;
    });
    const lowest = 844 - 34;
    expect((await boxOf(page, ".composer .box")).bottom).toBeLessThanOrEqual(lowest);
    await page.getByRole("button", { name: "Rooms", exact: true }).tap();
    expect((await boxOf(page, ".sidebar header")).top).toBe(40);
    expect((await boxOf(page, ".bar a:first-child .bar-icon")).bottom).toBeLessThan(lowest);
    await page.waitForFunction(() => {
      const [list, bar] = [".sidebar footer", ".bar"].map((selector) =>
        document.querySelector(selector),
      );
      return list?.getBoundingClientRect().bottom === bar?.getBoundingClientRect().top;
    });
    await page.screenshot({ path: join(SHOTS, "safe-drawer-phone-dark.png") });
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^Members/ }).tap();
    expect((await boxOf(page, ".members header")).top).toBe(40);
    expect((await boxOf(page, ".members .virtual-list")).bottom).toBeLessThanOrEqual(lowest);
    await page.getByRole("button", { name: "Close member list" }).last().tap();

    await page.getByRole("button", { name: "Room settings" }).tap();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const { top, bottom } = await boxOf(page, "dialog");
    expect(top).toBeGreaterThanOrEqual(40);
    expect(bottom).toBeLessThanOrEqual(lowest);
    await page.screenshot({ path: join(SHOTS, "safe-dialog-phone-dark.png") });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    // The keyboard covers what the device keeps, and the bar: there is no gap above it.
    await composer(page).tap();
    await page.locator(".bar").waitFor({ state: "hidden" });
    await page.evaluate(() => {
      const seen = window.visualViewport as VisualViewport;
      Object.defineProperty(seen, "height", { value: 500, configurable: true });
      seen.dispatchEvent(new Event("resize"));
    });
    expect((await boxOf(page, ".composer .box")).bottom).toBe(492);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
