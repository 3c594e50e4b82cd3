import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import sharp from "sharp";
import {
  act as runAction,
  chooseOwn,
  launchBrowser,
  newPage,
  PHONE,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { Finger } from "../support/finger.ts";
import { LOCALHOST_CA, linkOf, MailServer } from "../support/smtp.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

const MINUTE_MS = 60_000;
/** How long a finger holds a message until its actions come. */
const HOLD_MS = 500;

let mails: MailServer;
let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  mails = await MailServer.open("starttls");
  const ca = readFileSync(LOCALHOST_CA, "utf8");
  [world, browser] = await Promise.all([World.start({}, { ca }), launchBrowser()]);
  ada = await world.person("ada", { isSiteAdmin: true, displayName: "Ada Lovelace" });
  expect((await ada.put("/api/admin/settings/smtp", mails.settings)).status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await mails?.close();
});

const rowOf = (page: Page, text: string) =>
  page.locator("[data-message-id]").filter({ has: page.getByText(text, { exact: true }) });

test.each([
  ["wide", WIDE],
  ["phone", PHONE],
] as const)("the day of a person, %s", async (size, options) => {
  const isPhone = size === "phone";
  const room = `engines-${size}`;
  const username = `grace-${size}`;
  const roomId = await world.room(room, ada, [], "open");
  const { page, context } = await newPage(browser, {
    ...options,
    serviceWorkers: "allow",
  });
  await page.clock.install();
  // Chromium does not close open sockets when it goes offline.
  const network = { isThere: true };
  const sockets: WebSocketRoute[] = [];
  await context.routeWebSocket(/./, (socket) => {
    if (!network.isThere) return void socket.close({ code: 1001 });
    socket.connectToServer();
    sockets.push(socket);
  });
  const finger = await Finger.on(page);
  const composer = page.getByRole("textbox", { name: `Message #${room}` });
  const send = async (text: string) => {
    await composer.fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  };
  const bar = page.getByRole("navigation", { name: "Main" });
  /** What is beside the room on a wide page is a screen on a phone: the bar leads to it, once nobody writes. */
  const goHome = async () => {
    if (!isPhone) return;
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await bar.getByRole("link", { name: "Home" }).click();
  };
  const openProfile = async () => {
    if (!isPhone) return chooseOwn(page, "Your profile");
    await bar.getByRole("link", { name: "You" }).click();
  };
  /** Does something with a message: by the pointer, or by holding it. */
  const act = async (text: string, name: string | RegExp) => {
    const row = rowOf(page, text);
    if (!isPhone) {
      if (typeof name === "string") return runAction(row, name);
      await row.hover();
      return row.getByRole("button", { name }).first().click();
    }
    await finger.down(row);
    await page.clock.runFor(HOLD_MS);
    const sheet = page.getByRole("dialog", { name: "Message actions" });
    await sheet.waitFor();
    await finger.up();
    await sheet.getByRole("button", { name }).first().tap();
  };

  // A mail brings her in.
  await ada.post("/api/admin/invites", { email: `${username}@example.org` });
  const { pathname, hash } = new URL(linkOf(await mails.next(), "/signup").url);
  await page.goto(`${world.service.address}${pathname}${hash}`);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Display name").fill("Grace Hopper");
  await page.getByLabel("Password").fill("moths in relay 70");
  await page.getByRole("button", { name: "Create account" }).click();

  // She is in no room yet, finds one, and talks.
  await page.getByRole("heading", { name: "Welcome to Snug" }).waitFor();
  await page.getByText("You are in no room yet").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Browse rooms" }).click();
  await page.getByRole("button", { name: `Join ${room}` }).click();
  await composer.waitFor();
  await send("Good morning");
  await rowOf(page, "Good morning").waitFor();

  // In another tab she makes a room of her own; there she sees that she is named in the first.
  const other = await context.newPage();
  await other.goto(`${world.service.address}/browse`);
  await other.getByRole("heading", { name: "Rooms" }).first().waitFor();
  await page.bringToFront();
  await goHome();
  await page.getByRole("button", { name: "Create a room" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(`tea-${size}`);
  await page.getByRole("button", { name: "Create room" }).click();
  await page.getByRole("textbox", { name: `Message #tea-${size}` }).waitFor();
  await ada.say(roomId, `@${username}, have you seen the notes?`);
  await page.waitForFunction(() => document.title.startsWith("(1)"));
  await other.waitForFunction(() => document.title.startsWith("(1)"));
  await goHome();
  await page.getByRole("link", { name: new RegExp(room) }).click();
  await page.getByText("have you seen the notes?").waitFor();
  await other.waitForFunction(() => !document.title.startsWith("("));
  await other.close();

  // The network goes for a minute. What is written then waits, and what others wrote comes after it.
  network.isThere = false;
  await context.setOffline(true);
  for (const socket of sockets) await socket.close({ code: 1001 });
  await page.clock.fastForward(5_000);
  await page.getByText("You are offline").waitFor();
  await send("Written in a tunnel");
  await page.locator('[data-state="pending"]', { hasText: "Written in a tunnel" }).waitFor();
  await ada.say(roomId, "You cannot hear this yet");
  await page.clock.fastForward(MINUTE_MS);
  network.isThere = true;
  await context.setOffline(false);
  await page.clock.fastForward(MINUTE_MS);
  await page.getByText("You are offline").waitFor({ state: "detached" });
  await rowOf(page, "You cannot hear this yet").waitFor();
  await rowOf(page, "Written in a tunnel").waitFor();
  expect(await page.getByText("Written in a tunnel").count()).toBe(1);

  // She sends a picture, reacts, and mends a word of hers.
  const picture = await sharp({
    create: { width: 320, height: 200, channels: 3, background: "#7a4" },
  })
    .png()
    .toBuffer();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Send", disabled: false }).click();
  await page.getByRole("button", { name: /^Open image from/ }).waitFor();
  await act("You cannot hear this yet", /^React with/);
  await rowOf(page, "You cannot hear this yet")
    .getByRole("button", { name: /, 1: you$/ })
    .waitFor();
  await act("Good morning", "Edit message");
  const edit = page.getByRole("textbox", { name: "Edit message" });
  await edit.fill("Good morning, all");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Good morning, all").waitFor();

  // An author's name opens a card.
  await page
    .locator("[data-message-id]", { hasText: "have you seen the notes?" })
    .getByRole("button", { name: "Ada Lovelace" })
    .click();
  await page.getByRole("dialog", { name: "Ada Lovelace" }).getByText("@ada").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // She looks for somebody, could write to her directly, chooses other colours, and goes back.
  if (isPhone) {
    await goHome();
    await bar.getByRole("link", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("lovelace");
    await page.getByRole("button", { name: /Ada Lovelace/ }).click();
  } else {
    await page.getByRole("button", { name: /^Go to/ }).click();
    await page.getByRole("combobox").fill("lovelace");
    await page.getByRole("option", { name: /Ada Lovelace/ }).click();
  }
  const direct = page.getByRole("textbox", { name: "Message Ada Lovelace" });
  await direct.waitFor();
  await openProfile();
  await page.getByRole("link", { name: "Appearance" }).click();
  await page.getByRole("radio", { name: "Midnight" }).check();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "midnight");
  if (isPhone) await bar.getByRole("link", { name: "Home" }).click();
  else {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await direct.waitFor();
  }
  await page.getByRole("link", { name: new RegExp(room) }).click();
  await composer.waitFor();

  // The browser would install it.
  const session = await context.newCDPSession(page);
  const { errors } = await session.send("Page.getAppManifest");
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A window without a history of its own, which some take a test's for, is no fault of the page.
  const faults = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  expect([errors, faults]).toEqual([[], []]);

  // At last she is removed: the page says so where she is, and the room is gone from her list.
  const me = (await page.evaluate(() => fetch("/api/auth/me").then((answer) => answer.json()))) as {
    id: string;
  };
  expect((await ada.delete(`/api/rooms/${roomId}/members/${me.id}`)).status).toBe(204);
  await page.getByRole("heading", { name: `You are not in #${room}` }).waitFor();
  expect(await page.getByRole("link", { name: room, exact: true }).count()).toBe(0);
  await context.close();
});
