import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, messageRow, signedInPage, walk } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let [ada, grace, alan] = [] as unknown as [Client, Client, Client];
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  grace = await world.person("grace", { displayName: "Grace Hopper" });
  alan = await world.person("alan", { displayName: "Alan Turing" });
  await world.bot("robot", []);
  const user_ids = [grace, alan].map(({ user }) => user.id);
  const { id } = (await ada.post("/api/direct", { user_ids })).body;
  await grace.say(id, "Between the three of us");
  await ada.post(`/api/direct/${id}/room`, { name: "the-three" });
  await grace.say(id, "In the room");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Whether the menu of a message offers to delete it. */
async function offersDeletion(page: Page, text: string): Promise<boolean> {
  const message = messageRow(page, text);
  await message.hover();
  await message.getByRole("button", { name: "More actions" }).click();
  await message.getByRole("menuitem", { name: "Copy link" }).waitFor();
  const count = await message.getByRole("menuitem", { name: "Delete message" }).count();
  await page.keyboard.press("Escape");
  return count > 0;
}

test("a room that was a conversation offers nothing that it refuses, and says why", async () => {
  const { page } = await signedInPage(browser, ada, "/rooms/the-three");
  await page.getByText("In the room").waitFor();
  expect(await offersDeletion(page, "In the room")).toBe(true);
  expect(await offersDeletion(page, "Between the three of us")).toBe(false);
  await walk(page, "/rooms/the-three?panel=settings");
  const settings = page.getByRole("complementary", { name: "Settings" });
  await settings.getByText("This room was a conversation, so it stays private.").waitFor();
  await settings.getByText("so it can't be deleted").waitFor();
  expect(await settings.getByLabel("Who can join").count()).toBe(0);
  expect(await settings.getByRole("button", { name: "Delete room" }).count()).toBe(0);
  await settings.getByText("so it can't be deleted").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(SHOTS, "former-conversation.png") });
  await settings.getByLabel("Topic").fill("Seen");
  await settings.getByRole("button", { name: "Save" }).click();
  await page.getByText("Room saved").waitFor();

  await page.getByRole("tab", { name: "Members" }).click();
  await page.getByRole("button", { name: "Add a member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("so bots can't be added").waitFor();
  const bot = dialog.getByRole("listitem").filter({ hasText: "@robot" });
  await bot.getByText("bot", { exact: true }).waitFor();
  expect(await bot.getByRole("button").count()).toBe(0);
  await page.screenshot({ path: join(SHOTS, "former-conversation-add.png") });
});
