import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  launchBrowser,
  messageRow,
  newPage,
  PHONE,
  restLoaded,
  signIn,
  threadPane,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);
const SHOTS = join(import.meta.dir, "../output");
let world: World;
let browser: Browser;
let ada: Client;
let room: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada");
  room = await world.room("engines", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Ada's page, where histories do not load until `unrouteAll`. */
async function open(path: string, histories: RegExp, options = {}): Promise<Page> {
  const { page, context } = await newPage(browser, options);
  await signIn(context, ada);
  await page.route(histories, (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  );
  await page.goto(`${world.service.address}${path}`);
  await page.getByRole("button", { name: "Try again" }).waitFor();
  return page;
}

async function write(page: Page, label: string, text: string) {
  await page.getByLabel(label).fill(text);
  await page
    .locator("form", { has: page.getByLabel(label) })
    .getByRole("button", { name: "Send", exact: true })
    .click();
  await messageRow(page, text).waitFor();
}

test.each([
  ["wide", WIDE],
  ["phone", PHONE],
] as const)("what is written where a room did not load is shown: %s", async (name, options) => {
  const text = `Is anyone ${name}?`;
  const page = await open("/rooms/engines", /\/api\/rooms\/[^/]+\/messages/, options);
  await write(page, "Message #engines", text);
  const message = messageRow(page, text);
  await messageRow(page, text, "sent").waitFor();
  const again = page.getByRole("button", { name: "Try again" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(SHOTS, `not-loaded-${name}-${colorScheme}.png`) });
  }
  await page.unrouteAll();
  await again.click();
  await again.waitFor({ state: "hidden" });
  await message.waitFor();
  expect(await message.count()).toBe(1);
});

test("a room that is opened without a network says that it loads later", async () => {
  await world.room("attic", ada);
  const { page, context } = await newPage(browser, WIDE);
  await signIn(context, ada);
  await page.goto(`${world.service.address}/rooms/engines`);
  await restLoaded(page);
  await context.setOffline(true);
  await page.getByRole("link", { name: "attic", exact: true }).click();
  await page.getByText("The messages load once you're back online.").waitFor();
  await context.setOffline(false);
  await page.getByText("This is the beginning of the room.").waitFor();
});

test("what is written where a thread did not load is shown", async () => {
  const root = await ada.post(`/api/rooms/${room}/messages`, { content: "The root" });
  const path = `/rooms/engines/t/${root.body.id}`;
  const page = await open(path, /\/api\/messages\/[^/]+\/thread/);
  await write(page, "Reply", "A lost reply");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await messageRow(threadPane(page), "The root").waitFor();
  expect(await messageRow(threadPane(page), "A lost reply").count()).toBe(1);
  const heading = threadPane(page).getByRole("heading").first();
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a page that brings a message before its acknowledgement does not show it twice", async () => {
  const root = await ada.post(`/api/rooms/${room}/messages`, { content: "Another root" });
  const { page, context } = await newPage(browser, WIDE);
  await signIn(context, ada);
  const held: (() => void)[] = [];
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      const isOfMessage = /^\{"type":"(?:ack|message|thread)/.test(String(frame));
      if (isOfMessage) held.push(() => socket.send(frame));
      else socket.send(frame);
    });
  });
  await page.goto(`${world.service.address}/rooms/engines/t/${root.body.id}`);
  await messageRow(threadPane(page), "Another root").waitFor();
  await write(page, "Reply", "An early reply");
  await eventually(async () => {
    const [row] = await world.database.sql`
      select from messages where content = 'An early reply'`;
    return row !== undefined;
  });
  // Opened again, the thread is loaded with the reply.
  await page.reload();
  const reply = messageRow(threadPane(page), "An early reply");
  await reply.waitFor();
  await messageRow(threadPane(page), "An early reply", "sent").waitFor();
  expect(await reply.count()).toBe(1);
  for (const release of held) release();
});

test("a page of settings that did not load offers to try again, and no form to save", async () => {
  const admin = await world.person("admin", { isSiteAdmin: true });
  const { page, context } = await newPage(browser, PHONE);
  await signIn(context, admin);
  const again = page.getByRole("button", { name: "Try again" });
  const main = page.getByRole("main");
  const pages = [
    ["uploads", main.getByLabel("Maximum upload size in MB")],
    ["email", main.getByLabel("Mail server")],
    ["sections", main.getByRole("button", { name: "Add a section" })],
    ["signin", main.getByRole("combobox")],
  ] as const;
  for (const [part, field] of pages) {
    // The list of providers has its own.
    await page.route(/\/api\/admin\/settings\//, (route) => route.abort());
    await page.goto(`${world.service.address}/admin/${part}`);
    await main.getByRole("alert").waitFor();
    expect([part, await field.count()]).toEqual([part, 0]);
    await page.unrouteAll();
    await again.tap();
    await field.first().waitFor();
  }
});
