import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { survey } from "../support/survey.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(60_000);

let world: World;
let browser: Browser;
let ada: Client;
let grace: Client;
let room: string;
let second: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", {
    displayName: "Augusta Ada King, Countess of Lovelace",
    isSiteAdmin: true,
  });
  grace = await world.person("grace", { displayName: "Grace Hopper" });
  room = await world.room("analytical-engines", ada, [grace], "open");
  await ada.patch(`/api/rooms/${room}`, { description: "All that has wheels, cards and patience" });
  second = await world.room("second", ada, [grace], "open");
  const bot = (await ada.post("/api/admin/bots", { username: "machine" })).body;
  await ada.post(`/api/admin/bots/${bot.id}/tokens`, { name: "Nightly builds", scopes: [] });
  await ada.post("/api/admin/invites", { email: "somebody.with.a.long.name@example.org" });
  await ada.post(`/api/rooms/${room}/incoming-webhooks`, { name: "Builds" });
  const wide = `const wide = "${"wide ".repeat(40)}";`;
  const said = await grace.say(
    room,
    `Look at [this](https://example.org)\n\n\`\`\`ts\n${wide}\n\`\`\``,
  );
  await ada.post(`/api/messages/${said.id}/reactions`, { emoji: "👍" });
  await grace.say(room, `A word without an end: ${"Donaudampfschifffahrt".repeat(8)}`);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

type Options = Parameters<typeof newPage>[1];

async function open(path: string, options: Options = {}, client: Client | null = ada) {
  const one = await newPage(browser, { viewport: { width: 1280, height: 800 }, ...options });
  const [name = "", value = ""] = (client?.cookie ?? "").split("=");
  if (client) await one.context.addCookies([{ name, value, url: world.service.address }]);
  await one.page.goto(world.service.address + path);
  return one;
}

/** Goes on as a link does, without loading the page again. */
async function goTo(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.getByRole("heading", { name: ready, exact: true }).last().waitFor();
  await page.locator(".skeleton, .coming").first().waitFor({ state: "detached" });
}

const OUTSIDE: [path: string, ready: string][] = [
  ["/signin", "Sign in"],
  ["/forgot-password", "Forgot your password?"],
  ["/signup#token=unknown", "This link does not work"],
];
const INSIDE: [path: string, ready: string][] = [
  ["/rooms/analytical-engines", "#analytical-engines"],
  ["/browse", "Browse rooms"],
  ["/rooms/gone", "You are not in #gone"],
  ["/share", "Nothing is shared"],
  ["/admin/people", "People"],
  ["/admin/rooms", "Rooms"],
  ["/admin/invites", "Invites"],
  ["/admin/bots", "Bots"],
  ["/admin/webhooks", "Webhooks"],
  ["/admin/uploads", "Uploads"],
  ["/admin/email", "Email"],
  ["/admin/jobs", "Failed jobs"],
  ["/admin/audit", "Audit log"],
  ["/profile/account", "Account"],
  ["/profile/appearance", "Appearance"],
  ["/profile/notifications", "Email"],
  ["/profile/password", "Password"],
  ["/profile/sessions", "Where you are signed in"],
];

describe.each([
  ["at 200 %", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ["at 400 %", { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
  ["320 pixels wide", { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
])("everything is there and can be reached %s", (name, options) => {
  const shoot = (page: Page, of: string) =>
    page.screenshot({
      path: join(SHOTS, `access-${name.replaceAll(/\W+/g, "-")}-${of.replaceAll(/\W+/g, "-")}.png`),
    });

  test("before the door", async () => {
    const { page, context } = await open("/", options, null);
    const seen: Record<string, string[]> = {};
    for (const [path, ready] of OUTSIDE) {
      await goTo(page, path, ready);
      seen[path] = await survey(page);
      await shoot(page, path);
    }
    expect(seen).toEqual(Object.fromEntries(OUTSIDE.map(([path]) => [path, []])));
    await context.close();
  });

  test("on each screen", async () => {
    const { page, context } = await open("/browse", options);
    const seen: Record<string, string[]> = {};
    for (const [path, ready] of INSIDE) {
      await goTo(page, path, ready);
      await shoot(page, path);
      seen[path] = await survey(page);
    }
    expect(seen).toEqual(Object.fromEntries(INSIDE.map(([path]) => [path, []])));
    await context.close();
  });

  test("in dialogs and lists", async () => {
    const { page, context } = await open("/rooms/analytical-engines", options);
    await page.getByText("Donaudampf").waitFor();
    const seen: Record<string, string[]> = {};
    const look = async (what: string) => {
      await shoot(page, what);
      seen[what] = await survey(page);
      await page.keyboard.press("Escape");
    };
    await page.getByRole("button", { name: "Room settings" }).click();
    await page.getByText("Incoming webhooks").waitFor();
    await look("room settings");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await look("the switcher");
    await goTo(page, "/browse", "Browse rooms");
    await page.getByRole("heading", { name: "Browse rooms" }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await look("shortcuts");
    await goTo(page, "/profile/appearance", "Appearance");
    await page.getByRole("button", { name: "New theme" }).click();
    await page.getByRole("dialog", { name: "New theme" }).waitFor();
    await look("theme editor");
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((what) => [what, []])));
    await context.close();
  });
});

describe("the colours of the system", () => {
  test("show what has the focus, is chosen, is on, is new, and who is there", async () => {
    await ada.post(`/api/rooms/${second}/read`, {});
    await grace.say(second, "new here");
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, context } = await open("/rooms/analytical-engines", {
        forcedColors: "active",
        colorScheme,
      });
      await page.getByText("Donaudampf").waitFor();
      await page.locator(".unread-dot").waitFor();
      await page.locator(".member .dot.on").first().waitFor();
      const ground = await colourOf(page, "body", "background-color");
      for (const [selector, property] of [
        [".unread-dot", "background-color"],
        [".dot.on", "background-color"],
        ['.room-link[aria-current="page"]', "border-inline-start-color"],
        ['.icon-button[aria-pressed="true"]', "border-top-color"],
        [".composer .box", "outline-color"],
      ] as const) {
        const colour = await colourOf(page, selector, property);
        expect({ selector, told: colour !== ground }).toEqual({ selector, told: true });
      }
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-room.png`) });
      await goTo(page, "/profile/account", "Account");
      const knob = () => colourOf(page, ".switch", "background-color", "::before");
      const off = {
        knob: await knob(),
        ground: await colourOf(page, ".switch", "background-color"),
      };
      expect(off.knob).not.toBe(off.ground);
      await page.getByRole("switch", { name: "Appear offline" }).check();
      const on = {
        knob: await knob(),
        ground: await colourOf(page, ".switch", "background-color"),
      };
      expect(on.knob).not.toBe(on.ground);
      expect(on.ground).not.toBe(off.ground);
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-profile.png`) });
      await page.getByRole("switch", { name: "Appear offline" }).uncheck();
      await goTo(page, "/profile/appearance", "Appearance");
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-themes.png`) });
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-switcher.png`) });
      await context.close();
    }
  });
});

const colourOf = (page: Page, selector: string, property: string, pseudo?: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, [of, part]) => getComputedStyle(element, part).getPropertyValue(of as string),
      [property, pseudo],
    );

test("nothing moves for whoever asked for that", async () => {
  const { page, context } = await open("/rooms/analytical-engines", {
    reducedMotion: "reduce",
    viewport: { width: 390, height: 700 },
  });
  await page.getByText("Donaudampf").waitFor();
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .map((animation) => (animation.effect as KeyframeEffect).target?.className ?? "")
        .filter((name) => !String(name).includes("skeleton")),
    );
  const seen: Record<string, unknown> = {};
  await page.getByRole("button", { name: "Rooms" }).first().click();
  seen.drawer = await moving();
  await page.keyboard.press("Escape");
  seen.closed = await moving();
  await page.getByRole("button", { name: /^2 members/ }).click();
  seen.members = await moving();
  await page
    .getByRole("button", { name: /^Close/ })
    .last()
    .click();
  await page.getByRole("button", { name: /notif/i }).click();
  seen.menu = await moving();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Room settings" }).click();
  seen.dialog = await moving();
  await page.keyboard.press("Escape");
  const row = page.locator(".message", { hasText: "Donaudampf" });
  await row.hover();
  await row.getByRole("button", { name: "Copy link to message" }).click();
  await page.locator(".toast").waitFor();
  seen.toast = await moving();
  const path = `/rooms/analytical-engines/m/${await row.getAttribute("data-message-id")}`;
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.locator(".message.marked").waitFor();
  seen.mark = await moving();
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((what) => [what, []])));
  await context.close();
});
