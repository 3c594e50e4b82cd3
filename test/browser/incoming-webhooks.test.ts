import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, messageRow, PHONE, signedInPage, WIDE } from "../support/browser.ts";
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

test("an incoming webhook is created in the settings, posts under its own name, and is deleted", async () => {
  const ada = await world.person("ada", { displayName: "Ada Lovelace" });
  const room = await world.room("builds", ada);
  await ada.say(room, "I write this myself.");
  const { page } = await signedInPage(browser, ada, "/rooms/builds");
  await page.getByRole("button", { name: "Room settings" }).click();
  await page.getByText("Webhooks", { exact: true }).click();
  await page.getByRole("button", { name: "Create URL" }).click();
  const creating = page.getByRole("dialog", { name: "New incoming webhook" });
  await creating.getByLabel("Name", { exact: true }).fill("Build server");
  await creating.getByRole("button", { name: "Create URL" }).click();
  const shown = await page.getByLabel("URL", { exact: true }).inputValue();
  await page.screenshot({ path: join(SHOTS, "hook-address-wide.png") });
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Close anyway" }).click();
  await page.keyboard.press("Escape");
  const url = world.service.address + new URL(shown).pathname;
  const post = (payload: object) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    });
  await post({ text: "*Build 42* <https://ci.example/42|passed>", icon_emoji: ":rocket:" });
  await post({ text: "Without an emoji" });
  await post({
    username: "Alerts",
    attachments: [{ title: "Disk full", text: "93%", fallback: "x" }],
  });
  const row = messageRow(page, "Build 42");
  await row.getByText("Build server").waitFor();
  await row.getByText("bot", { exact: true }).waitFor();
  expect(await row.getByText("Ada Lovelace").count()).toBe(0);
  await page.getByText("Disk full").waitFor();
  await page.screenshot({ path: join(SHOTS, "hook-messages-wide.png") });
  await page.setViewportSize(PHONE.viewport);
  await page.screenshot({ path: join(SHOTS, "hook-messages-phone.png") });
  await page.setViewportSize(WIDE.viewport);
  await page.getByRole("button", { name: "Room settings" }).click();
  await page.getByText("Webhooks", { exact: true }).click();
  await page.getByRole("button", { name: "Delete Build server" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("The URL of Build server was deleted").waitFor();
  expect((await post({ text: "x" })).status).toBe(404);
});
