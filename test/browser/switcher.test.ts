import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import {
  hasFocus,
  launchBrowser,
  PHONE,
  sidebarLink,
  signedInPage,
  toasts,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("grace", { displayName: "Grace Hopper" });
  for (const name of ["engines", "tea-room", "launch"]) await world.room(name, ada, [bob]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options = WIDE, person = ada) =>
  signedInPage(browser, person, path, options);

const SCREENS = [
  ["wide", WIDE],
  ["phone", PHONE],
] as const;

test("a few letters find a room, a person or an action; recent rooms come first", async () => {
  const { page } = await open("/rooms/engines");
  await page.getByLabel("Message #engines").waitFor();
  await page.goto(`${world.service.address}/rooms/launch`);
  await page.getByLabel("Message #launch").waitFor();
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox", { name: "Room, person or action" });
  const options = page.getByRole("option");
  await input.waitFor();
  // The room that was left last, then the others, without the current one.
  expect(await options.allTextContents()).toEqual(["engines", "tea-room"]);
  await input.fill("tearom");
  await options.filter({ hasText: "tea-room" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Message #tea-room").waitFor();

  await page.keyboard.press("Control+k");
  // The key is not also one of the composer's.
  expect(await page.getByLabel("Message #tea-room").inputValue()).toBe("");
  await input.fill("hopper");
  await options.filter({ hasText: "Grace Hopper" }).waitFor();
  expect(await options.first().locator("mark").textContent()).toBe("Hopper");
  expect(await options.first().textContent()).toMatch(/(Person|Conversation)$/);
  await page.screenshot({ path: join(SHOTS, "switcher-wide.png") });
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Message Grace Hopper" }).waitFor();

  await page.keyboard.press("Control+k");
  await input.fill("shortc");
  await options.first().click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "shortcuts-wide.png") });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await input.fill("theme");
  await options.filter({ hasText: "Appearance" }).waitFor();
  await input.fill("zzzzqq");
  await expectSoon(() => options.allTextContents(), ["Search messages for “zzzzqq”"]);
});

test("the list ends with a whole row on a laptop", async () => {
  const many = await world.person("many", { displayName: "Many Rooms" });
  for (let n = 0; n < 14; n += 1) await world.room(`laptop-${n}`, many);
  const { page } = await open("/", { viewport: { width: 1024, height: 700 } }, many);
  await page.getByRole("textbox", { name: /^Message/ }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("laptop");
  await page.getByRole("option", { name: "Search messages for" }).waitFor();
  const heights = await page
    .getByRole("listbox")
    .evaluate((list) => [list.scrollHeight, list.clientHeight]);
  expect(heights[0]).toBe(heights[1] as number);

  // In a low window the list gives way, and not the field.
  await page.setViewportSize({ width: 640, height: 400 });
  const height = async () => (await page.getByRole("combobox").boundingBox())?.height;
  await expectSoon(height, 52);
});

test("without a text, Enter goes back to the room or conversation before this one", async () => {
  const { id } = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body;
  const { page } = await open("/rooms/engines");
  await page.getByLabel("Message #engines").waitFor();
  for (const [path, label] of [
    [`/direct/${id}`, "Message Grace Hopper"],
    ["/rooms/launch", "Message #launch"],
  ] as const) {
    await page.goto(world.service.address + path);
    await page.getByLabel(label).waitFor();
  }
  for (const label of ["Message Grace Hopper", "Message #launch"]) {
    await page.keyboard.press("Control+k");
    const recent = page.getByRole("group", { name: "Recent" });
    await recent.getByRole("option", { name: "engines" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByLabel(label).waitFor();
  }
});

test("someone in no room is offered open rooms to join, and where to find others", async () => {
  const nina = await world.person("nina");
  for (const [name, options] of SCREENS) {
    await world.room(`open-${name}`, bob, [], "open");
    const { page, context } = await open("/browse", options, nina);
    await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
    await page.keyboard.press("Control+k");
    const choices = page.getByRole("dialog").getByRole("option");
    if (name === "wide") {
      await choices.filter({ hasText: "New message" }).waitFor();
      expect(await choices.first().textContent()).toBe("Browse rooms");
    }
    await page.getByRole("dialog").getByRole("combobox").fill(`open-${name}`);
    await choices.filter({ hasText: `open-${name}Join` }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByLabel(`Message #open-${name}`).waitFor();
    await context.close();
  }
});

test("Enter opens a choice, also with Shift", async () => {
  const { page } = await open("/rooms/engines");
  await page.getByLabel("Message #engines").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Room, person or action" }).fill("launch");
  await page.getByRole("option", { name: "launch", exact: true }).waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByLabel("Message #launch").waitFor();
});

test("rooms with mentions come first, mentions are counted in the title, and all rooms are marked as read", async () => {
  const { page } = await open("/rooms/launch", PHONE);
  await page.getByLabel("Message #launch").waitFor();
  const rooms = (await bob.get("/api/rooms")).body.items;
  const idOf = (name: string) => rooms.find((room: { name: string }) => room.name === name).id;
  await bob.say(idOf("engines"), "plain news");
  await bob.say(idOf("tea-room"), "@ada tea?");
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  const icon = 'link[rel="icon"][href^="data:"]';
  await page.locator(icon).waitFor({ state: "attached" });
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("option");
  await options.first().waitFor();
  expect((await options.allTextContents()).map((text) => text.replace(/\d+$/, ""))).toEqual([
    // At Home no room is open.
    "launch",
    "tea-room",
    "engines",
  ]);
  await page.screenshot({ path: join(SHOTS, "switcher-phone.png") });
  await page.getByRole("combobox").fill("mark all");
  await page.keyboard.press("Enter");
  await page.getByText("All rooms marked as read").waitFor();
  await page.waitForFunction(() => !document.title.startsWith("("));
  await page.locator(icon).waitFor({ state: "detached" });
});

test("Ctrl-K directly after Esc opens it again, even if the browser closes the dialog later", async () => {
  const { page } = await open("/rooms/launch");
  await page.getByLabel("Message #launch").waitFor();
  const field = page.getByRole("combobox", { name: "Room, person or action" });
  await page.keyboard.press("Control+k");
  await field.fill("launch");
  await field.evaluate(async (input) => {
    const key = (init: KeyboardEventInit) =>
      new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true });
    input.dispatchEvent(key({ key: "Escape" }));
    await Promise.resolve();
    dispatchEvent(key({ key: "k", ctrlKey: true }));
  });
  await page.locator("dialog[open] input").and(field).waitFor();
  expect(await field.inputValue()).toBe("");
});

test("a question mark shows the shortcuts, but not in a text field", async () => {
  const { page } = await open("/browse");
  await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
  await page.getByLabel("Search rooms").press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("heading", { name: "Browse rooms" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("a muted room shows neither mentions nor a dot, as in the sidebar", async () => {
  const roomId = await world.room("muted-one", ada, [bob]);
  await ada.patch(`/api/rooms/${roomId}/membership`, { notify: "none" });
  await bob.say(roomId, "@ada here");
  for (const [name, options] of SCREENS) {
    const { page, context } = await open("/rooms/engines", options);
    await page.getByLabel("Message #engines").waitFor();
    await page.keyboard.press("Control+k");
    const option = page.getByRole("option").filter({ hasText: "muted-one" });
    await option.waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(SHOTS, `switcher-muted-${name}-${colorScheme}.png`) });
    }
    expect(await option.getByRole("img", { name: /mention|unread/ }).count()).toBe(0);
    await context.close();
  }
});

test("runs the actions of the app on the open room, the theme, notifications and the session", async () => {
  const { page } = await open("/rooms/engines");
  await page.getByLabel("Message #engines").waitFor();
  const run = async (query: string, action: string) => {
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox", { name: "Room, person or action" });
    await input.fill(query);
    const option = page.getByRole("option", { name: action, exact: true });
    await option.waitFor();
    await option.click();
    await page.getByRole("dialog", { name: "Go to" }).waitFor({ state: "detached" });
  };
  await run("mute", "Mute #engines");
  await sidebarLink(page, "engines").getByRole("img", { name: "Muted" }).waitFor();
  await run("unmute", "Unmute #engines");
  await run("dark", "Theme: dark");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await run("pause", "Pause notifications for an hour");
  const paused = page.getByRole("button", { name: /^You,.*Paused until/ });
  const toast = toasts(page).filter({
    hasText: /^Notifications are paused until (tomorrow )?\d\d?:\d\d/,
  });
  await paused.waitFor();
  await toast.getByRole("button", { name: "Undo" }).click();
  await paused.waitFor({ state: "detached" });
  await run("pause", "Pause notifications for an hour");
  await paused.waitFor();
  // It is offered before anything is typed, and under the name of what it ends.
  await run("", "Resume notifications");
  await paused.waitFor({ state: "detached" });
  await run("pause", "Pause notifications until tomorrow");
  await paused.waitFor();
  await run("pause", "Resume notifications");
  await paused.waitFor({ state: "detached" });
  await run("settings", "Settings of #engines");
  await page.getByRole("complementary", { name: "Settings" }).waitFor();
  await page.keyboard.press("Escape");
  await run("sign", "Sign out");
  await page
    .getByRole("dialog", { name: "Sign out" })
    .getByRole("button", { name: "Sign out", exact: true })
    .click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("finds every action on the open room or conversation and on oneself, by other words, too", async () => {
  const group = [ada.user.id, (await world.person("hal")).user.id];
  const { id } = (await bob.post("/api/direct", { user_ids: group })).body;
  const { page } = await open("/rooms/launch", WIDE, bob);
  await page.getByLabel("Message #launch").waitFor();
  const find = async (query: string, action: string) => {
    await page.getByRole("combobox", { name: "Room, person or action" }).fill(query);
    await page.getByRole("option", { name: action, exact: true }).waitFor();
  };
  await page.keyboard.press("Control+k");
  for (const [query, action] of [
    ["appear", "Appear offline"],
    ["favourite", "Add #launch to favourites"],
    ["section", "Move #launch to a section"],
    ["members", "Members of #launch"],
    ["pins", "Pinned messages in #launch"],
    ["files", "Files of #launch"],
    ["topic", "About #launch"],
    ["leave", "Leave #launch"],
    ["help", "Read the Snug guide"],
    ["guide", "Read the Snug guide"],
    ["language", "Language"],
    ["date", "Jump to a day"],
    ["new section", "New section"],
  ] as const)
    await find(query, action);
  // With its shortcut. A mouse closes the switcher by a click beside it.
  await find("activity", "Activity");
  expect(await page.getByRole("option", { name: "Activity" }).locator("kbd").textContent()).toBe(
    "Ctrl Shift A",
  );
  expect(await page.getByRole("dialog").getByRole("button", { name: "Close" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  const run = async (query: string, action: string) => {
    await page.keyboard.press("Control+k");
    await find(query, action);
    await page.getByRole("option", { name: action, exact: true }).click();
  };
  await run("members", "Members of #launch");
  await page.getByRole("complementary", { name: "Members" }).waitFor();
  await run("invisible", "Appear offline");
  await page.getByText("You appear offline to others").waitFor();
  await run("invisible", "Stop appearing offline");
  await run("language", "Language");
  await page.getByRole("combobox", { name: "Language" }).waitFor();
  // Back closes both dialogs, and returns the focus to where it was before them.
  await page.getByRole("button", { name: "New theme" }).click();
  await page.getByRole("dialog", { name: "New theme" }).waitFor();
  await page.goBack();
  await hasFocus(page.getByLabel("Message #launch"));
  await run("leave", "Leave #launch");
  await page.getByRole("dialog", { name: "Leave #launch?" }).waitFor();
  await page.keyboard.press("Escape");
  await walk(page, `/direct/${id}`);
  await page.getByRole("textbox", { name: /^Message/ }).waitFor();
  await run("leave", "Leave Ada Lovelace and hal");
  await page.getByRole("dialog", { name: "Leave this conversation?" }).waitFor();
  await page.keyboard.press("Escape");
  await run("calendar", "Jump to a day");
  await page.getByRole("dialog", { name: "Jump to a day" }).waitFor();
});

test("an administrator is offered to invite people", async () => {
  const root = await world.person("root", { isSiteAdmin: true });
  const { page } = await open("/browse", WIDE, root);
  await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Invite people" }).click();
  await page.waitForURL("**/admin/invites");
});

test("lists archived rooms once their name is typed", async () => {
  await world.room("past-plans", bob);
  await world.archive("past-plans", true);
  const { page } = await open("/rooms/engines", WIDE, bob);
  await page.getByLabel("Message #engines").waitFor();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("option");
  await options.filter({ hasText: "launch" }).waitFor();
  expect(await options.allTextContents()).not.toContain("past-plans");
  await page.keyboard.type("past");
  await options.filter({ hasText: "past-plans" }).waitFor();
});
