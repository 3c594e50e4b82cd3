import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
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

async function open(path: string, options = WIDE) {
  const tab = await newPage(browser, options);
  const [name = "", value = ""] = (ada.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  await tab.page.goto(world.service.address + path);
  return tab;
}

test("a few letters find a room, a person or an action; recent rooms come first", async () => {
  const { page, context, complaints } = await open("/rooms/engines");
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
  expect(await options.allTextContents()).toEqual(["Search messages for “zzzzqq”"]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("Enter opens a choice, also with Shift", async () => {
  const { page, context } = await open("/rooms/engines");
  await page.getByLabel("Message #engines").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Room, person or action" }).fill("launch");
  await page.getByRole("option", { name: "launch", exact: true }).waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByLabel("Message #launch").waitFor();
  await context.close();
});

test("rooms with mentions come first, mentions are counted in the title, and all rooms are marked as read", async () => {
  const { page, context } = await open("/rooms/launch", PHONE);
  await page.getByLabel("Message #launch").waitFor();
  const rooms = (await bob.get("/api/rooms")).body.items;
  const idOf = (name: string) => rooms.find((room: { name: string }) => room.name === name).id;
  await bob.say(idOf("engines"), "plain news");
  await bob.say(idOf("tea-room"), "@ada tea?");
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  const icon = 'link[rel="icon"][href^="data:"]';
  await page.locator(icon).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Rooms", exact: true }).click();
  await page.getByRole("button", { name: "Go to (Ctrl K)" }).click();
  const options = page.getByRole("option");
  await options.first().waitFor();
  expect((await options.allTextContents()).map((text) => text.replace(/\d+$/, ""))).toEqual([
    "tea-room",
    "engines",
  ]);
  await page.screenshot({ path: join(SHOTS, "switcher-phone.png") });
  await page.getByRole("combobox").fill("mark all");
  await page.keyboard.press("Enter");
  await page.getByText("All rooms marked as read").waitFor();
  await page.waitForFunction(() => document.title.startsWith("#"));
  await page.locator(icon).waitFor({ state: "detached" });
  await context.close();
});

test("a question mark shows the shortcuts, but not in a text field", async () => {
  const { page, context } = await open("/browse");
  await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
  await page.getByLabel("Search by name").press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("heading", { name: "Browse rooms" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await context.close();
});

const SCREENS = [
  ["wide-light", { ...WIDE, colorScheme: "light" }],
  ["wide-dark", { ...WIDE, colorScheme: "dark" }],
  ["phone-light", { ...PHONE, colorScheme: "light" }],
  ["phone-dark", { ...PHONE, colorScheme: "dark" }],
] as const;

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
    await page.screenshot({ path: join(SHOTS, `switcher-muted-${name}.png`) });
    expect(await option.locator(".badge, .unread-dot").count()).toBe(0);
    await context.close();
  }
});

test("runs the actions of the app on the open room, the theme, notifications and the session", async () => {
  const { page, context, complaints } = await open("/rooms/engines");
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
  await page
    .locator(".room-row", { hasText: "engines" })
    .getByRole("img", { name: "Muted" })
    .waitFor();
  await run("unmute", "Unmute #engines");
  await run("dark", "Theme: dark");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await run("pause", "Pause notifications for an hour");
  await page.getByText(/^Notifications are paused until/).waitFor();
  await page.getByRole("link", { name: /^Your profile.*Paused until/ }).waitFor();
  await run("resume", "Resume notifications");
  await page.getByText("Notifications are on again").waitFor();
  await run("settings", "Settings of #engines");
  await page.getByRole("dialog", { name: "#engines" }).waitFor();
  await page.keyboard.press("Escape");
  await run("sign", "Sign out");
  await page
    .getByRole("dialog", { name: "Sign out" })
    .getByRole("button", { name: "Sign out", exact: true })
    .click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
