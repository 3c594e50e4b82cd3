import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, PHONE, signedInPage, toasts, walk, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const LIGHT = "#fbf7f1";
const DARK = "#1d1b19";
const MIDNIGHT = "#0e1420";

const NIGHT = {
  background: "#101418",
  surface: "#181d22",
  sidebar: "#0c1013",
  border: "#303840",
  text: "#e6eaee",
  text_muted: "#a0aab4",
  accent: "#7fb0ff",
  accent_strong: "#a8c9ff",
  accent_soft: "#1b2c4d",
  highlight: "#27305a",
  danger: "#ff8f8a",
  on_accent: "#06142e",
};

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

const openAs = (client: Client, path: string, options = {}) =>
  signedInPage(browser, client, path, { ...WIDE, ...options });

test("it is light or dark as the device is, until one chooses, in every tab", async () => {
  const ada = await world.person("ada");
  const one = await openAs(ada, "/profile/appearance", { colorScheme: "dark" });
  const other = await openAs(ada, "/profile/appearance", { ...PHONE, colorScheme: "light" });
  const { page } = one;
  const system = page.getByRole("radio", { name: "System" });
  await system.waitFor();
  expect(await system.isChecked()).toBe(true);
  expect(await page.getByRole("radio", { checked: true }).count()).toBe(1);
  expect(await background(page)).toBe(DARK);
  await page.screenshot({ path: join(SHOTS, "system-theme-wide.png") });
  await other.page.getByRole("radio", { name: "System" }).waitFor();
  expect(await background(other.page)).toBe(LIGHT);
  await other.page.screenshot({ path: join(SHOTS, "system-theme-phone.png") });

  await page.emulateMedia({ colorScheme: "light" });
  await shown(page, LIGHT);
  await page.emulateMedia({ colorScheme: "dark" });
  await shown(page, DARK);

  await page.getByRole("radio", { name: "Midnight" }).check();
  await shown(page, MIDNIGHT);
  await shown(other.page, MIDNIGHT);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await background(page)).toBe(MIDNIGHT);

  await other.page.getByRole("radio", { name: "System" }).check();
  await shown(page, LIGHT);
  await page.emulateMedia({ colorScheme: "dark" });
  await shown(page, DARK);
});

test("each screen follows the device while no one is signed in", async () => {
  const { page } = await openAs(world.anonymous, "/", { colorScheme: "dark" });
  for (const path of ["/", "/forgot-password", "/signup#token", "/reset-password#token"]) {
    await walk(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await shown(page, DARK);
    await page.emulateMedia({ colorScheme: "light" });
    await shown(page, LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
  }
});

test("a theme that was chosen is there before the client is, and still after signing out", async () => {
  const bob = await world.person("bob", { theme: "midnight", followsSystem: false });
  const { page, context } = await openAs(bob, "/", { colorScheme: "light" });
  await shown(page, MIDNIGHT);
  await context.clearCookies();
  // The client never comes: what is painted is the page itself.
  await context.route("**/assets/*.js", () => {});
  await page.reload({ waitUntil: "commit" });
  await shown(page, MIDNIGHT);
  await context.unroute("**/assets/*.js");
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(await background(page)).toBe(MIDNIGHT);
  // The client sets it, perhaps after the page was painted. The first one in the document counts.
  await page.waitForFunction(
    () => document.querySelector('meta[name="theme-color"]')?.getAttribute("content") === "#0a0f19",
  );
});

test("a custom dark theme has dark toasts", async () => {
  const grace = await world.person("grace");
  const { id } = (
    await grace.post("/api/custom-themes", { name: "Night", colors: NIGHT, is_dark: true })
  ).body;
  await grace.post(`/api/custom-themes/${id}/activate`, {});
  const { page } = await openAs(grace, "/profile/appearance", { colorScheme: "light" });
  await shown(page, NIGHT.background);
  await page.getByRole("button", { name: "Change Night" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Save theme" }).click();
  const toast = toasts(page, "Night");
  await toast.waitFor();
  const colorOf = (element: Element) => getComputedStyle(element).color;
  // A toast of a light theme has the colours the other way round.
  expect(await toast.evaluate(colorOf)).toBe(await page.locator("body").evaluate(colorOf));
});
