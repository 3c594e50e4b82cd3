import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, type PageOptions, PHONE, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
const clients = new Map<string, Client>();
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  const grace = await world.person("grace", { displayName: "Grace Hopper" });
  const alan = await world.person("alan", { displayName: "Alan Turing" });
  for (const client of [grace, alan]) clients.set(client.user.username, client);
  const roomId = await world.room("engines", ada, [grace, alan]);
  await world.room("launch", ada, [grace]);
  // Ada is not in it.
  await world.room("secret", grace, [alan]);
  await alan.say(roomId, "Ask @grace about it");
  await grace.say(roomId, "Here I am");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(options: PageOptions) {
  const { page, context } = await signedInPage(browser, ada, "/rooms/engines", options);
  const log = page.getByRole("log");
  await log.getByText("Here I am").waitFor();
  const card = (name: string) => page.getByRole("dialog", { name });
  return { page, context, log, card };
}

async function showMembers(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Members/ });
  if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
  await page.getByRole("complementary", { name: "Members" }).getByText("Grace Hopper").waitFor();
}

test("a person opens in a card beside the name, which dims nothing", async () => {
  const { page, log, card } = await open(WIDE);
  const name = log.getByRole("button", { name: "Grace Hopper" });
  await name.click();
  const grace = card("Grace Hopper");
  await grace.getByText("@grace", { exact: true }).waitFor();
  await grace.getByRole("button", { name: "Message" }).waitFor();
  const [box, anchor] = await Promise.all([grace.boundingBox(), name.boundingBox()]);
  expect(box?.width).toBe(280);
  expect(Math.abs((box?.x ?? 0) - (anchor?.x ?? 0))).toBeLessThan(2);
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await page.keyboard.press("Escape");
  await grace.waitFor({ state: "detached" });
  expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a card has the local time, and rooms whose members nobody has loaded", async () => {
  await clients.get("grace")?.patch("/api/auth/me", { time_zone: "Asia/Tokyo" });
  await clients.get("alan")?.patch("/api/auth/me", { time_zone: "Europe/Berlin" });
  const { page, log, card } = await open({ ...WIDE, timezoneId: "Europe/Berlin" });
  await page.clock.setSystemTime(new Date("2026-01-01T13:05:00Z"));
  await log.getByRole("button", { name: "Grace Hopper" }).click();
  await card("Grace Hopper").getByText("22:05 local time · 8 h ahead").waitFor();
  expect(
    await card("Grace Hopper")
      .getByText(/^You share/)
      .textContent(),
  ).toBe("You share 2 rooms: #engines, #launch");
  await page.keyboard.press("Escape");
  await log.getByRole("button", { name: "Alan Turing" }).click();
  await card("Alan Turing").getByText("14:05 local time", { exact: true }).waitFor();
  await card("Alan Turing").getByRole("link", { name: "#engines" }).click();
  await card("Alan Turing").waitFor({ state: "detached" });
  // Ada's own page has told her zone.
  await eventually(async () => (await ada.get("/api/auth/me")).body.time_zone === "Europe/Berlin");
});

test("a card leads to the files of someone with whom the reader shares a room", async () => {
  for (const [options, path] of [
    [WIDE, "/rooms/engines"],
    [PHONE, "/search"],
  ] as const) {
    const { page, log, card, context } = await open(options);
    await log.getByRole("button", { name: "Grace Hopper" }).click();
    await card("Grace Hopper").getByRole("button", { name: "Files from Grace Hopper" }).click();
    await page.waitForURL((url) => url.searchParams.get("q") === "from:@grace has:file");
    expect(new URL(page.url()).pathname).toBe(path);
    await card("Grace Hopper").waitFor({ state: "detached" });
    await context.close();
  }
});

test("another person takes the place of the first, and a click elsewhere closes the card", async () => {
  const { page, log, card } = await open(WIDE);
  await showMembers(page);
  await log.getByRole("button", { name: "Grace Hopper" }).click();
  await card("Grace Hopper").waitFor();
  const alan = page.getByRole("complementary", { name: "Members" }).getByText("Alan Turing");
  await alan.click();
  await card("Alan Turing").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  await alan.click();
  await card("Alan Turing").waitFor();
  await page.getByRole("textbox", { name: "Message #engines" }).click();
  await card("Alan Turing").waitFor({ state: "detached" });
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  expect(await focused()).toBe("TEXTAREA");
});

test("a mention opens the card, whose menu has what the reader may do in the room", async () => {
  const { page, log, card } = await open(WIDE);
  // Their list brings the roles.
  await showMembers(page);
  await log.getByText("@grace").click();
  await card("Grace Hopper").getByRole("button", { name: "Actions for Grace Hopper" }).click();
  const items = await page.getByRole("menuitem").allTextContents();
  expect(items).toEqual(["Copy @mention", "Make admin", "Remove from room"]);
  // One press closes the menu, the next the card.
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  expect(await card("Grace Hopper").isVisible()).toBe(true);
  await card("Grace Hopper").getByRole("button", { name: "Message" }).click();
  await page.waitForURL(/\/direct\//);
});

test("on a phone a person is a sheet at the lower edge", async () => {
  const { page, log, card } = await open({ ...PHONE, reducedMotion: "reduce" });
  await log.getByRole("button", { name: "Grace Hopper" }).tap();
  const { width, height } = PHONE.viewport;
  await expectSoon(
    async () => {
      const box = await card("Grace Hopper").boundingBox();
      return box && { bottom: Math.round(box.y + box.height), width: box.width };
    },
    { bottom: height, width },
  );
  await page.touchscreen.tap(200, 100);
  await card("Grace Hopper").waitFor({ state: "detached" });
});
