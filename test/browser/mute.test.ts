import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  launchBrowser,
  PHONE,
  sidebarLink,
  signedInPage,
  toasts,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const AN_HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const UNTIL = /Muted until (tomorrow )?\d{1,2}:\d\d/;
const LONG = "analytical-engine-and-difference-engine";

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
let direct: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  await world.room("tea", ada, [bob]);
  room = await world.room(LONG, ada, [bob]);
  direct = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body.id;
  await ada.say(direct, "Hello Bob");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
beforeEach(async () => {
  for (const id of [room, direct])
    await ada.patch(`/api/rooms/${id}/membership`, { notify: "all" });
  await ada.post("/api/rooms/read");
});

async function open(path: string, options = WIDE) {
  const tab = await signedInPage(browser, ada, path, options, (page) => page.clock.install());
  await tab.page.getByRole("textbox", { name: /^Message / }).waitFor();
  return tab;
}

/** The sign of a muted row, which a button replaces while the row has the focus, and its tooltip. */
const signOf = (page: Page, name: string) => sidebarLink(page, name).and(page.getByTitle(UNTIL));

async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(SHOTS, `mute-${name}-${colorScheme}.png`) });
  }
}

test("a room is muted for an hour by keys, on all devices, and then has its mention", async () => {
  const { page } = await open("/rooms/tea");
  const other = await open("/rooms/tea");
  await sidebarLink(page, LONG).focus();
  await page.keyboard.press("ContextMenu");
  await page.getByRole("menuitem", { name: "Mute for a while" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("menuitem", { name: "For an hour" }).waitFor();
  await shoot(page, "menu-wide");
  await page.keyboard.press("Enter");
  await page.getByText(new RegExp(`#${LONG} is muted until`)).waitFor();
  for (const tab of [page, other.page]) await signOf(tab, LONG).waitFor();
  await shoot(page, "sidebar-wide");
  await bob.say(room, "@ada look");
  await page.clock.fastForward(AN_HOUR_MS - MINUTE_MS);
  expect(await page.title()).not.toStartWith("(");
  await signOf(page, LONG).waitFor();
  await page.clock.fastForward(2 * MINUTE_MS);
  await signOf(page, LONG).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.title.startsWith("(1)"));
  await sidebarLink(page, LONG)
    .getByRole("img", { name: "1 mention", includeHidden: true })
    .waitFor({ state: "attached" });
});

test("the bell, the panel and the menu of a muted room say until when, and end it", async () => {
  const { page } = await open(`/rooms/${LONG}?panel=about`);
  const choice = page.getByLabel("Notify me");
  await choice.selectOption({ label: "Until tomorrow" });
  const bell = page.getByRole("button", { name: /^Notifications for this room · Muted until/ });
  await bell.waitFor();
  const shown = await choice.evaluate(
    (select: HTMLSelectElement) => select.selectedOptions[0]?.text,
  );
  expect(shown).toMatch(UNTIL);
  await bell.click();
  await page.getByRole("menuitemradio", { name: UNTIL, checked: true }).waitFor();
  await shoot(page, "bell-wide");
  await page.keyboard.press("Escape");
  await sidebarLink(page, LONG).click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Unmute · Muted until/ }).click();
  await page.getByText(`#${LONG} is no longer muted`).waitFor();
  const unmuted = toasts(page, "is no longer muted");
  await unmuted.getByRole("button", { name: "Undo" }).click();
  await bell.waitFor();
  await bell.click();
  await page.getByRole("menuitemradio", { name: "Mentions only" }).click();
  await page.getByText(/You'll be notified when someone mentions you in #/).waitFor();
  await signOf(page, LONG).waitFor({ state: "detached" });
});

test("the switcher mutes the open room or conversation, by its name", async () => {
  for (const [path, name] of [
    [`/rooms/${LONG}`, `#${LONG}`],
    [`/direct/${direct}`, "Bob Noyce"],
  ] as const) {
    const { page, context } = await open(path);
    const run = async (action: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Room, person or action" }).fill("mute");
      await page.getByRole("option", { name: action, exact: true }).click();
    };
    await run(`Mute ${name} for an hour`);
    await page.getByText(`${name} is muted until`).waitFor();
    await signOf(page, name.replace("#", "")).waitFor();
    await run(`Unmute ${name}`);
    await page.getByText(`${name} is no longer muted`).waitFor();
    await context.close();
  }
});

test("on a phone a room and a conversation are muted until tomorrow by a long press", async () => {
  const { page } = await open("/rooms/tea", PHONE);
  await page.getByRole("link", { name: "Back", exact: true }).tap();
  const row = sidebarLink(page, LONG);
  const touch = { pointerType: "touch", isPrimary: true, clientX: 50, clientY: 50 };
  await row.dispatchEvent("pointerdown", touch);
  // A browser says so when a finger has been held long enough.
  await row.dispatchEvent("contextmenu", touch);
  await row.dispatchEvent("pointerup", touch);
  await page.getByRole("menuitem", { name: "Mute for a while" }).tap();
  const item = page.getByRole("menuitem", { name: "Until tomorrow" });
  await item.waitFor();
  expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await shoot(page, "menu-phone");
  await item.tap();
  await sidebarLink(page, LONG).getByRole("img", { name: UNTIL }).waitFor();
  await page.goto(`${world.service.address}/direct/${direct}`);
  await page.getByRole("button", { name: "Actions for this conversation" }).tap();
  await page.getByRole("menuitem", { name: "Mute for a while" }).tap();
  await item.tap();
  await page.getByText(/^Bob Noyce is muted until tomorrow/).waitFor();
  await page.goto(`${world.service.address}/direct`);
  await page
    .getByRole("list", { name: "Direct messages" })
    .getByRole("img", { name: UNTIL })
    .waitFor();
  await shoot(page, "direct-phone");
});
