import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import {
  act,
  allLoaded,
  announcer,
  composerBox,
  drawer,
  hasFocus,
  launchBrowser,
  messageRow,
  messageText,
  type PageOptions,
  paneHead,
  restLoaded,
  signedInPage,
  threadPane,
  toasts,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { survey } from "../support/survey.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

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
  const message = await grace.say(
    room,
    `Look at [this](https://example.org)\n\n\`\`\`ts\n${wide}\n\`\`\``,
  );
  await ada.post(`/api/messages/${message.id}/reactions`, { emoji: "👍" });
  await grace.say(room, `A word without an end: ${"Donaudampfschifffahrt".repeat(8)}`);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options: PageOptions = {}, client = ada) =>
  signedInPage(browser, client, path, { ...WIDE, ...options });

/** Goes on as a link does, without loading the page again. */
async function goTo(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.getByRole("heading", { name: ready, exact: true }).last().waitFor();
  await allLoaded(page);
}

const OUTSIDE: [path: string, ready: string][] = [
  ["/signin", "Sign in"],
  ["/forgot-password", "Forgot your password?"],
  ["/signup#token=unknown", "This link doesn't work"],
];
const INSIDE: [path: string, ready: string][] = [
  ["/rooms/analytical-engines", "#analytical-engines"],
  ["/activity", "Activity"],
  ["/threads", "Threads"],
  ["/later", "Later"],
  ["/drafts", "Drafts & scheduled"],
  ["/direct", "Direct messages"],
  ["/search", "Search messages"],
  ["/search?q=engine", "Search messages"],
  ["/browse", "Browse rooms"],
  ["/rooms/gone", "You are not in #gone"],
  ["/share", "Nothing to share"],
  ["/admin/setup", "Invite your team"],
  ["/admin/overview", "Overview"],
  ["/admin/team", "Team"],
  ["/admin/people", "People"],
  ["/admin/rooms", "Rooms"],
  ["/admin/sections", "Sections"],
  ["/admin/invites", "Invites"],
  ["/admin/bots", "Bots"],
  ["/admin/webhooks", "Webhooks"],
  ["/admin/uploads", "Uploads"],
  ["/admin/signin", "Sign-in"],
  ["/admin/email", "Email"],
  ["/admin/jobs", "Failed jobs"],
  ["/admin/audit", "Audit log"],
  ["/profile/account", "Account"],
  ["/profile/appearance", "Appearance"],
  ["/profile/notifications", "Email"],
  ["/profile/security", "Where you are signed in"],
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

  let inside: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    inside = await open("/browse", options);
  });
  afterAll(() => inside?.context.close());

  test("while signed out", async () => {
    const { page } = await open("/", options, world.anonymous);
    const seen: Record<string, string[]> = {};
    for (const [path, ready] of OUTSIDE) {
      await goTo(page, path, ready);
      seen[path] = await survey(page);
      await shoot(page, path);
    }
    expect(seen).toEqual(Object.fromEntries(OUTSIDE.map(([path]) => [path, []])));
  });

  test("on each screen", async () => {
    const { page } = inside;
    const seen: Record<string, string[]> = {};
    for (const [path, ready] of INSIDE) {
      await goTo(page, path, ready);
      await shoot(page, path);
      seen[path] = await survey(page);
    }
    expect(seen).toEqual(Object.fromEntries(INSIDE.map(([path]) => [path, []])));
  });

  test("in dialogs and lists", async () => {
    const { page } = inside;
    await goTo(page, "/rooms/analytical-engines", "#analytical-engines");
    await page.getByText("Donaudampf").waitFor();
    const seen: Record<string, string[]> = {};
    const look = async (what: string) => {
      // A sheet rises first.
      await page.waitForFunction(
        () =>
          !document
            .querySelector("dialog")
            ?.getAnimations()
            .some((one) => one.playState === "running"),
      );
      await shoot(page, what);
      seen[what] = await survey(page);
      await page.keyboard.press("Escape");
    };
    await page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByText("Webhooks", { exact: true }).click();
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
  });
});

test("with the spacing of texts of WCAG 1.4.12, 320 pixels wide, nothing is cut off or out of reach", async () => {
  const narrow = { viewport: { width: 320, height: 640 }, bypassCSP: true };
  const { page } = await open("/browse", narrow);
  await page.addStyleTag({
    content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }`,
  });
  const seen: Record<string, string[]> = {};
  for (const [path, ready] of INSIDE) {
    await goTo(page, path, ready);
    seen[path] = await survey(page);
  }
  expect(seen).toEqual(Object.fromEntries(INSIDE.map(([path]) => [path, []])));
});

test("each screen names the page", async () => {
  const { page } = await open("/browse");
  const seen: string[] = [];
  for (const [path, ready, title] of [
    ["/rooms/second", "#second", "#second · Snug"],
    ["/activity", "Activity", "Activity · Snug"],
    ["/threads", "Threads", "Threads · Snug"],
    ["/later", "Later", "Later · Snug"],
    ["/drafts", "Drafts & scheduled", "Drafts & scheduled · Snug"],
    ["/search", "Search messages", "Search messages · Snug"],
    ["/browse", "Browse rooms", "Browse rooms · Snug"],
    ["/admin/people", "People", "People · Administration · Snug"],
    ["/profile/account", "Account", "Account · Your profile · Snug"],
  ] as const) {
    await goTo(page, path, ready);
    await page
      .waitForFunction((wanted) => document.title.endsWith(wanted), title)
      .catch(async () => seen.push(`${path}: ${await page.title()}`));
  }
  expect(seen).toEqual([]);
  const outside = await open("/signin", {}, world.anonymous);
  await outside.page.waitForFunction(() => document.title === "Sign in · Snug");
});

test("keys without Ctrl can be turned off", async () => {
  const { page } = await open("/profile/appearance");
  await page.getByRole("switch", { name: /^Keys without Ctrl/ }).click();
  await goTo(page, "/browse", "Browse rooms");
  await page.getByRole("heading", { name: "Browse rooms" }).click();
  await page.keyboard.press("?");
  await page.keyboard.press("Control+/");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await goTo(page, "/rooms/second", "#second");
  await page.getByRole("heading", { level: 1, name: "#second" }).click();
  await page.keyboard.press("x");
  expect(await page.getByRole("textbox", { name: "Message #second" }).inputValue()).toBe("");
  await goTo(page, "/profile/appearance", "Appearance");
  await page.getByRole("switch", { name: /^Keys without Ctrl/ }).click();
});

describe("system colours", () => {
  test("show focus, selection, switches, unread rooms and presence", async () => {
    await ada.post(`/api/rooms/${second}/read`, {});
    await grace.say(second, "new here");
    for (const colorScheme of ["light", "dark"] as const) {
      await ada.patch("/api/auth/me", { appear_offline: false });
      const { page, context } = await open("/rooms/analytical-engines?panel=members", {
        forcedColors: "active",
        // A colour on its way is neither.
        reducedMotion: "reduce",
        colorScheme,
      });
      await page.getByText("Donaudampf").waitFor();
      await page.getByRole("img", { name: "unread" }).waitFor();
      const members = page.getByRole("complementary", { name: "Members" });
      const online = members.getByRole("img", { name: "online" });
      await online.first().waitFor();
      const ground = await colourOf(page.locator("body"), "background-color");
      for (const [what, element, property] of [
        ["unread", page.getByRole("img", { name: "unread" }), "background-color"],
        ["online", online, "background-color"],
        ["the open room", openRoom(page), "border-inline-start-color"],
        ["the open panel", page.getByRole("button", { pressed: true }), "border-top-color"],
        ["the message box", composerBox(page), "outline-color"],
      ] as const) {
        const colour = await colourOf(element, property);
        expect({ what, told: colour !== ground }).toEqual({ what, told: true });
      }
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-room.png`) });
      await goTo(page, "/profile/account", "Account");
      const toggle = page.getByRole("switch", { name: "Appear offline" });
      const knob = () => colourOf(toggle, "background-color", "::before");
      const off = {
        knob: await knob(),
        ground: await colourOf(toggle, "background-color"),
      };
      expect(off.knob).not.toBe(off.ground);
      await toggle.click();
      await page.getByRole("switch", { name: "Appear offline", checked: true }).waitFor();
      const on = {
        knob: await knob(),
        ground: await colourOf(toggle, "background-color"),
      };
      expect(on.knob).not.toBe(on.ground);
      expect(on.ground).not.toBe(off.ground);
      await page.screenshot({
        path: join(SHOTS, `forced-${colorScheme}-profile.png`),
        animations: "disabled",
      });
      await goTo(page, "/profile/appearance", "Appearance");
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-themes.png`) });
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      await page.screenshot({ path: join(SHOTS, `forced-${colorScheme}-switcher.png`) });
      await page.keyboard.press("Escape");
      await goTo(page, "/rooms/analytical-engines?q=gra", "#analytical-engines");
      await page.getByRole("searchbox", { name: "Search messages" }).fill("from:gra");
      const edge = (of: Locator) =>
        of.evaluate((element) => getComputedStyle(element).borderInlineStartWidth);
      const suggestion = page.getByRole("button", { name: "Grace Hopper @grace" });
      await suggestion.waitFor();
      expect(await edge(suggestion)).toBe("4px");
      await page.getByRole("button", { name: "Add an emoji" }).click();
      const group = page.locator(".emoji-groups [aria-current]");
      await group.waitFor();
      expect(await edge(group)).toBe("4px");
      await context.close();
    }
  });
});

const openRoom = (page: Page) =>
  page.getByRole("navigation", { name: "Rooms" }).locator('[aria-current="page"]');

const colourOf = (of: Locator, property: string, pseudo?: string) =>
  of
    .first()
    .evaluate(
      (element, [of, part]) => getComputedStyle(element, part).getPropertyValue(of as string),
      [property, pseudo],
    );

test("nothing is animated with reduced motion", async () => {
  const { page } = await open("/rooms/analytical-engines", {
    reducedMotion: "reduce",
    viewport: { width: 700, height: 700 },
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
  await drawer(page).locator(":focus").waitFor();
  seen.drawer = await moving();
  await page.keyboard.press("Escape");
  await drawer(page).waitFor({ state: "detached" });
  seen.closed = await moving();
  await page.getByRole("button", { name: "Members (2)" }).click();
  const members = page.getByRole("complementary", { name: "Members" });
  await members.waitFor();
  seen.members = await moving();
  await members.getByRole("button", { name: "Close details" }).click();
  await page.getByRole("button", { name: "Notifications for this room" }).click();
  await page.getByRole("menu").waitFor();
  seen.menu = await moving();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Room settings" }).click();
  const settings = page.getByRole("complementary", { name: "Settings" });
  await settings
    .getByRole("button", { name: "Leave room" })
    .or(settings.getByLabel("Topic"))
    .waitFor();
  seen.settings = await moving();
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  seen.dialog = await moving();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  const row = messageRow(page, "Donaudampf");
  await act(row, "Copy link to message");
  await toasts(page).waitFor();
  seen.toast = await moving();
  const path = `/rooms/analytical-engines/m/${await row.getAttribute("data-message-id")}`;
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await row.and(page.locator("[aria-current]")).waitFor();
  seen.mark = await moving();
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((what) => [what, []])));
});

/** Which element has the focus, as one who listens hears it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

/** The search, where it covers what is beside it. */
const search = (page: Page) => page.getByRole("main", { name: "Search messages" });

describe("by keyboard alone", () => {
  let wide: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    wide = await open("/rooms/gone");
  });
  afterAll(() => wide?.context.close());

  test("the first tab stop skips the sidebar", async () => {
    const { page } = wide;
    await page.getByRole("heading", { name: "You are not in #gone" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    const skips = page.getByRole("button", { name: "Skip to content" }).locator("..");
    expect(await skips.evaluate((element) => getComputedStyle(element).clipPath)).toBe("none");
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("main"));
    await goTo(page, "/rooms/analytical-engines", "#analytical-engines");
    await page.getByText("Donaudampf").waitFor();
    await page.getByRole("button", { name: "Skip to messages" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("log"));
    await page.getByRole("button", { name: "Skip to the message box" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("textbox", { name: /^Message #/ }));
  });

  test("every focused element is visible and not covered", async () => {
    const { page } = wide;
    await goTo(page, "/rooms/analytical-engines", "#analytical-engines");
    await page.getByText("Donaudampf").waitFor();
    await page.getByRole("button", { name: "Skip to messages" }).focus();
    const stops: string[] = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      const { name, trouble } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const box = element.getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const isSeen = at !== null && (element.contains(at) || at.contains(element));
        const ring = getComputedStyle(element);
        // The message box shows it by its frame, which differs from that of a box without the focus.
        const frame = element.matches("textarea") ? element.closest("form > div") : null;
        const other = frame?.parentElement?.appendChild(frame.cloneNode() as HTMLElement);
        const isFramed =
          frame &&
          other &&
          getComputedStyle(frame).borderColor !== getComputedStyle(other).borderColor;
        other?.remove();
        const hasRing =
          isFramed || (ring.outlineStyle !== "none" && Number.parseFloat(ring.outlineWidth) > 0);
        return {
          name: element.getAttribute("aria-label") ?? element.textContent ?? "",
          trouble: [!isSeen && "hidden", !hasRing && "no ring"].filter(Boolean).join(),
        };
      });
      stops.push(name);
      expect({ name, trouble }).toEqual({ name, trouble: "" });
    }
    expect(stops.length).toBeGreaterThan(15);
  });

  test("the focus follows navigation, and returns when an overlay closes", async () => {
    const { page } = wide;
    await goTo(page, "/rooms/analytical-engines", "#analytical-engines");
    await page.getByText("Donaudampf").waitFor();
    await page.getByRole("link", { name: "Browse rooms" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
    await page.locator("main:focus, main :focus").waitFor();
    await page.getByRole("main").getByRole("link", { name: "second" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("textbox", { name: /^Message #/ }));
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await hasFocus(page.getByRole("textbox", { name: /^Message #/ }));
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Room, person or action" }).fill("analytical");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "#analytical-engines" }).waitFor();
    await hasFocus(page.getByRole("textbox", { name: /^Message #/ }));
    await page.getByRole("button", { name: /^You,/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Your profile" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await hasFocus(page.getByRole("button", { name: /^You,/ }));
  });

  test("what a panel covers is not reached, and the focus returns when it closes", async () => {
    const root = await ada.say(second, "A root");
    await grace.say(second, "A reply", { thread_id: root.id });
    const pins = (page: Page) => page.getByRole("complementary", { name: "Pins" });
    for (const [width, path, sheetOf, close] of [
      [320, "/rooms/second?q=root", search, "Close search"],
      [320, "/rooms/second?panel=pins", pins, "Close details"],
      [800, "/rooms/second?q=root", search, "Close search"],
      [800, `/rooms/second/t/${root.id}`, threadPane, "Close the thread"],
    ] as const) {
      const { page, context } = await open(path, { viewport: { width, height: 640 } });
      const sheet = sheetOf(page);
      await sheet.getByRole("button", { name: close }).waitFor();
      const covered: string[] = [];
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        const name = await page.evaluate(() => {
          const room = document.querySelector('main > section[aria-label="#second"]');
          const { activeElement: element } = document;
          return room?.contains(element) ? element?.outerHTML.slice(0, 80) : "";
        });
        if (name) covered.push(name);
      }
      expect({ path, covered }).toEqual({ path, covered: [] });
      await sheet.getByRole("button", { name: close }).press("Enter");
      await sheet.waitFor({ state: "detached" });
      await page.getByRole("textbox", { name: "Message #second" }).fill("reached");
      await page.getByRole("textbox", { name: "Message #second" }).fill("");
      await context.close();
    }
  });

  test("a list that the search covers is not reached until the search closes", async () => {
    const { page } = await open("/activity?q=root", { viewport: { width: 800, height: 640 } });
    const isInert = () => page.locator("main").evaluate((main: HTMLElement) => main.inert);
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
    await page.getByRole("button", { name: "Close search" }).waitFor();
    expect(await isInert()).toBe(true);
    await page.getByRole("button", { name: "Close search" }).press("Enter");
    await search(page).waitFor({ state: "detached" });
    expect(await isInert()).toBe(false);
  });

  test("on a narrow page the sidebar takes the focus and returns it", async () => {
    const { page } = await open("/rooms/second", {
      viewport: { width: 700, height: 640 },
    });
    await page.getByRole("heading", { level: 1, name: "#second" }).waitFor();
    const opener = paneHead(page).getByRole("button", { name: "Rooms" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await hasFocus(openRoom(page));
    expect(await page.locator("main").evaluate((main: HTMLElement) => main.inert)).toBe(true);
    await page.keyboard.press("Escape");
    await hasFocus(opener);
    await opener.press("Enter");
    await hasFocus(openRoom(page));
    await page.getByRole("link", { name: "Browse rooms" }).press("Enter");
    await page.getByRole("heading", { name: "Browse rooms" }).waitFor();
    await page.locator("main:focus, main :focus").waitFor();
  });
});

describe("announcements", () => {
  /** Longer than it gathers what comes, and than it is silent after it has spoken. */
  const PAUSE_MS = 10_000;
  /** Keeps all that a live region says from now on. */
  const listen = (page: Page) =>
    announcer(page).evaluate((region) => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  const heard = (page: Page, count: number) =>
    page
      .waitForFunction((wanted) => {
        const { heard } = globalThis as unknown as { heard: string[] };
        const different = heard.filter((text, i) => text !== "" && text !== heard[i - 1]);
        return different.length >= wanted && different;
      }, count)
      .then((handle) => handle.jsonValue());

  test("read messages of others in the open room one by one, and a burst as a number", async () => {
    const loud = await world.room("loud", ada, [grace]);
    for (let i = 0; i < 60; i++) await grace.say(loud, `before ${i}`);
    await ada.post(`/api/rooms/${loud}/read`);
    const { page } = await open("/rooms/second");
    // Its pauses are the test's own to end.
    await page.clock.install();
    await page.reload();
    await restLoaded(page);
    await listen(page);
    // Opening a room and loading what was before says nothing; nor does oneself, nor another room.
    const older = page.waitForResponse((answer) => answer.url().includes("before="));
    await page.getByRole("link", { name: "loud" }).click();
    await page.getByText("before 59").waitFor();
    await page.getByRole("log").evaluate((list) => (list.scrollTop = -list.scrollHeight));
    await older;
    await ada.say(loud, "my own");
    await grace.say(second, "elsewhere");
    await grace.say(loud, "Hello **all**");
    await page.getByText("Hello all").waitFor();
    await page.clock.runFor(PAUSE_MS);
    expect(await heard(page, 1)).toEqual(["Grace Hopper: Hello all"]);
    await Promise.all(Array.from({ length: 5 }, (_, i) => grace.say(loud, `burst ${i}`)));
    for (let i = 0; i < 5; i++) await page.getByText(`burst ${i}`).waitFor();
    await page.clock.runFor(PAUSE_MS);
    expect(await heard(page, 2)).toEqual([
      "Grace Hopper: Hello all",
      "5 new messages from Grace Hopper",
    ]);
  });
});

describe("from right to left", () => {
  test("texts and names have their own direction and do not affect the text around them", async () => {
    const layla = await world.person("layla", { displayName: "ليلى حداد (ا)" });
    const majlis = await world.room("majlis", ada, [layla, grace]);
    await ada.patch(`/api/rooms/${majlis}`, { description: "غرفة للحديث، 3 أشخاص" });
    await layla.say(majlis, "مرحبا يا @ada، شغّل `bun run test` (الآن)!");
    await layla.say(majlis, "שלום לכולם\n\nAnd a line in English.\n\n```sh\nls -la --all\n```");
    for (const [name, options] of [
      ["wide", { viewport: { width: 1280, height: 800 } }],
      ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ] as const) {
      const path = name === "wide" ? "/rooms/majlis?panel=members" : "/rooms/majlis";
      const { page, context } = await open(path, options);
      const text = messageText(messageRow(page, "مرحبا"));
      await text.waitFor();
      await page.screenshot({ path: join(SHOTS, `right-to-left-${name}.png`) });
      const start = (of: Locator) =>
        of.first().evaluate((element) => getComputedStyle(element).direction);
      expect(await start(text)).toBe("rtl");
      expect(await start(page.getByRole("log").locator("pre"))).toBe("ltr");
      expect(await start(page.getByRole("log").locator("code"))).toBe("ltr");
      // Each paragraph stands where its own first letter says.
      const edges = await messageText(messageRow(page, "שלום")).evaluate((content) =>
        [...content.querySelectorAll("p")].map((p) => {
          const range = document.createRange();
          range.selectNodeContents(p);
          const [line, box] = [range.getBoundingClientRect(), p.getBoundingClientRect()];
          return line.left - box.left > box.right - line.right ? "right" : "left";
        }),
      );
      expect(edges).toEqual(["right", "left"]);
      // A name stays at the start, where all names are, and the time after it.
      const byline = messageRow(page, "مرحبا").locator("p:has(time)");
      const [name_, time] = await Promise.all([
        byline.locator("b").boundingBox(),
        byline.locator("time").boundingBox(),
      ]);
      expect((name_?.x ?? 0) + (name_?.width ?? 0)).toBeLessThanOrEqual(time?.x ?? 0);
      if (name === "wide") {
        const member = page
          .getByRole("complementary", { name: "Members" })
          .getByRole("listitem")
          .filter({ hasText: "ليلى" });
        await member.waitFor();
        const label = await member.locator('[aria-label*="ليلى"]').getAttribute("aria-label");
        expect(label).toContain("\u2068ليلى حداد (ا)\u2069");
      }
      await context.close();
    }
  });

  test("a topic and the description of a picture do not change the order of their line", async () => {
    const diwan = await world.room("diwan", grace, [ada], "open");
    await grace.patch(`/api/rooms/${diwan}`, { description: "أهلا بكم!" });
    const bytes = await picture("png", 60, 40);
    const image = (await grace.upload(`/api/rooms/${diwan}/images`, bytes)).body;
    const message = { content: "A cat", image_id: image.id, image_alt: "قطة!" };
    await grace.post(`/api/rooms/${diwan}/messages`, message);
    const { page, context } = await open("/browse");
    /** The left edges of characters. */
    const edgesOf = async (line: Locator, characters: string[]) => {
      await line.waitFor();
      return line.evaluate(
        (line, characters) =>
          characters.map((character) => {
            const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
              const at = texts.currentNode.textContent?.lastIndexOf(character) ?? -1;
              if (at < 0) continue;
              const range = document.createRange();
              range.setStart(texts.currentNode, at);
              range.setEnd(texts.currentNode, at + 1);
              return range.getBoundingClientRect().left;
            }
            throw new Error(`no ${character}`);
          }),
        characters,
      );
    };
    const expectOrder = async (line: Locator, characters: string[]) => {
      const edges = await edgesOf(line, characters);
      expect(edges).toEqual(edges.toSorted((a, b) => a - b));
    };
    await expectOrder(page.getByText(/2 members.*أهلا/), ["2", "s", "!", "أ"]);
    await goTo(page, "/rooms/diwan", "#diwan");
    await page.getByRole("button", { name: /^Open/ }).click();
    await expectOrder(page.getByRole("dialog").getByText(/A cat/), ["A", "·", "!", "ق"]);
    await context.close();
  });
});
