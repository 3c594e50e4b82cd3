import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  chooseOwn,
  launchBrowser,
  messageRow,
  PHONE,
  readSnapshot,
  signedInPage,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { allowComplaints } from "../support/complaints.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const FAILED = "This part didn't load";
const PROFILE = "**/assets/profile-*.js*";
const REST = "**/assets/rest-*.js*";

let world: World;
let browser: Browser;
let ada: Client;
let room: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  const bob = await world.person("bob", { displayName: "Bob" });
  room = await world.room("fireside", ada, [bob]);
  const tea = await world.room("tea", ada, [bob]);
  await bob.say(room, "The kettle is on.");
  await bob.say(tea, "Milk first");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

let page: Page;
let context: BrowserContext;
async function open(path: string, options = WIDE) {
  ({ page, context } = await signedInPage(browser, ada, path, options, breakMessages));
}
const shot = (name: string) => page.screenshot({ path: join(SHOTS, `boundary-${name}.png`) });
const press = (name: string) => page.getByRole("button", { name }).click();
const fault = () => page.getByRole("heading", { name: FAILED });

/** Answers the messages of one room in a shape that nobody can draw. */
let isBroken = false;
beforeEach(() => {
  isBroken = false;
});
async function breakMessages(page: Page) {
  await page.route(`**/api/rooms/${room}/messages*`, async (route) => {
    if (!isBroken) return route.continue();
    const answer = await route.fetch();
    const history = await answer.json();
    for (const message of history.items) message.reactions = null;
    await route.fulfill({ response: answer, json: history });
  });
}

test("a history that breaks does not affect other parts, and recovers", async () => {
  isBroken = true;
  allowComplaints(/Cannot read properties of null/);
  await open("/rooms/fireside", PHONE);
  await page.getByRole("main").locator(fault()).waitFor();
  await shot("timeline-phone");
  // What is beside it still works.
  await page.getByRole("textbox", { name: "Message #fireside" }).fill("Is it me?");
  await press("Try again");
  await Promise.all([page.waitForEvent("load"), press("Reload page")]);
  await fault().waitFor();
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByRole("link", { name: "tea" }).click();
  await page.getByText("Milk first").waitFor();
  expect(await fault().count()).toBe(0);
  // Nothing that nobody can draw: a page with a fault stores nothing more.
  expect(await readSnapshot(page)).toBeNull();
  isBroken = false;
  await page.goto(`${world.service.address}/rooms/fireside`);
  await page.getByText("The kettle is on.").waitFor();
});

test("a browser whose storage is full shows and sends as before", async () => {
  await open("/rooms/fireside");
  await page.getByText("The kettle is on.").waitFor();
  const left = await page.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size /= 2) {
      try {
        for (let n = 0; ; n += 1) localStorage.setItem(`filler-${size}-${n}`, "x".repeat(size));
      } catch {
        // The next smaller piece.
      }
    }
    try {
      localStorage.setItem("more", "x".repeat(32));
      return true;
    } catch {
      return false;
    }
  });
  expect(left).toBe(false);
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  await page.getByRole("link", { name: "tea" }).click();
  await page.getByText("Milk first").waitFor();
  await page.getByRole("textbox", { name: "Message #tea" }).fill("Milk and honey");
  await page.keyboard.press("Enter");
  await messageRow(page, "Milk and honey", "sent").waitFor();
  await page.getByRole("button", { name: "Format" }).click();
  await page.getByRole("button", { name: "Bold" }).waitFor();
  await page.reload();
  await page.getByText("Milk and honey").waitFor();
  expect(await fault().count()).toBe(0);
  expect(said).toEqual([]);
});

test("what a later version has stored in another form does not stop the page", async () => {
  await open("/rooms/tea");
  await page.getByText("Milk first").waitFor();
  await page.evaluate(() => localStorage.setItem("snug.kept", '{"numbers":1,"saved":3}'));
  await page.reload();
  await page.getByText("Milk first").waitFor();
});

test("an unreachable service is asked again from the screen that says so", async () => {
  await open("/rooms/tea");
  await page.getByText("Milk first").waitFor();
  const session = "**/api/auth/session";
  // Without the stored state, and without an answer, there is nothing to show.
  await page.goto("about:blank");
  await context.route(session, (route) => route.abort());
  await page.goto(`${world.service.address}/api/docs`);
  await page.evaluate(async () => {
    for (const { name = "" } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  await page.goto(`${world.service.address}/rooms/tea`);
  const title = page.getByRole("heading", { name: "Can't reach Snug" });
  await title.waitFor();
  await context.unroute(session);
  const gate = Promise.withResolvers<void>();
  await context.route(session, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('button[aria-busy="true"]').waitFor();
  expect(await title.count()).toBe(1);
  gate.resolve();
  await page.getByText("Milk first").waitFor();
});

test("a list of members that breaks does not affect the messages, and recovers", async () => {
  await open("/rooms/tea");
  await page.getByText("Milk first").waitFor();
  allowComplaints(/is not a function/);
  const people = `**/api/rooms/*/members*`;
  await page.route(people, async (route) => {
    const answer = await route.fetch();
    const list = await answer.json();
    // Someone who has posted nothing: a message shows its author's name as it is in this list.
    const [first] = list.items;
    list.items.push({ ...first, user: { ...first.user, id: "nobody", display_name: 7 } });
    await route.fulfill({ response: answer, json: list });
  });
  await page.getByRole("link", { name: "fireside" }).click();
  await page.getByRole("button", { name: "Members (2)" }).click();
  const members = page.getByRole("complementary", { name: "Members" });
  await members.locator(fault()).waitFor();
  await shot("members-wide");
  await page.getByText("The kettle is on.").waitFor();
  await page.getByRole("textbox", { name: "Message #fireside" }).fill("Still here");
  await page.unroute(people);
  await members.getByRole("button", { name: "Close details" }).click();
  await page.getByRole("button", { name: "Members (2)" }).click();
  await members.getByText("Ada Lovelace").waitFor();
});

describe("a screen whose code does not load", () => {
  const administration = () => chooseOwn(page, "Administration");
  const profile = () => chooseOwn(page, "Your profile");
  // The line about what did not load has a button of the same name.
  const again = () => page.getByRole("main").getByRole("button", { name: "Try again" }).click();

  test("shows the error in its pane, and loads it", async () => {
    await open("/rooms/tea");
    // A browser keeps the failure of a file that several parts import: only a reload would mend it.
    await page.getByRole("button", { name: "Skip to messages" }).waitFor({ state: "attached" });
    await context.setOffline(true);
    await administration();
    await fault().waitFor();
    await shot("lazy-wide");
    await page.getByRole("link", { name: "To your rooms" }).click();
    await page.getByText("Milk first").waitFor();
    await administration();
    await fault().waitFor();
    // It would reload the page if the service answered that there is an update.
    const unanswered = page.waitForEvent(
      "requestfailed",
      (item) => new URL(item.url()).pathname === "/chunks.json",
    );
    await again();
    await unanswered;
    await page.getByRole("button", { name: "Reload page" }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await context.setOffline(false);
    await again();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  });

  test("emoji that did not load are loaded by a button", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route("**/assets/data-*.js*", (route) => route.abort());
    await press("Add an emoji");
    const picker = page.getByRole("dialog", { name: "Choose an emoji" });
    const retry = picker.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await page.unroute("**/assets/data-*.js*");
    await retry.click();
    await picker.getByRole("button", { name: "grinning face", exact: true }).waitFor();
    const search = picker.getByRole("searchbox");
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test("shows the error of a dialog in a dialog, which closes", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route(PROFILE, (route) => route.abort());
    await profile();
    const dialog = page.getByRole("dialog", { name: FAILED });
    await dialog.waitFor();
    await shot("dialog-wide");
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Message #tea" }).fill("Still here");
    await profile();
    await dialog.waitFor();
    await page.unroute(PROFILE);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("dialog", { name: "Profile" }).waitFor();
  });

  test("loads the page again if an update has replaced its files", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route(PROFILE, (route) => route.fulfill({ status: 404 }));
    allowComplaints(/404/);
    await profile();
    const dialog = page.getByRole("dialog", { name: FAILED });
    await dialog.waitFor();
    await page.unroute(PROFILE);
    await page.route("**/chunks.json", (route) =>
      route.fulfill({ json: { "index.html": "/assets/index-new.js" } }),
    );
    const again = dialog.getByRole("button", { name: "Try again" });
    await Promise.all([page.waitForEvent("load"), again.click()]);
    await page.getByRole("dialog", { name: "Profile" }).waitFor();
  });

  test("leaves reading and writing where all but the first load is missing", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route(REST, (route) => route.abort());
    await page.reload();
    await page.getByText("Milk first").waitFor();
    await page.getByRole("textbox", { name: "Message #tea" }).fill("Sugar last");
    await page.keyboard.press("Enter");
    await messageRow(page, "Sugar last", "sent").waitFor();
    const part = page.getByRole("button", { name: "Skip to messages" });
    expect(await part.count()).toBe(0);
    const line = page.getByRole("status").filter({ hasText: "Some of Snug didn't load" });
    await line.waitFor();
    await shot("missing-wide");
    await page.getByRole("textbox", { name: "Message #tea" }).fill("Not lost");
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page.unroute(REST);
    await press("Try again");
    await part.waitFor({ state: "attached" });
    await line.waitFor({ state: "detached" });
    // Without loading the page again.
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
  });

  test("loads what is missing by itself once there is a connection", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route(REST, (route) => route.abort());
    await page.routeWebSocket("**/ws/chat", (socket) => socket.close());
    await page.reload();
    await page.getByText("Milk first").waitFor();
    const line = page.getByRole("status").filter({ hasText: "Some of Snug didn't load" });
    await line.waitFor();
    await page.unroute(REST);
    await page.routeWebSocket("**/ws/chat", (socket) => void socket.connectToServer());
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("button", { name: "Skip to messages" }).waitFor({ state: "attached" });
    await line.waitFor({ state: "detached" });
  });

  test("leaves a room usable, beside a linked search", async () => {
    await open("/rooms/tea");
    await page.getByText("Milk first").waitFor();
    await page.route(REST, (route) => route.abort());
    await page.goto(`${new URL(page.url()).origin}/rooms/tea?q=milk`);
    await page.getByRole("status").filter({ hasText: "Some of Snug didn't load" }).waitFor();
    await page.getByRole("textbox", { name: "Message #tea" }).fill("Not lost");
    await page.unroute(REST);
    await press("Try again");
    await page.getByRole("searchbox", { name: "Search messages" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Message #tea" }).inputValue()).toBe("Not lost");
  });
});
