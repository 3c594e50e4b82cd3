import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, newPage, PHONE, WIDE } from "../support/browser.ts";
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

test("the documentation of the API is readable without signing in, searchable, and linked", async () => {
  const { page } = await newPage(browser, WIDE);
  await page.goto(`${world.service.address}/api/docs`);
  await page.getByRole("heading", { name: "Messages" }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("post a message");
  const operation = page.locator("details", { hasText: "/api/rooms/{id}/messages" }).first();
  await operation.locator("summary").click();
  await operation.getByText("room_archived").waitFor();
  await operation.getByText(/^curl /).waitFor();
  await page.screenshot({ path: join(SHOTS, "docs-wide.png") });
  await operation.getByRole("link", { name: "Message", exact: true }).first().click();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await page.setViewportSize(PHONE.viewport);
  await page.screenshot({ path: join(SHOTS, "docs-phone.png") });
});

test("the pages of the documentation are readable and searchable, wide and on a phone", async () => {
  const { page } = await newPage(browser, WIDE);
  await page.goto(`${world.service.address}/docs`);
  await page.getByRole("heading", { level: 1, name: "Install" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("nginx body");
  await page
    .getByRole("link", { name: /Behind a proxy/ })
    .first()
    .waitFor();
  await page.screenshot({ path: join(SHOTS, "manual-wide.png") });
  await page
    .getByRole("link", { name: /Behind a proxy/ })
    .first()
    .click();
  await page.waitForURL((url) => url.hash === "#behind-a-proxy");
  await page.getByRole("searchbox").fill("zzzz");
  await page.getByText("Nothing was found").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Backup and restore" }).click();
  await page.getByRole("heading", { level: 1, name: "Backup and restore" }).waitFor();
  // A link between the Markdown files leads to the page, and one to the outside out.
  await page.goto(`${world.service.address}/docs/operate`);
  const upgrading = page.getByRole("main").getByRole("link", { name: "upgrading" });
  const inNav = page.getByRole("navigation").getByRole("link", { name: "Upgrading" });
  const colors = [upgrading, inNav].map((link) => link.evaluate((a) => getComputedStyle(a).color));
  // Only links within the text have the accent.
  expect(new Set(await Promise.all(colors)).size).toBe(2);
  await upgrading.click();
  await page.waitForURL(/\/docs\/upgrading$/);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${world.service.address}/docs/configure`);
  await page.getByRole("heading", { level: 1, name: "Configure" }).waitFor();
  const overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  expect(await page.evaluate(overflow)).toBe(false);
  await page.getByText("Contents", { exact: true }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Backups" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "manual-phone.png") });
});
