import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import {
  launchBrowser,
  type PageOptions,
  PHONE,
  signedInPage,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { quarters } from "../support/images.ts";
import { expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function openProfile(options: PageOptions, part = "Appearance") {
  const tab = await signedInPage(browser, ada, `/profile/${part.toLowerCase()}`, options);
  await tab.page.getByRole("heading", { name: part }).waitFor();
  return tab;
}

const background = (page: Page) =>
  page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue("--background").trim(),
  );
const shown = (page: Page, color: string) =>
  page.waitForFunction(
    (wanted) =>
      getComputedStyle(document.documentElement).getPropertyValue("--background").trim() === wanted,
    color,
  );

test("a custom theme is created, warned about, applied in other tabs, kept after a reload, and deleted", async () => {
  const one = await openProfile(WIDE);
  const other = await openProfile(PHONE);
  const { page } = one;
  await page.getByRole("radio", { name: "Light" }).check();
  await shown(page, "#fbf7f1");
  await page.getByRole("button", { name: "New theme" }).click();
  const editor = page.getByRole("dialog", { name: "New theme" });
  await editor.getByLabel("Name").fill("Meadow");
  await editor.getByLabel("Background").fill("#e8f5e0");
  await editor.getByLabel("Muted text").fill("#b0c0a8");
  await editor.getByText("Muted text on background: 1.7 to 1").waitFor();
  await page.screenshot({ path: join(SHOTS, "theme-editor-wide.png") });
  await editor.getByLabel("Muted text").fill("#4d5c48");
  await editor.getByText(/Hard to read/).waitFor({ state: "detached" });
  await editor.getByRole("button", { name: "Save theme" }).click();
  await shown(page, "#e8f5e0");
  await shown(other.page, "#e8f5e0");
  await page.getByRole("radio", { name: "Meadow" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "themes-wide.png") });
  await other.page.reload();
  await other.page.getByRole("radio", { name: "Meadow" }).waitFor();
  await other.page.screenshot({ path: join(SHOTS, "themes-phone.png") });

  // On the next load its colours are there before it is known who is here.
  await one.context.route("**/api/auth/session", () => {});
  await page.reload({ waitUntil: "commit" });
  await shown(page, "#e8f5e0");
  await one.context.unroute("**/api/auth/session");
  await page.reload();

  await page.getByRole("button", { name: "Change Meadow" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete theme" }).click();
  await shown(page, "#fbf7f1");
  expect(await page.getByRole("radio", { name: "Light" }).isChecked()).toBe(true);
  expect(await background(page)).toBe("#fbf7f1");
});

test("a picture is cropped, saved, shown to others, and removed", async () => {
  const { page } = await openProfile(WIDE, "Account");
  const png = await quarters(1_200, 800).png().toBuffer();
  await page.setInputFiles('input[type="file"]', {
    name: "me.png",
    mimeType: "image/png",
    buffer: png,
  });
  const dialog = page.getByRole("dialog", { name: "Profile picture" });
  const canvas = dialog.getByLabel(/^Picture: drag it/);
  await dialog.getByLabel("Zoom").fill("2");
  await canvas.focus();
  for (let i = 0; i < 60; i++) await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 60; i++) await page.keyboard.press("ArrowUp");
  await page.screenshot({ path: join(SHOTS, "avatar-crop-wide.png") });
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await dialog.waitFor({ state: "detached" });
  const image = page.getByRole("dialog").locator("img");
  await image.waitFor();
  const source = await image.getAttribute("src");
  expect(source).toMatch(/\/api\/users\/.+\/avatar\?v=[0-9a-f]{8}&size=128$/);
  // What was moved into the square is its upper left quarter, which is red.
  const answer = await fetch(world.service.address + source, {
    headers: { cookie: ada.cookie ?? "" },
  });
  const { dominant } = await sharp(await answer.arrayBuffer()).stats();
  expect(dominant.r).toBeGreaterThan(200);
  expect(dominant.b).toBeLessThan(60);
  await page.getByText("Picture saved").waitFor();
  await page.screenshot({ path: join(SHOTS, "avatar-wide.png") });
  await page.getByRole("button", { name: "Remove" }).click();
  await image.waitFor({ state: "detached" });
});

test("notifications begin with pausing and quiet hours, before what the browser permits", async () => {
  const { page } = await openProfile(WIDE);
  await page.goto(`${world.service.address}/profile/notifications`);
  await page.getByRole("heading", { name: "Email" }).waitFor();
  expect((await page.locator(".part h2").allTextContents()).slice(0, 5)).toEqual([
    "Notifications",
    "Pause notifications",
    "Quiet hours",
    "On this device",
    "On all devices",
  ]);
});

test("keywords are saved, and one that is too short says so", async () => {
  const { page } = await openProfile(WIDE);
  await page.goto(`${world.service.address}/profile/notifications`);
  const field = page.getByLabel("Notify me of these words");
  const save = page.locator("section", { has: field }).getByRole("button", { name: "Save" });
  await field.fill("x");
  await save.click();
  await page.locator("section", { has: field }).getByRole("alert").waitFor();
  await field.fill("deploy, Lovelace ,");
  await save.click();
  await page.getByText("Keywords saved").waitFor();
  await page.screenshot({ path: join(SHOTS, "keywords-wide.png") });
  expect((await ada.get("/api/auth/me")).body.keywords).toEqual(["deploy", "Lovelace"]);
});

test("below a profile that the page was loaded with is the room, to which closing leads", async () => {
  await world.room("engines", ada);
  const { page } = await openProfile(WIDE, "Account");
  await page.getByText("This is the beginning of").waitFor();
  expect(new URL(page.url()).pathname).toBe("/profile/account");
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Message #engines" }).waitFor();
  await expectSoon(async () => new URL(page.url()).pathname, "/rooms/engines");
});

test("the clock of this browser is that of the language, or of 12 or 24 hours", async () => {
  const room = await world.room("hall", ada);
  await ada.say(room, "What time is it?");
  const { page } = await signedInPage(browser, ada, "/rooms/hall", { ...WIDE, locale: "en-GB" });
  const of = async (pattern: RegExp) => {
    await page.locator(".timeline time", { hasText: pattern }).first().waitFor();
  };
  await of(/^\d\d:\d\d$/);
  await walk(page, "/profile/appearance");
  await page.getByRole("combobox", { name: "Clock" }).selectOption("12-hour");
  await of(/^\d?\d:\d\d\s[ap]m$/);
  await page.reload();
  await of(/^\d?\d:\d\d\s[ap]m$/);
  await page.getByRole("combobox", { name: "Clock" }).selectOption("Same as the language");
  await of(/^\d\d:\d\d$/);
  await page.getByText("For larger text, zoom in").waitFor();
});
