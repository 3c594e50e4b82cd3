import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { act, launchBrowser, newPage } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(60_000);

const SHOTS = join(import.meta.dir, "../output");
let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  room = await world.room("plans", ada, [bob]);
  await world.room("tea", ada, [bob]);
  for (const text of ["the plan", "the list", "the end"]) await bob.say(room, text);
  ({ page, complaints } = await open(ada, "/rooms/plans"));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(client: Client, path: string, options?: Parameters<typeof newPage>[1]) {
  const one = await newPage(browser, { bypassCSP: true, ...options });
  const [name = "", value = ""] = (client.cookie ?? "").split("=");
  await one.context.addCookies([{ name, value, url: world.service.address }]);
  await one.page.goto(world.service.address + path);
  await one.page.addScriptTag({ content: axe.source });
  return one;
}

const row = (text: string, of = page): Locator =>
  of.locator(".message[data-message-id]", { hasText: text });
const composer = (of = page) => of.locator(".composer textarea");

/** What axe finds under WCAG 2.2 AA. */
async function findings(of: Page): Promise<string[]> {
  const { violations } = await of.evaluate(async () => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    return injected.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("P pins a message; the newest pin is under the head until it is folded, all are in a panel", async () => {
  await row("the list").waitFor();
  await row("the list").focus();
  await page.keyboard.press("ArrowUp");
  await row("the plan").getByRole("toolbar").waitFor();
  await page.keyboard.press("p");
  await row("the plan").getByText("Pinned by Ada Lovelace").waitFor();
  const line = page.getByRole("complementary", { name: "Newest pinned message" });
  await line.getByRole("link", { name: "the plan" }).waitFor();
  await line.getByRole("button", { name: "Hide until something new is pinned" }).click();
  await line.waitFor({ state: "detached" });
  const { id } = (await bob.get(`/api/rooms/${room}/messages`)).body.items.find(
    ({ content }: { content: string }) => content === "the list",
  );
  await bob.put(`/api/messages/${id}/pin`, {});
  await line.getByRole("link", { name: "the list" }).waitFor();
  await page.getByRole("link", { name: "Show all 2 pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await panel.getByText("Pinned by Bob Noyce").waitFor();
  expect(await panel.getByRole("listitem").count()).toBe(2);
  await page.screenshot({ path: join(SHOTS, "pins-wide.png") });
  expect(await findings(page)).toEqual([]);
  await panel.getByRole("button", { name: "Unpin message" }).first().click();
  await row("the list").getByText("Pinned by").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).last().click();
  await row("the list").getByText("Pinned by Ada Lovelace").waitFor();
  await panel.getByRole("button", { name: "Close" }).press("Escape");
  await panel.waitFor({ state: "detached" });
});

test("U marks unread, and looking changes nothing until the room was left and opened again", async () => {
  const other = await open(ada, "/rooms/plans");
  await row("the end", other.page).waitFor();
  await act(row("the list"), "Mark unread from here");
  const unread = (of: Page) => of.locator(".sidebar .unread", { hasText: "plans" });
  const divider = page.locator(".divider.new + .message", { hasText: "the list" });
  await divider.waitFor();
  // Nor does another page of theirs that looks at it.
  await unread(other.page).waitFor();
  await other.page.bringToFront();
  await row("the end", other.page).hover();
  await page.bringToFront();
  await row("the end").hover();
  await page.locator(".sidebar .room-link", { hasText: "tea" }).click();
  await page.getByLabel("Message #tea").waitFor();
  await unread(page).click();
  await unread(page).waitFor({ state: "detached" });
  await act(row("the end"), "Mark unread from here");
  await unread(page).waitFor();
  await composer().press("Escape");
  await unread(page).waitFor({ state: "detached" });
  await other.context.close();
  expect(complaints).toEqual([]);
});
