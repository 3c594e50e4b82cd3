import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(60_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
const ids: Record<string, string> = {};
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
  for (const name of ["archive", "blue", "green", "red", "zebra"]) {
    ids[name] = await world.room(name, bob, [ada]);
  }
  await world.archive("archive", true);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(path: string, options = WIDE) {
  const tab = await newPage(browser, options);
  const [name = "", value = ""] = (ada.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  await tab.page.goto(world.service.address + path);
  return tab;
}

const row = (page: Page, name: string) => page.locator(`.room-row[data-id="${ids[name]}"] > a`);
const unread = (name: string) => bob.say(ids[name] as string, "news");

/** Waits until the sidebar's sections have these rooms. */
async function untilShown(page: Page, sections: Record<string, string[]>): Promise<void> {
  await page.waitForFunction((wanted) => {
    const named = [...document.querySelectorAll<HTMLElement>("[data-section]")].filter(
      ({ dataset }) => dataset.section !== "direct",
    );
    const shown = named.map((section) => [
      section.dataset.section,
      [...section.querySelectorAll(".room-link .grow")].map((name) => name.textContent),
    ]);
    return JSON.stringify(Object.fromEntries(shown)) === wanted;
  }, JSON.stringify(sections));
}

test("rooms are arranged by keys and by dragging, on all devices at once", async () => {
  const { page, context, complaints } = await open("/");
  // Not the archived room, which is the first by name.
  await page.waitForURL("**/rooms/blue");
  const other = await open("/rooms/blue");
  await untilShown(other.page, { rooms: ["blue", "green", "red", "zebra"], archived: [] });

  // The list is one stop of Tab; arrows move in it.
  await row(page, "blue").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.locator('.room-row > a[tabindex="0"]', { hasText: "zebra" }).waitFor();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Add to favourites" }).press("Enter");
  const favourite = { favourites: ["zebra"], rooms: ["blue", "green", "red"], archived: [] };
  await untilShown(page, favourite);
  await untilShown(other.page, favourite);

  await row(page, "red").focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await page.getByText("#red is now number 2 of 3").waitFor({ state: "attached" });
  await untilShown(other.page, { ...favourite, rooms: ["blue", "red", "green"] });
  await row(other.page, "green").dragTo(row(other.page, "zebra"), {
    targetPosition: { x: 20, y: 2 },
  });
  const dragged = { favourites: ["green", "zebra"], rooms: ["blue", "red"], archived: [] };
  await untilShown(page, dragged);

  await page.getByRole("button", { name: "Favourites" }).click();
  await untilShown(other.page, { ...dragged, favourites: [] });
  await page.getByRole("button", { name: "Favourites" }).click();
  await untilShown(other.page, dragged);
  await page.reload();
  await untilShown(page, dragged);
  await ada.patch("/api/auth/me", { sidebar: { sort: "unread" } });
  await unread("red");
  await untilShown(page, { ...dragged, rooms: ["red", "blue"] });
  // It is read by being opened, and moves nothing below the pointer.
  await row(page, "red").click();
  await page.getByRole("log").getByText("news").waitFor();
  await row(page, "red").locator(".unread-dot").waitFor({ state: "detached" });
  await untilShown(page, { ...dragged, rooms: ["red", "blue"] });
  expect(complaints).toEqual([]);
  await Promise.all([context.close(), other.context.close()]);
});

test("the open room is in view among many, and a few letters lead to any", async () => {
  const carol = await world.person("carol");
  for (let n = 10; n < 50; n++) await world.room(`x-${n}`, bob, [carol]);
  const tab = await newPage(browser, WIDE);
  const [name = "", value = ""] = (carol.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  const { page } = tab;
  await page.goto(`${world.service.address}/rooms/x-49`);
  const inView = () =>
    page.waitForFunction(() => {
      const nav = document.querySelector(".sidebar nav")?.getBoundingClientRect();
      const current = document.querySelector(".sidebar nav [aria-current]");
      const box = current?.getBoundingClientRect();
      return nav && box && box.height > 0 && box.top >= nav.top && box.bottom <= nav.bottom;
    });
  await inView();
  const { y = 9_999 } =
    (await page.getByRole("link", { name: "Browse rooms" }).boundingBox()) ?? {};
  expect(y).toBeLessThan(WIDE.viewport.height);
  await page.getByLabel("Filter rooms").fill("x12");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/rooms/x-12");
  await inView();
  await page.getByLabel("Filter rooms").fill("zzz");
  await page.getByText("None of your rooms match.").waitFor();
  await tab.context.close();
});

test("a phone shows what is new elsewhere, and has the menu of a room on a long press", async () => {
  await ada.patch("/api/auth/me", { sidebar: { sort: "name", order: [] } });
  await ada.post("/api/rooms/read");
  const { page, context } = await open("/rooms/blue", PHONE);
  const button = page.locator(".pane-head").getByRole("button", { name: "Rooms" });
  await page.locator(".timeline").waitFor();
  expect(await page.locator(".menu-news > *").count()).toBe(0);
  await unread("red");
  await page.locator(".menu-news .unread-dot").waitFor();
  await bob.say(ids.green as string, "@ada hello");
  await page.locator(".menu-news .badge", { hasText: "1" }).waitFor();
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.getByRole("link", { name: "Rooms" }).locator(".badge", { hasText: "1" }).waitFor();
  // The composer takes its place.
  await page.locator(".composer textarea").focus();
  await bar.waitFor({ state: "hidden" });
  await page.locator(".composer textarea").fill("half a thought");
  await button.tap();
  await bar.waitFor();
  await row(page, "red").tap();
  await page.waitForURL("**/rooms/red");
  await bar.getByRole("link", { name: "Rooms" }).tap();
  await row(page, "blue").getByRole("img", { name: "Draft" }).waitFor();

  await row(page, "green").dispatchEvent("pointerdown", {
    pointerType: "touch",
    isPrimary: true,
    clientX: 50,
    clientY: 50,
  });
  await page.getByRole("menuitem", { name: "Mute", exact: true }).tap();
  await row(page, "green").getByRole("img", { name: "Muted" }).waitFor();
  // What is muted counts nowhere.
  await page.locator(".menu-news .badge").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).tap();
  await page.locator(".menu-news .badge", { hasText: "1" }).waitFor();
  await page.getByRole("button", { name: "Order of rooms" }).tap();
  await page.getByRole("menuitem", { name: "Mark all as read" }).tap();
  await page.locator(".menu-news > *").waitFor({ state: "detached" });
  await context.close();
});

test("what is unread out of sight is counted at the edges of the list, which lead to it", async () => {
  const cleo = await world.person("cleo");
  const rooms: string[] = [];
  for (let n = 10; n < 60; n++) rooms.push(await world.room(`room-${n}`, bob, [cleo]));
  const { page, context, complaints } = await newPage(browser, WIDE);
  const [name = "", value = ""] = (cleo.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url: world.service.address }]);
  await page.goto(`${world.service.address}/rooms/room-10`);
  await page.locator(".room-row").first().waitFor();
  await bob.say(rooms[45] as string, "news");
  const below = page.locator(".edge-pill.below");
  await below.getByText("1 unread").waitFor();
  await bob.say(rooms[48] as string, "@cleo look");
  await below.getByText("1 mention").waitFor();
  await below.click();
  const link = page.getByRole("link", { name: /^room-55/ });
  await page.waitForFunction(() => document.querySelector(".edge-pill.below") === null);
  const box = await link.boundingBox();
  expect(box?.y).toBeLessThan(WIDE.viewport.height);
  await page.locator(".sidebar nav").evaluate((list) => list.scrollTo(0, 0));
  await below.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
