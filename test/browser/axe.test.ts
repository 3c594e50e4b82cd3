import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import {
  allLoaded,
  launchBrowser,
  messageRow,
  PHONE,
  signedInPage,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  const grace = await world.person("grace", { displayName: "Grace Hopper" });
  const room = await world.room("engines", ada, [grace], "open");
  // The sidebar's sections and signs.
  await ada.patch(`/api/rooms/${room}/membership`, { pinned: true });
  let news = "";
  for (const name of ["muted", "news", "old"]) {
    const id = await world.room(name, grace, [ada]);
    if (name === "news") news = id;
    await grace.say(id, "@ada");
    if (name === "muted") await ada.patch(`/api/rooms/${id}/membership`, { notify: "none" });
  }
  await world.archive("old", true);
  const sections = ["Projects", "Empty"].map((name, i) => ({
    id: crypto.randomUUID(),
    name,
    is_collapsed: false,
    room_ids: i === 0 ? [news] : [],
  }));
  await ada.put("/api/auth/me/sections", { base_version: 0, sections });
  await ada.patch("/api/auth/me", { sidebar: { collapsed: [] } });
  const days = [{ from: "22:00", to: "07:00" }, ...Array.from({ length: 6 }, () => null)];
  await ada.patch("/api/auth/me", {
    quiet_hours: { time_zone: "Asia/Tokyo", days },
    sound: "drop",
  });
  const bot = (await ada.post("/api/admin/bots", { username: "machine" })).body;
  await ada.post(`/api/admin/bots/${bot.id}/tokens`, { name: "CI", scopes: [] });
  await world.database.sql`insert into scheduled_messages
      (id, user_id, room_id, content, send_at, zone, state, reason, ended_at)
    values (gen_random_uuid(), ${bot.id}, ${room}, 'Later', now() + interval '1 day', 'UTC',
      'failed', 'invalid_token', now())`;
  await ada.post("/api/admin/invites", { email: "new@example.org" });
  const hook = await ada.post(`/api/rooms/${room}/incoming-webhooks`, { name: "Builds" });
  await fetch(world.service.address + new URL(hook.body.url).pathname, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "*Build* passed", icon_emoji: ":rocket:" }),
  });
  const message = await grace.say(
    room,
    "Hello **@ada**, see #engines and `code`\n\n> quoted\n\n1. one\n\n# New\n- [x] a task\n\n|a|b|\n|-|-:|\n|c|1|\n\n---",
  );
  await ada.post(`/api/messages/${message.id}/reactions`, { emoji: "👍" });
  await grace.post(`/api/messages/${(await ada.say(room, "mine")).id}/reactions`, { emoji: "🎉" });
  const image = (await grace.upload(`/api/rooms/${room}/images`, await picture("png", 400, 300)))
    .body;
  await grace.post(`/api/rooms/${room}/messages`, { image_id: image.id });
  const file = (await grace.upload(`/api/rooms/${room}/files`, new Uint8Array([1, 2]))).body;
  await grace.say(room, "```ts\nconst a = 1;\n```", { file_id: file.id });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options: object, client = ada) =>
  signedInPage(browser, client, path, { ...options, bypassCSP: true });

/** What axe finds under WCAG 2.2 AA and its own good practices. */
async function findings(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.addScriptTag({ content: axe.source });
  const { violations } = await page.evaluate(async () => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    return injected.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
  );
}

const OUTSIDE: [path: string, ready: string][] = [
  ["/signin", "Sign in"],
  ["/forgot-password", "Forgot your password?"],
  ["/signup#token=unknown", "This link doesn't work"],
  ["/reset-password#token=unknown", "This link doesn't work"],
];
const INSIDE: [path: string, ready: string][] = [
  ["/rooms/engines", "#engines"],
  ["/activity", "Activity"],
  ["/threads", "Threads"],
  ["/later", "Later"],
  ["/drafts", "Drafts & scheduled"],
  ["/rooms/engines?panel=about", "#engines"],
  ["/rooms/engines?panel=members", "#engines"],
  ["/rooms/engines?panel=pins", "#engines"],
  ["/rooms/engines?panel=files", "#engines"],
  ["/rooms/engines?panel=settings", "#engines"],
  ["/browse", "Browse rooms"],
  ["/search", "Search messages"],
  ["/rooms/engines?q=engine%20from:me", "#engines"],
  ["/direct", "Direct messages"],
  ["/nowhere/at/all", "Page not found"],
  ["/rooms/gone", "You are not in #gone"],
  ["/share", "Nothing to share"],
  ["/you", "You"],
  ["/profile/account", "Account"],
  ["/profile/appearance", "Appearance"],
  ["/profile/notifications", "Email"],
  ["/profile/security", "Where you are signed in"],
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
];

/** The screens that are laid out in another way on a phone; the others are the same, narrower. */
const DIFFERENT_ON_PHONE = new Set([
  "/signin",
  "/rooms/engines",
  "/rooms/engines?panel=pins",
  "/rooms/engines?q=engine%20from:me",
  "/activity",
  "/threads",
  "/later",
  "/drafts",
  "/browse",
  "/direct",
  "/you",
  // The administration and the profile are each one layout around their parts.
  "/profile/account",
  "/admin/people",
  "/admin/webhooks",
  "/admin/audit",
]);
/** Elsewhere the list of rooms is beside every screen. */
const ONLY_ON_PHONE: typeof INSIDE = [["/", "Home"]];
const onPhone = (screens: typeof INSIDE) =>
  screens.filter(([path]) => DIFFERENT_ON_PHONE.has(path));

describe.each([
  { size: "wide", options: WIDE, outsideScreens: OUTSIDE, insideScreens: INSIDE },
  {
    size: "on a phone",
    options: PHONE,
    outsideScreens: onPhone(OUTSIDE),
    insideScreens: [...onPhone(INSIDE), ...ONLY_ON_PHONE],
  },
])("axe finds nothing $size", ({ options, outsideScreens, insideScreens }) => {
  // One page before the door and one behind it: screens come and go in them as for people.
  let outside: Awaited<ReturnType<typeof open>>;
  let inside: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    outside = await open("/signin", options, world.anonymous);
    inside = await open("/rooms/engines", options);
    await inside.page.getByRole("heading", { name: "#engines" }).first().waitFor();
  });
  afterAll(async () => {
    await outside?.context.close();
    await inside?.context.close();
  });

  test.each(outsideScreens)("before the door at %s", async (path, ready) => {
    const { page } = outside;
    await walk(page, path);
    await page.getByRole("heading", { name: ready }).first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("in the documentation", async () => {
    const { page } = await open("/docs/operate", options, world.anonymous);
    await page.getByRole("heading", { name: "Operate" }).first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test.each(insideScreens)("at %s", async (path, ready) => {
    const { page } = inside;
    await walk(page, path);
    await page.getByRole("heading", { name: ready, exact: true }).last().waitFor();
    await allLoaded(page);
    expect(await findings(page)).toEqual([]);
  });
});

describe("axe finds nothing", () => {
  let one: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    // Colours that are on their way to the next theme are nobody's contrast.
    one = await open("/rooms/engines", { ...WIDE, reducedMotion: "reduce" });
  });
  afterAll(() => one?.context.close());

  test.each(["light", "dark", "midnight", "sunset"])("in a room in %s", async (theme) => {
    const { page } = one;
    await ada.patch("/api/auth/me", { theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await page.getByText("Grace Hopper").first().waitFor();
    await messageRow(page, "Hello").hover();
    expect(await findings(page)).toEqual([]);
  });

  test.each([
    ["the switcher", "Control+k", "Go to"],
    ["the shortcuts", "?", "Keyboard shortcuts"],
    ["a new message", "Control+Shift+K", "New message"],
  ])("in %s", async (_, key, title) => {
    const { page } = one;
    await walk(page, "/browse");
    await page.getByRole("heading", { name: "Browse rooms" }).click();
    await page.keyboard.press(key);
    await page.getByRole("dialog", { name: title }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("in the dialogs of sections", async () => {
    const { page } = one;
    await walk(page, "/browse");
    await page.getByRole("button", { name: "Order of rooms" }).click();
    await page.getByRole("menuitem", { name: "New section" }).click();
    await page.getByRole("dialog", { name: "New section" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page
      .getByRole("navigation", { name: "Rooms" })
      .getByRole("link", { name: "news" })
      .click({ button: "right" });
    await page.getByRole("menuitem", { name: "Move to section…" }).click();
    await page.getByRole("dialog", { name: "Move to section" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("on a bot's page with what it has scheduled", async () => {
    const { page } = one;
    await walk(page, "/admin/bots");
    await page.getByRole("button", { name: "Open machine" }).click();
    await page.getByText("Blocked: its token was revoked").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("in a person's card", async () => {
    const { page } = one;
    await walk(page, "/rooms/engines");
    await page.getByRole("log").getByRole("button", { name: "Grace Hopper" }).first().click();
    await page.getByRole("dialog", { name: "Grace Hopper" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("in a room's settings", async () => {
    const { page } = one;
    await walk(page, "/rooms/engines");
    await page.getByRole("button", { name: "Room settings" }).click();
    await page.getByText("Webhooks", { exact: true }).click();
    await page.getByText("Incoming webhooks").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("in the description of the API", async () => {
    const { page } = await open("/api/docs", WIDE);
    await page.getByRole("heading", { name: "Messages" }).waitFor();
    // Hundreds of operations and schemas look alike: three of each section are checked, the first opened.
    await page.evaluate(() => {
      for (const section of document.querySelectorAll("main > section")) {
        const [first, , , ...more] = section.querySelectorAll("details");
        if (first) first.open = true;
        for (const operation of more) operation.remove();
      }
    });
    expect(await findings(page)).toEqual([]);
  });
});

test("the list of screens is the client's own", async () => {
  const source = await Bun.file(join(import.meta.dir, "../../public/app/state/route.ts")).text();
  const paths = [...source.matchAll(/const (ADMIN|PROFILE)_PATHS = \[([^\]]+)\]/g)].flatMap(
    ([, kind = "", list = ""]) =>
      [...list.matchAll(/"(\w+)"/g)].map(([, path]) => `/${kind.toLowerCase()}/${path}`),
  );
  expect(paths.length).toBeGreaterThan(10);
  const listed = INSIDE.map(([path]) => path);
  expect(paths.filter((path) => !listed.includes(path))).toEqual([]);
  const all = [...OUTSIDE, ...INSIDE].map(([path]) => path);
  expect([...DIFFERENT_ON_PHONE].filter((path) => !all.includes(path))).toEqual([]);
});
