import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  chooseOwn,
  launchBrowser,
  newPage,
  type PageOptions,
  PHONE,
  signedInPage,
  signIn,
  walk,
  WIDE,
} from "../support/browser.ts";
import { type Client, Client as Caller } from "../support/client.ts";
import { ACCOUNT, LOCALHOST_CA, linkOf, MailServer } from "../support/smtp.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let mails: MailServer;
let admin: Client;
beforeAll(async () => {
  mails = await MailServer.open("starttls");
  const ca = readFileSync(LOCALHOST_CA, "utf8");
  [world, browser] = await Promise.all([World.start({}, { ca }), launchBrowser()]);
  admin = await world.person("ada", { isSiteAdmin: true, displayName: "Ada Lovelace" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await mails?.close();
});

const open = (client: Client, path: string, options: PageOptions = WIDE) =>
  signedInPage(browser, client, path, options);

async function choose(page: Page, name: string, item: string) {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("on a phone the administration begins with a list of its pages, each with a way back", async () => {
  const { page } = await open(admin, "/you", PHONE);
  const isAt = (path: string) =>
    page.waitForURL((url: URL) => url.pathname === path, { waitUntil: "commit" });
  await page.getByRole("link", { name: "Administration" }).tap();
  await page.getByRole("heading", { level: 1, name: "Administration" }).waitFor();
  await page.getByRole("link", { name: "Audit log" }).tap();
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  await page.getByRole("link", { name: "Back" }).tap();
  await isAt("/admin");
  await page.getByRole("link", { name: "Bots" }).waitFor();
  await page.getByRole("link", { name: "Back" }).tap();
  await isAt("/you");
  // A page that was opened by its address leads to the list, too.
  await page.goto(`${world.service.address}/admin/bots`);
  await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
  await page.getByRole("link", { name: "Back" }).tap();
  await isAt("/admin");
});

test("on a wide page the pages take the place of the rooms, with what is unread and a way back", async () => {
  const bob = await world.person("bobby");
  const { body: pair } = await admin.post("/api/direct", { user_ids: [bob.user.id] });
  await bob.say(pair.id, "Are you there?");
  const { page } = await signedInPage(browser, admin, "/admin/people", WIDE);
  const back = page.getByRole("link", { name: /^Back to / });
  await back.getByRole("img").waitFor();
  const rooms = page.getByRole("complementary", { name: "Rooms" });
  expect(await rooms.isVisible()).toBe(false);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Go to" }).waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 900, height: 700 });
  await rooms.waitFor();
  expect(await back.isVisible()).toBe(false);
  await page.setViewportSize(WIDE.viewport);
  await back.click();
  await rooms.waitFor();
});

test("the overview says about where a count is an estimate, and only there", async () => {
  const { page } = await open(admin, "/admin/overview");
  const messages = page.locator("dl > div").filter({ hasText: "Messages" });
  await messages.getByText(/^\d+ in the last 7 days$/).waitFor();
  // What the planner knows of the table once it is this large.
  await world.database.sql`
    update pg_class set reltuples = 123456 where oid = 'messages'::regclass`;
  await page.reload();
  await messages.getByText("about 120,000", { exact: true }).waitFor();
  expect(await messages.getByText(/in the last 7 days/).textContent()).not.toContain("about");
  await world.database.sql`update pg_class set reltuples = 1 where oid = 'messages'::regclass`;
});

test.each([
  [2, "on a phone", PHONE],
  [2, "at 200% zoom", { viewport: { width: 640, height: 400 } }],
  [2, "beside the rooms", { viewport: { width: 900, height: 700 } }],
  [4, "on a laptop", { viewport: { width: 1024, height: 700 } }],
  [4, "on a wide screen", WIDE],
])("the overview has %d columns %s, whose figures are aligned", async (count, _, options) => {
  const { page } = await open(admin, "/admin/overview", options);
  const cards = page.locator("dl > div");
  await cards.getByText("Direct conversations").waitFor();
  const tops = await cards.evaluateAll((all) =>
    all.map((card) => [...card.children].map((part) => part.getBoundingClientRect().top)),
  );
  const rows = Map.groupBy(tops, ([label]) => label);
  expect([...rows.values()].map(({ length }) => length)).toEqual(Array(8 / count).fill(count));
  for (const [first = [], ...others] of rows.values())
    for (const card of others) expect(card).toEqual(first);
});

test("where no email is sent, pages say so before someone asks for one", async () => {
  const { page, context } = await open(admin, "/admin/invites");
  await page.getByText("Email is not set up: you get a link to pass on yourself.").waitFor();
  await context.clearCookies();
  await page.goto(`${world.service.address}/signin`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByText("Ask an administrator for a new password.").waitFor();
  expect(await page.getByLabel("Email").count()).toBe(0);
});

test("the audit log says what of the team changed, and joins equal lines", async () => {
  for (const setup_step of [2, 2, 4]) await admin.put("/api/admin/settings/team", { setup_step });
  await admin.put("/api/admin/settings/team", { name: "Engines" });
  await admin.put("/api/admin/settings/team", { name: null });
  const { page } = await open(admin, "/admin/audit");
  const lines = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await lines.nth(0).getByText("Ada Lovelace removed the name of the team").waitFor();
  await lines.nth(1).getByText("Ada Lovelace named the team Engines").waitFor();
  await lines.nth(2).getByText("Ada Lovelace finished the setup").waitFor();
  await lines.nth(3).getByText("Ada Lovelace opened step 3 of the setup").waitFor();
  await lines
    .nth(3)
    .getByText(/2 times/)
    .waitFor();
});

test("a name from right to left is before its username", async () => {
  await world.person("layla", { displayName: "ليلى الحداد" });
  const { page } = await open(admin, "/admin/people");
  const row = page.getByRole("listitem").filter({ hasText: "layla@example.org" });
  const name = await row.getByText("ليلى الحداد", { exact: true }).boundingBox();
  const username = await row.getByText("@layla", { exact: true }).boundingBox();
  expect(name?.x).toBeLessThan(username?.x ?? 0);
});

test("an administrator promotes with undo, resets a password and deactivates an account", async () => {
  await world.person("grace", { displayName: "Grace Hopper" });
  const { page } = await open(admin, "/");
  await chooseOwn(page, "Administration");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByText("Email is not set up").waitFor();
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("heading", { name: "People", exact: true }).waitFor();
  await page.getByLabel("Name or email").fill("hopper");
  await page.getByRole("main").getByText("@ada", { exact: true }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "grace@example.org" });
  await row.waitFor();
  // The found list replaces the whole one, and with it an open menu.
  const others = page.getByRole("listitem").filter({ hasText: "ada@example.org" });
  await others.waitFor({ state: "detached" });
  await choose(page, "Grace Hopper", "Make administrator");
  await row.getByText("administrator").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row.getByText("administrator").waitFor({ state: "detached" });

  await choose(page, "Grace Hopper", "Reset password");
  await page.getByRole("button", { name: "Reset password" }).click();
  const password = await page.getByLabel("Password", { exact: true }).inputValue();
  await page.screenshot({ path: join(SHOTS, "admin-password-wide.png") });
  // A second Enter or a double click copies, and a click outside loses nothing.
  await page.waitForFunction(() => document.activeElement?.textContent === "Copy");
  await page.keyboard.press("Escape");
  await page.getByText("You haven't copied it yet, and it won't be shown again.").waitFor();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  const login = await world.anonymous.post("/api/auth/login", { username: "grace", password });
  expect(login.status).toBe(200);

  await choose(page, "Grace Hopper", "Deactivate");
  await page.getByRole("button", { name: "Deactivate", exact: true }).click();
  await row.getByText("deactivated").waitFor();
  await page.screenshot({ path: join(SHOTS, "admin-people-wide.png") });
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("Ada Lovelace deactivated grace").waitFor();
  // Words, and no names of fields.
  const log = await page.getByRole("list", { name: "Audit log" }).textContent();
  expect(log).not.toMatch(/\w[_.]\w+:|not administrator/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  const csv = await Bun.file(await (await download).path()).text();
  expect(csv).toContain("user.reset_password");
  expect(csv).not.toContain(password);
});

test("email is set up and tested, and an invite is sent by it", async () => {
  const { page } = await open(admin, "/admin/email");
  await page.getByText("Email is not set up.").waitFor();
  const save = page.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel("Mail server").fill("localhost");
  await page.getByLabel("Port").fill(String(mails.port));
  await page.getByLabel("Username").fill(ACCOUNT.username);
  await page.getByLabel("Password").fill("another password");
  await page.getByLabel("Sender").fill("Snug <snug@example.org>");
  await save.click();
  await page.getByText("Email is sent through localhost.").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Send test email" }).click();
  await page.getByText(/535 .*not the mail password/).waitFor();
  await page.screenshot({ path: join(SHOTS, "admin-email-wide.png") });
  await page.getByLabel("Password").fill(ACCOUNT.password);
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === "PUT"),
    save.click(),
  ]);
  await page.getByRole("button", { name: "Send test email" }).click();
  expect((await mails.next()).to).toEqual(["ada@example.org"]);

  await page.getByRole("link", { name: "Invites" }).click();
  await page.getByLabel("Email").fill("alan@example.org");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("Invite sent to alan@example.org").waitFor();
  linkOf(await mails.next(), "/signup");
  await choose(page, "alan@example.org", "Revoke");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("listitem").getByText("revoked").waitFor();
});

test("the overview and the page of email say that mail cannot be sent, until it can", async () => {
  await admin.put("/api/admin/settings/smtp", { ...mails.settings, password: "old" });
  await admin.post("/api/admin/invites", { email: "waits@example.org", room_ids: [] });
  const { sql } = world.database;
  const failed = () => sql`select from jobs where kind = 'invite_mail' and last_error is not null`;
  await eventually(async () => (await failed()).length > 0);
  const dark = { ...PHONE, colorScheme: "dark" as const };
  const looks: [string, string, typeof WIDE, RegExp][] = [
    ["en", "wide", WIDE, /hasn't worked since .*1 email is waiting.* 535 .*not the mail password/],
    ["de", "phone-dark", dark, /können keine E-Mails gesendet werden, 1 E-Mail wartet/],
    ["es", "phone", PHONE, /No se pueden enviar correos desde .* 1 correo está en espera/],
  ];
  for (const [locale, look, options, text] of looks) {
    const { page, context } = await open(admin, "/admin/overview", {
      ...options,
      locale,
    });
    await page.getByText(text).waitFor();
    await page.screenshot({ path: join(SHOTS, `admin-mail-fails-${look}.png`) });
    await page.getByText(text).evaluate((line) => line.setAttribute("data-screen", "overview"));
    await walk(page, "/admin/email");
    await page.locator('[data-screen="overview"]').waitFor({ state: "detached" });
    await page.getByText(text).waitFor();
    await page.screenshot({ path: join(SHOTS, `admin-mail-fails-page-${look}.png`) });
    await context.close();
  }
  const { page } = await open(admin, "/admin/email");
  await page.getByLabel("Password").fill(ACCOUNT.password);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved.").waitFor();
  await page.getByRole("button", { name: "Send test email" }).click();
  await page.getByText(/hasn't worked since/).waitFor({ state: "detached" });
  expect((await mails.next()).to).toEqual(["ada@example.org"]);
  await sql`delete from jobs where kind = 'invite_mail'`;
});

test("a logo is cropped by hand, or shown whole with empty edges", async () => {
  const { page } = await open(admin, "/admin/team");
  const buffer = Buffer.from(await picture("png", 400, 100));
  await page.setInputFiles('input[type="file"]', { name: "a.png", mimeType: "image/png", buffer });
  const dialog = page.getByRole("dialog", { name: "Logo" });
  await dialog.getByLabel(/^Picture: drag it/).press("ArrowRight");
  await dialog.getByLabel("Zoom").fill("0.25");
  await page.screenshot({ path: join(SHOTS, "logo-crop-wide.png") });
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await dialog.waitFor({ state: "detached" });
  const logo = page.getByRole("main").locator("a img");
  await logo.and(page.locator('[src*="/api/team/logo"]')).waitFor();
  const alphas = await logo.evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const { width, height } = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return [4, height / 2].map((y) => context?.getImageData(width / 2, y, 1, 1).data[3]);
  });
  expect(alphas).toEqual([0, 255]);
  await page.getByRole("button", { name: "Remove logo" }).click();
  await page.getByRole("button", { name: "Choose a logo" }).waitFor();
});

test("a bot is created, gets a token that works, and loses it", async () => {
  const { page } = await open(admin, "/admin/bots", PHONE);
  await page.getByLabel("Username of the new bot").fill("deploy-bot");
  await page.getByRole("button", { name: "Create bot" }).click();
  await page.getByLabel("Token name").fill("CI");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.getByLabel("Token", { exact: true }).inputValue();
  expect(token).toMatch(/^snug_[\w-]{43}$/);
  await page.screenshot({ path: join(SHOTS, "admin-token-phone.png") });
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  const bot = new Caller(world.service.address);
  const headers = { authorization: `Bearer ${token}` };
  const me = await bot.call("GET", "/api/auth/me", undefined, headers);
  expect(me.body).toMatchObject({ username: "deploy-bot", is_bot: true });
  await page.getByRole("button", { name: "Revoke CI" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("No tokens yet").waitFor();
  expect((await bot.call("GET", "/api/auth/me", undefined, headers)).status).toBe(401);
});

test("what a bot has scheduled is shown with what was blocked, and is deleted", async () => {
  const { sql } = world.database;
  const grace = await world.person("grace-of-bots", { displayName: "Grace" });
  const clock = await world.bot("clock", ["write:messages"]);
  const openRoom = await world.room("standup", grace, [clock], "open");
  const secret = await world.room("merger", grace, [clock]);
  const plan = async (room_id: string, content: string, minutes: number) => {
    const send_at = new Date(Date.now() + minutes * 60_000).toISOString();
    const body = { room_id, content, send_at, zone: "UTC" };
    expect((await clock.post("/api/scheduled", body)).status).toBe(201);
  };
  const { page, context } = await open(admin, "/admin/bots");
  // While it loads, and where it cannot.
  const list = "**/api/admin/bots/*/scheduled*";
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await context.route(list, async (route) => {
    await held;
    await route.abort();
  });
  await page.getByRole("button", { name: "Open clock" }).click();
  await page.getByRole("heading", { name: "Scheduled messages" }).waitFor();
  await page.locator('[aria-busy="true"]').getByRole("listitem").last().waitFor();
  release();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.getByText("How to use it").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(SHOTS, "bot-scheduled-error.png") });
  await context.unroute(list);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No scheduled messages.").waitFor();
  await page.getByText("How to use it").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(SHOTS, "bot-scheduled-empty.png") });

  await plan(
    openRoom,
    "Good **morning**, stand-up in ten minutes: who is in the office today?",
    60,
  );
  await plan(secret, "the merger is on", 90);
  await plan(openRoom, "blocked words", 600);
  await sql`update scheduled_messages set state = 'failed', reason = 'not_a_member', ended_at = now()
    where room_id = ${secret}`;
  await page.reload();
  await page.getByRole("button", { name: "Open clock" }).click();
  const rows = page.getByRole("list", { name: "Scheduled messages" }).getByRole("listitem");
  await rows.nth(2).waitFor();
  await rows.filter({ hasText: "#standup" }).first().getByText("Good morning, stand-up").waitFor();
  const hidden = rows.filter({ hasText: "#merger" });
  await hidden.getByText("You can't read this room").waitFor();
  await hidden.getByText("the bot is no longer in this room").waitFor();
  expect(await page.getByText("the merger is on").count()).toBe(0);

  // A token that is revoked here blocks what it has scheduled, in the same list.
  await page.getByRole("button", { name: "Revoke a test" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await rows.filter({ hasText: "blocked words" }).getByText("its token was revoked").waitFor();
  const phone = await open(admin, "/admin/bots", PHONE);
  await phone.page.getByRole("button", { name: "Open clock" }).click();
  await phone.page
    .getByRole("list", { name: "Scheduled messages" })
    .getByRole("listitem")
    .nth(2)
    .waitFor();
  for (const theme of ["light", "dark"]) {
    await admin.patch("/api/auth/me", { theme, follows_system: false });
    for (const [name, shown] of [
      ["wide", page],
      ["phone", phone.page],
    ] as const) {
      await shown.locator(`html[data-theme="${theme}"]`).waitFor();
      await shown.getByText("How to use it").scrollIntoViewIfNeeded();
      await shown.screenshot({ path: join(SHOTS, `bot-scheduled-${name}-${theme}.png`) });
    }
  }
  await phone.context.close();
  const blocked = rows.filter({ hasText: "blocked words" });
  await blocked.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("in #standup").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Scheduled message deleted").waitFor();
  await blocked.waitFor({ state: "detached" });
  expect(await rows.count()).toBe(2);
});

test("two thousand people load while scrolling, and a room is transferred to a new owner", async () => {
  const { sql } = world.database;
  await sql`insert into users (id, username, email, display_name)
    select gen_random_uuid(), 'many-' || n, 'many-' || n || '@example.org',
      case when n % 7 = 0 then repeat('Very long name ', 5) end
    from generate_series(1, 2000) n`;
  await world.room("engines", admin);
  const { page } = await open(admin, "/admin/people");
  const rows = page.getByRole("list", { name: "People" }).getByRole("listitem");
  await rows.nth(49).waitFor();
  await page.screenshot({ path: join(SHOTS, "admin-many-wide.png") });
  await rows.nth(49).scrollIntoViewIfNeeded();
  await rows.nth(99).waitFor();
  await page.getByRole("link", { name: "Rooms", exact: true }).click();
  await choose(page, "#engines", "Transfer ownership");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Search by name").fill("many-1999");
  await dialog.getByRole("button", { name: "Transfer many-1999" }).click();
  await page.getByText("owner: many-1999", { exact: true }).waitFor();
});

test("nobody else sees the administration or loads its code", async () => {
  const someone = await world.person("someone");
  const { page, context } = await newPage(browser, WIDE);
  await signIn(context, someone);
  const loading: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) loading.push(response.text());
  });
  await page.goto(`${world.service.address}/admin/people`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("button", { name: /^You,/ }).click();
  await page.getByRole("menuitem", { name: "Your profile" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Administration" }).count()).toBe(0);
  page.removeAllListeners("response");
  const loaded = await Promise.all(loading);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((code) => code.includes("/api/admin/users"))).toEqual([]);
});
