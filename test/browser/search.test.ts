import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import {
  launchBrowser,
  newPage,
  type PageOptions,
  PHONE,
  signedInPage,
  signIn,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { indexEverything } from "../support/search.ts";
import { expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let grace: Client;
let general: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  grace = await world.person("grace", { displayName: "Grace Hopper" });
  general = await world.room("general", ada, [grace]);
  const random = await world.room("random", ada, [grace], "open");
  await ada.say(general, "The **deployment** of the engine is done. 我家在上海东边 <img src=x>");
  await grace.say(random, "Who deploys next? Nobody answers, so I do it: deploy, deploy, deploy.");
  const { body } = await grace.upload(
    `/api/rooms/${general}/files`,
    new Uint8Array([1]),
    "deployment plan for the second half of the year, with everything.pdf",
  );
  await grace.say(general, "x".repeat(400), { file_id: body.id });
  const root = await ada.say(general, "What has the carpenter done?");
  await grace.say(general, "The keel is painted", { thread_id: root.id });
  for (let i = 0; i < 30; i += 1) await ada.say(general, `Filler ${i}`);
  await indexEverything(world.database);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** The messages that were found, which have a time. */
const resultsOf = (panel: Locator) =>
  panel.getByRole("listitem").filter({ has: panel.page().getByRole("time") });

const open = (path: string, options: PageOptions = WIDE) =>
  signedInPage(browser, ada, path, options);

test("a search opens beside the room, with chips, marks, and its query in the address", async () => {
  const { page } = await open("/rooms/random");
  await page.getByLabel("Message #random").waitFor();
  await page.keyboard.press("Control+Shift+f");
  const panel = page.getByRole("region", { name: "Search messages" });
  const field = panel.getByRole("searchbox");
  await panel.getByText("in:random").waitFor();
  await page.screenshot({ path: join(SHOTS, "search-begin-wide.png") });
  await field.pressSequentially("deplo");
  await panel.locator("mark").nth(3).waitFor();
  expect(await panel.locator("mark").allTextContents()).toEqual([
    "deploys",
    "deploy",
    "deploy",
    "deploy",
  ]);
  expect(new URL(page.url()).searchParams.get("q")).toBe("in:random deplo");

  // Backspace takes the chip away: now all rooms are searched.
  await field.press("Home");
  await field.press("Backspace");
  const results = resultsOf(panel);
  await results.nth(2).waitFor();
  expect(await results.locator("mark").first().textContent()).toBe("deployment");
  expect(await panel.locator("img[src=x]").count()).toBe(0);
  await page.screenshot({ path: join(SHOTS, "search-results-wide.png") });

  // The cross empties the field, for which nothing else is shown.
  await field.fill("deployment");
  await panel.getByRole("button", { name: "Clear", exact: true }).click();
  await expectSoon(() => field.inputValue(), "");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await panel.getByRole("button", { name: "Clear", exact: true }).count()).toBe(0);
  await field.fill("deplo");
  await results.locator("mark").first().waitFor();

  // The best come first, without their days, or the newest.
  await panel.getByRole("heading", { level: 3 }).first().waitFor();
  await panel.getByRole("button", { name: "Newest" }).click();
  await panel.getByRole("menuitemradio", { name: "Most relevant" }).click();
  await panel.getByRole("heading", { level: 3 }).first().waitFor({ state: "detached" });
  await results.nth(2).waitFor();
  await panel.getByRole("button", { name: "Most relevant" }).click();
  await panel.getByRole("menuitemradio", { name: "Newest" }).click();
  await panel.getByRole("heading", { level: 3 }).first().waitFor();

  // A filter begins in the field, to be completed there.
  await panel.getByRole("button", { name: "From", exact: true }).click();
  await panel.getByRole("menuitem", { name: "Someone" }).click();
  await expectSoon(() => field.inputValue(), "deplo from:");
  await field.fill("deplo");

  // Arrows move, and Enter opens the room around the message; the search stays, and Back returns.
  await field.press("End");
  await page.keyboard.press("ArrowDown");
  await results.last().getByRole("link").focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Message #general").waitFor();
  await page
    .locator("[aria-current][data-message-id]")
    .getByText("of the engine is done")
    .waitFor();
  expect(await results.count()).toBe(3);
  await page.screenshot({ path: join(SHOTS, "search-opened-wide.png") });
  await page.goBack();
  await page.getByLabel("Message #random").waitFor();
  expect(await field.inputValue()).toBe("deplo");

  // A reply opens in its thread.
  await field.fill("keel");
  await results.getByText("is painted").click();
  const thread = page.getByRole("region", { name: "Thread" });
  await thread
    .locator("[aria-current][data-message-id]")
    .getByText("The keel is painted")
    .waitFor();
  await page.goBack();
  await page.getByLabel("Message #random").waitFor();

  // A filter becomes a chip when it is complete, and nothing found offers to drop it.
  // Without a name, a filter offers the people with whom I speak.
  await ada.post("/api/direct", { user_ids: [grace.user.id] });
  await field.fill("from:");
  await panel.getByRole("heading", { name: "People" }).waitFor();
  // The one that Enter chooses.
  await panel
    .getByRole("button", { name: "Grace Hopper" })
    .and(page.locator("[aria-current]"))
    .waitFor();
  await field.fill("from:gra");
  await panel.getByRole("button", { name: "Grace Hopper" }).waitFor();
  await field.press("Enter");
  await panel.getByRole("button", { name: "Remove from:grace" }).click();
  const chosen = (name: string) =>
    panel.locator(".chip.chosen").and(panel.getByRole("button", { name, exact: true }));
  expect(await chosen("From").count()).toBe(0);
  // Enter also waits for people who have not arrived.
  await field.fill("from:gra");
  await field.press("Enter");
  await panel.getByRole("button", { name: "Remove from:grace" }).waitFor();
  await chosen("From").waitFor();

  // A value that is being typed is no error, and is completed; one that does not exist is.
  await field.pressSequentially("has:f");
  await panel.getByRole("button", { name: "has:file" }).waitFor();
  await panel.getByText("everything.pdf").waitFor();
  expect(await panel.getByRole("alert").count()).toBe(0);
  await field.press("Enter");
  await panel.getByRole("button", { name: "Remove has:file" }).click();
  await field.pressSequentially("is:odd");
  await field.press("Enter");
  await panel.getByRole("alert").getByText("There is no is:odd").waitFor();
  await field.fill("");
  // The filters stay while one types, and are switched off as they were switched on.
  const has = panel.getByRole("button", { name: "Has", exact: true });
  const images = panel.getByRole("menuitemcheckbox", { name: "With an image" });
  await has.click();
  await images.click();
  await panel.getByRole("button", { name: "Remove has:image" }).waitFor();
  await has.click();
  await expectSoon(() => images.getAttribute("aria-checked"), "true");
  // Esc closes the menu alone.
  await images.press("Escape");
  await images.waitFor({ state: "detached" });
  await has.click();
  await images.click();
  await panel.getByRole("button", { name: "Remove has:image" }).waitFor({ state: "detached" });
  await field.pressSequentially("engine");
  await panel.getByText("No message matches").waitFor();
  await page.screenshot({ path: join(SHOTS, "search-nothing-wide.png") });
  await panel.getByRole("button", { name: "Without from:grace" }).click();
  await panel.getByText("of the engine is done").waitFor();
  await field.fill("-word");
  await panel.getByRole("alert").waitFor();
  await field.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");

  // What was searched for stays on this device.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("上海");
  await page.getByRole("option", { name: "Search messages for" }).click();
  await panel.locator("mark").getByText("上海").waitFor();
  await field.fill("");
  await panel.getByRole("button", { name: "deplo" }).waitFor();
});

test("a result has the actions of other rows, by keys, buttons and a right click", async () => {
  const { page } = await open("/search?q=Nobody answers");
  const panel = page.getByRole("region", { name: "Search messages" });
  const row = resultsOf(panel).filter({ hasText: "Who" });
  await row.getByRole("link").focus();
  await page.keyboard.press("s");
  const isSaved = async () => (await ada.get("/api/saved")).body.items.length;
  await expectSoon(isSaved, 1);
  await row.getByRole("link").click({ button: "right" });
  const menu = page.getByRole("menu", { name: "Actions" });
  await menu.getByRole("menuitem", { name: "Remove from Later" }).click();
  await expectSoon(isSaved, 0);
  await row.getByRole("link").focus();
  await page.keyboard.press("u");
  await page.getByRole("link", { name: "random unread" }).waitFor();
  // From an action, the arrows go on from its row.
  await row.getByRole("button", { name: "Save for later" }).focus();
  await page.keyboard.press("ArrowUp");
  await expectSoon(() => page.evaluate(() => document.activeElement?.textContent), "Newest");
});

test("the header of a room searches in it", async () => {
  const { page, context } = await open("/rooms/random");
  await page.getByRole("button", { name: "Search here" }).click();
  const panel = page.getByRole("region", { name: "Search messages" });
  await panel.getByText("in:random").waitFor();
  await panel.getByRole("searchbox").fill("deploy");
  await panel.getByRole("link").getByText("#random").first().waitFor();
  await context.close();
});

test("on a phone the search is a screen, and a result opens the room", async () => {
  const { page } = await open("/search?q=deplo", { ...PHONE, colorScheme: "dark" });
  const panel = page.getByRole("region", { name: "Search messages" });
  await resultsOf(panel).nth(2).waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await page.screenshot({ path: join(SHOTS, "search-results-phone.png") });
  await resultsOf(panel).first().click();
  await page.getByLabel("Message #general").waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.goBack();
  await resultsOf(panel).nth(2).waitFor();
  await panel.getByRole("searchbox").fill("");
  await panel.getByText("Search tips").waitFor();
  await page.screenshot({ path: join(SHOTS, "search-begin-phone.png") });
  // Each of the tips is a search.
  await panel.getByRole("button", { name: /^has:file/ }).click();
  await page.waitForURL(/q=has%3Afile|q=has:file/);
});

test("a link to a search on a phone shows at once that it loads, and the order with the results", async () => {
  const [code, response] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { page, context } = await newPage(browser, PHONE);
  await signIn(context, ada);
  await page.route(/\/assets\/rest-.*js/, (route) => code.promise.then(() => route.continue()));
  await page.route("**/api/search/**", (route) => response.promise.then(() => route.continue()));
  await page.goto(`${world.service.address}/rooms/random?q=deplo`);
  const panel = page.locator(".search-panel");
  const placeholder = panel.getByRole("listitem").first();
  await panel.and(page.getByRole("status", { name: "Loading" })).waitFor();
  await placeholder.waitFor();
  code.resolve();
  await panel.getByRole("searchbox").waitFor();
  await placeholder.waitFor();
  const order = panel.getByRole("button", { name: "Newest" });
  expect(await order.count()).toBe(0);
  response.resolve();
  await resultsOf(panel).nth(2).waitFor();
  await panel.getByText("3 messages found").waitFor();
  // Below the filters, which have the width of the first row.
  const top = async () => (await order.boundingBox())?.y ?? 0;
  expect(await top()).toBeGreaterThan(
    (await panel.getByRole("button", { name: "Date" }).boundingBox())?.y ?? 0,
  );
  // Former results stay until the next ones are there.
  await page.unroute("**/api/search/**");
  const next = Promise.withResolvers<void>();
  await page.route("**/api/search/**", (route) => next.promise.then(() => route.continue()));
  const request = page.waitForRequest("**/api/search/**");
  await panel.getByRole("searchbox").fill("keel");
  await request;
  expect(await resultsOf(panel).count()).toBe(3);
  // Their count is gone, so that screen readers announce the next one, even if it is the same.
  await expectSoon(() => panel.getByRole("status").textContent(), "");
  next.resolve();
  await panel.getByText("1 message found").waitFor();
  // No space is reserved for a count where nothing is searched for.
  const filters = panel.getByRole("group", { name: "Filters" });
  const height = async () => (await filters.boundingBox())?.height ?? 0;
  const withCount = await height();
  await panel.getByRole("searchbox").fill("from:");
  await panel.getByRole("heading", { name: "People" }).waitFor();
  await expectSoon(async () => (await height()) < withCount - 28, true);
});

test("results have their room beside the author at 200% zoom, and below on a phone", async () => {
  const { page } = await open("/search?q=carpenter", { viewport: { width: 640, height: 400 } });
  const row = page.getByRole("link", { name: /carpenter/ });
  const middleOf = async (text: string) => {
    const box = await row.getByText(text, { exact: true }).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) / 2;
  };
  const distance = async () =>
    Math.abs((await middleOf("general")) - (await middleOf("Ada Lovelace")));
  await row.waitFor();
  expect(await distance()).toBeLessThan(4);
  await page.setViewportSize(PHONE.viewport);
  await expectSoon(async () => (await distance()) > 12, true);
});

test("the number of messages is beside their order at 200% zoom", async () => {
  const { page } = await open("/rooms/random?q=deplo", { viewport: { width: 640, height: 400 } });
  const panel = page.locator(".search-panel");
  const gap = await panel.getByText("3 messages found").evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const order = element.nextElementSibling as Element;
    return order.getBoundingClientRect().left - text.getBoundingClientRect().right;
  });
  expect(Math.round(gap)).toBe(8);
});

test("results that are shown follow edits, deletions and removals", async () => {
  const beside = await world.room("beside", grace, [ada]);
  const room = await world.room("left", grace, [ada]);
  const say = (roomId: string, text: string) => grace.say(roomId, `quokka ${text}`);
  const [here, gone, away, awayGone] = [
    await say(general, "here"),
    await say(general, "gone"),
    await say(beside, "away"),
    await say(beside, "away and gone"),
  ];
  await say(room, "left behind");
  await indexEverything(world.database);
  const { page } = await open("/rooms/general?q=quokka");
  const texts = page
    .getByRole("region", { name: "Search messages" })
    .locator("[dir=auto]:has(mark)");
  await texts.nth(4).waitFor();
  await grace.patch(`/api/messages/${here.id}`, { content: "a quokka, edited" });
  await grace.patch(`/api/messages/${away.id}`, { content: "another quokka, edited" });
  for (const { id } of [gone, awayGone]) await grace.delete(`/api/messages/${id}`);
  await grace.delete(`/api/rooms/${room}/members/${ada.user.id}`);
  await texts.getByText("another quokka, edited").waitFor();
  await texts.getByText("a quokka, edited").waitFor();
  await texts.nth(2).waitFor({ state: "detached" });
  expect(await texts.allTextContents()).toEqual(["another quokka, edited", "a quokka, edited"]);
  expect(await texts.locator("mark").allTextContents()).toEqual(["quokka", "quokka"]);
});

test("a search without results can lose all filters at once, and leads to the open rooms", async () => {
  const filters = encodeURIComponent("from:grace in:random carpenter");
  const { page } = await open(`/rooms/random?q=${filters}`);
  const panel = page.getByRole("region", { name: "Search messages" });
  await panel.getByRole("button", { name: "Clear filters" }).click();
  await panel.getByText("What has the carpenter done?").waitFor();
  await panel.getByRole("searchbox").fill("zzzzqq");
  await panel.getByText("No message matches").waitFor();
  await panel.getByRole("link", { name: "Browse rooms" }).click();
  await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
});

test("a search that fails says so in each part, and goes on when the connection is back", async () => {
  const { page, context } = await open("/rooms/random");
  await page.getByLabel("Message #random").waitFor();
  await page.keyboard.press("Control+Shift+f");
  const panel = page.getByRole("region", { name: "Search messages" });
  await panel.getByText("in:random").waitFor();
  await page.keyboard.press("Backspace");
  await context.setOffline(true);
  await panel.getByRole("searchbox").fill("ada");
  await panel.getByText("People couldn't be loaded.").waitFor();
  await panel.getByRole("heading", { name: "Messages couldn't be searched" }).waitFor();
  await panel.getByText("Can't reach Snug. Check your connection.").waitFor();
  expect(await panel.getByRole("button", { name: "Try again" }).count()).toBe(2);
  await page.screenshot({ path: join(SHOTS, "search-offline-wide.png") });
  await context.setOffline(false);
  await panel.getByRole("button", { name: "Ada Lovelace @ada" }).waitFor();
  await panel.getByRole("button", { name: "Try again" }).first().waitFor({ state: "detached" });
});
