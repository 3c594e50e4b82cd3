import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Locator, Page, Request } from "playwright-core";
import {
  act,
  firstNew,
  hasFocus,
  launchBrowser,
  messageRow,
  type PageOptions,
  PHONE,
  signedInPage,
  toasts,
  walk,
} from "../support/browser.ts";
import { startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import { inMinutes, passTime } from "../personal/stage.ts";
import { Finger } from "../support/finger.ts";
import { indexEverything } from "../support/search.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";
import { testConfig, World } from "../support/world.ts";

setDefaultTimeout(120_000);

const SHOTS = join(import.meta.dir, "../output");
let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
let tea: string;
let page: Page;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  room = await world.room("plans", ada, [bob]);
  tea = await world.room("tea", ada, [bob]);
  for (const text of ["the plan", "the list", "the end"]) await bob.say(room, text);
  ({ page } = await open(ada, "/rooms/plans"));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(client: Client, path: string, options?: PageOptions) {
  const tab = await signedInPage(browser, client, path, { bypassCSP: true, ...options });
  await tab.page.addScriptTag({ content: axe.source });
  return tab;
}

const row = (text: string, of = page): Locator => messageRow(of, text, "sent");
const composer = (of = page) => of.getByRole("textbox", { name: /^Message / });

const listRow = (of: Page, text: string) =>
  of.getByRole("main").getByRole("listitem").filter({ hasText: text });
const noToasts = (of: Page) => toasts(of).first().waitFor({ state: "detached" });

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

test("where nothing is kept, each list says how something comes into it", async () => {
  for (const [path, says] of [
    ["/later", "Save a message from its menu to find it here."],
    ["/later/due", "Nothing is due"],
    ["/later/done", "Nothing done yet"],
    ["/drafts", "No drafts"],
    ["/rooms/plans?panel=pins", "Pin a message from its menu."],
  ] as const) {
    await walk(page, path);
    await page.getByText(says).waitFor();
  }
  await walk(page, "/rooms/plans");
});

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
  await page.getByRole("link", { name: "All 2 pins" }).click();
  const panel = page.getByRole("complementary", { name: "Pins" });
  await panel.getByText("Pinned by Bob Noyce").waitFor();
  expect(await panel.getByRole("listitem").count()).toBe(2);
  // The line stays where it is, so that nothing below it moves.
  await line.getByRole("link", { name: "the list" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "pins-wide.png") });
  expect(await findings(page)).toEqual([]);
  await panel.getByRole("button", { name: "Unpin message" }).first().click();
  await row("the list").getByText("Pinned by").waitFor({ state: "detached" });
  const unpinned = toasts(page, "Message unpinned");
  await unpinned.getByRole("button", { name: "Undo" }).click();
  await row("the list").getByText("Pinned by Ada Lovelace").waitFor();
  await panel.getByRole("button", { name: "Close" }).press("Escape");
  await panel.waitFor({ state: "detached" });
});

test("U marks unread, and looking changes nothing until the room was left and opened again", async () => {
  const other = await open(ada, "/rooms/plans");
  await row("the end", other.page).waitFor();
  await act(row("the list"), "Mark unread from here");
  const unread = (of: Page) => of.getByRole("link", { name: "plans unread" });
  const divider = firstNew(page).and(row("the list"));
  await divider.waitFor();
  expect(await findings(page)).toEqual([]);
  // Nor does another page of theirs that looks at it.
  await unread(other.page).waitFor();
  await other.page.bringToFront();
  await row("the end", other.page).hover({ force: true });
  await page.bringToFront();
  await row("the end").hover({ force: true });
  await page.getByRole("navigation", { name: "Rooms" }).getByRole("link", { name: "tea" }).click();
  await page.getByLabel("Message #tea").waitFor();
  await unread(page).click();
  await unread(page).waitFor({ state: "detached" });
  await row("the list").focus();
  await page.keyboard.press("ArrowDown");
  await row("the end").getByRole("toolbar").waitFor();
  await page.keyboard.press("u");
  await unread(page).waitFor();
  // It is also said of the row that has the focus and shows its button instead.
  await unread(page).focus();
  await unread(page).waitFor();
  await composer().press("Escape");
  await unread(page).waitFor({ state: "detached" });
});

test("S saves for later, Shift-S with a reminder; Later lists it, done and undone", async () => {
  await row("the plan").focus();
  await page.keyboard.press("ArrowDown");
  await row("the list").getByRole("toolbar").waitFor();
  await page.keyboard.press("s");
  await row("the list").getByRole("link", { name: "Saved for later" }).waitFor();
  await row("the end").focus();
  await row("the end").getByRole("toolbar").waitFor();
  await page.keyboard.press("Shift+S");
  const dialog = page.getByRole("dialog", { name: "Remind me" });
  await dialog.waitFor();
  await page.screenshot({ path: join(SHOTS, "remind-wide.png") });
  await dialog.getByLabel("Note").fill("ask Bob");
  await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
  await dialog.waitFor({ state: "detached" });
  await page
    .getByRole("navigation", { name: "Rooms" })
    .getByRole("link", { name: "Later" })
    .click();
  const list = page.getByRole("list", { name: "Open" });
  await list.getByText("ask Bob").waitFor();
  await list.getByText(/^Reminder tomorrow/).waitFor();
  await page.screenshot({ path: join(SHOTS, "later-wide.png") });
  expect(await findings(page)).toEqual([]);
  const entry = list.getByRole("listitem").filter({ hasText: "the list" });
  await entry.getByRole("button", { name: "Mark as done" }).click();
  await entry.waitFor({ state: "detached" });
  // The focus stays in the list, on the row that has taken the place.
  await list.locator("button:focus").waitFor();
  // The toasts of what was saved before are there too.
  await toasts(page, "Done").getByRole("button", { name: "Undo" }).click();
  await entry.waitFor();
  // The arrows lead from row to row, and a row has a key for each of its buttons.
  await page.keyboard.press("Home");
  await hasFocus(list.getByRole("link").first());
  await page.keyboard.press("End");
  await hasFocus(list.getByRole("link").last());
  await page.keyboard.press("Home");
  await entry.getByRole("link").focus();
  await page.keyboard.press("e");
  await entry.waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Later" }).getByRole("link", { name: "Done" }).click();
  const done = page.getByRole("list", { name: "Done" }).getByRole("listitem");
  await done.getByRole("link", { name: /the list/ }).press("e");
  await done.waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Later" }).getByRole("link", { name: "Open" }).click();
  // A right click shows the actions in words.
  await entry.click({ button: "right" });
  await page
    .getByRole("menu", { name: "Actions" })
    .getByRole("menuitem", { name: "Remove from Later" })
    .click();
  await entry.waitFor({ state: "detached" });
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await row("the list").getByText("Saved for later").waitFor({ state: "detached" });
});

test("a response to an earlier load of a list does not replace the response to a later load", async () => {
  const { items } = (await ada.get(`/api/rooms/${room}/messages`)).body;
  const idOf = (text: string) =>
    items.find(({ content }: { content: string }) => content === text).id;
  await walk(page, "/later");
  const list = page.getByRole("list", { name: "Open" });
  await list.getByText("the end").waitFor();
  const isList = ({ pathname, searchParams }: URL) =>
    pathname === "/api/saved" && searchParams.get("filter") === "open";
  const { promise: read, resolve: onRead } = Promise.withResolvers<Request>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route(isList, async (route) => {
    const isHeld = isFirst;
    isFirst = false;
    const response = await route.fetch();
    if (isHeld) {
      onRead(route.request());
      await released;
    }
    await route.fulfill({ response });
  });
  await ada.put(`/api/saved/${idOf("the plan")}`, {});
  const request = await read;
  await ada.put(`/api/saved/${idOf("the list")}`, {});
  await list.getByText("the list").waitFor();
  const finished = page.waitForEvent("requestfinished", (other) => other === request);
  release();
  await finished;
  await walk(page, "/later");
  expect(await list.getByText("the list").count()).toBe(1);
  await page.unroute(isList);
  for (const text of ["the plan", "the list"]) await ada.delete(`/api/saved/${idOf(text)}`);
  await walk(page, "/rooms/plans");
  await row("the list").getByText("Saved for later").waitFor({ state: "detached" });
});

test("what is saved while no signal arrives is listed once signals arrive again", async () => {
  const way = new StallingProxy(world.target);
  const service = await startService(testConfig(world.settings), way.target);
  const { page } = await signedInPage(
    browser,
    new Client(service.address, bob.cookie, bob.user),
    "/later",
  );
  await page.getByText("Save a message from its menu to find it here.").waitFor();
  for (const link of way.links) link.isStalled ||= link.listens;
  const { id } = await ada.say(room, "saved elsewhere");
  await bob.put(`/api/saved/${id}`, {});
  way.cut();
  await listRow(page, "saved elsewhere").waitFor();
  await ada.delete(`/api/messages/${id}`);
  await page.context().close();
  await service.stop();
  way.close();
});

test("a draft is on every device; of two both stay until the writer decides", async () => {
  const phone = await open(ada, "/rooms/tea", PHONE);
  const saves: unknown[] = [];
  for (const one of [phone.page, page]) {
    one.on("request", (request) => {
      if (request.method() === "PUT" && request.url().endsWith("/drafts"))
        saves.push(request.postDataJSON().content);
    });
  }
  await composer(phone.page).waitFor();
  await phone.page.locator("form[data-draft]").waitFor();
  await walk(page, "/rooms/tea");
  await composer().fill("from the laptop");
  await page.getByLabel("Message #tea").blur();
  await expectSoon(() => composer(phone.page).inputValue(), "from the laptop");
  await phone.page.context().setOffline(true);
  await composer(phone.page).fill("from the phone");
  await composer().fill("from the laptop, more");
  await page.getByLabel("Message #tea").blur();
  await phone.page.context().setOffline(false);
  const offer = phone.page.getByRole("region", { name: "Another draft" });
  await offer.getByText("from the laptop, more").waitFor();
  await offer.getByText(/^Another draft, from your computer/).waitFor();
  await phone.page.screenshot({ path: join(SHOTS, "draft-offer-phone.png") });
  expect(await findings(phone.page)).toEqual([]);
  await offer.getByRole("button", { name: "Add below" }).click();
  await expectSoon(
    () => composer(phone.page).inputValue(),
    "from the phone\nfrom the laptop, more",
  );
  await composer(phone.page).blur();
  await eventually(async () => (await composer().inputValue()).startsWith("from the phone"));
  await phone.page.getByRole("button", { name: "Send", exact: true }).click();
  await expectSoon(() => composer().inputValue(), "");
  // The message has cleared it, and no request beside it.
  await row("from the phone").waitFor();
  expect(saves).not.toContain(null);
  await shareParts(phone.page);
});

const attached = (of: Page) => of.getByRole("list", { name: "Attachments" }).getByRole("listitem");
const quoted = (of: Page) => of.getByRole("button", { name: "Remove the quote" }).locator("..");

/** What goes with a draft is on the other device too, and goes with the message. */
async function shareParts(phone: Page): Promise<void> {
  // What is written into, is left alone.
  await composer(phone).blur();
  const image = { name: "tea.png", mimeType: "image/png", buffer: Buffer.from(PNG) };
  await page.setInputFiles('input[type="file"]', image);
  await attached(page).and(page.locator('[data-state="done"]')).waitFor();
  await row("from the phone").hover();
  await row("from the phone").getByRole("button", { name: "Reply with a quote" }).click();
  await quoted(page).waitFor();
  await composer().blur();
  const [chip, tray] = [quoted(phone), attached(phone)];
  await tray.waitFor();
  await chip.getByText("from the phone").waitFor();
  await phone.screenshot({ path: join(SHOTS, "draft-parts-phone.png") });
  await phone.reload();
  await tray.waitFor();
  await chip.getByText("from the phone").waitFor();
  expect(await findings(page)).toEqual([]);
  await tray.getByRole("button", { name: /^Remove/ }).click();
  await tray.waitFor({ state: "detached" });
  await attached(page).waitFor({ state: "detached" });
  await composer(phone).fill("with milk");
  await phone.getByRole("button", { name: "Send", exact: true }).click();
  await row("with milk")
    .getByRole("link", { name: /^Go to the quoted message/ })
    .getByText("from the phone")
    .waitFor();
  await quoted(page).waitFor({ state: "detached" });
}

test("a message is sent later: planned beside Send, listed, changed, and sent now", async () => {
  await composer().fill("good morning");
  await page.getByRole("button", { name: "At another time" }).click();
  await page.screenshot({ path: join(SHOTS, "send-later-wide.png") });
  await page.getByRole("menuitem", { name: /^Tomorrow/ }).click();
  await page.getByRole("link", { name: /^1 message will be sent tomorrow/ }).click();
  const waiting = page.getByRole("list", { name: "Scheduled", exact: true });
  await waiting.getByText("good morning").waitFor();
  await page.screenshot({ path: join(SHOTS, "drafts-wide.png") });
  expect(await findings(page)).toEqual([]);
  await waiting.getByRole("button", { name: "Change scheduled message" }).click();
  const dialog = page.getByRole("dialog", { name: "Change scheduled message" });
  await dialog.getByLabel("Message", { exact: true }).fill("good evening");
  await dialog.getByRole("button", { name: "Send later" }).click();
  await waiting.getByText("good evening").waitFor();
  await waiting.getByRole("button", { name: "Send now" }).click();
  await waiting.getByText("good evening").waitFor({ state: "detached" });
  await page.goBack();
  await row("good evening").waitFor();
});

test("a draft is listed with its styles, and its row leads to it", async () => {
  const tab = await open(ada, "/drafts");
  const quiet = await world.room("quiet", ada, [bob]);
  const body = { room_id: quiet, base_version: 0, content: "so **very** warm" };
  expect((await ada.put("/api/drafts", body)).status).toBe(200);
  const drafts = tab.page.getByRole("list", { name: "Drafts" });
  await drafts.locator("strong", { hasText: "very" }).waitFor();
  const filters = tab.page.getByRole("group", { name: "Drafts & scheduled" });
  await filters.getByRole("button", { name: "Scheduled" }).click();
  await tab.page.getByRole("heading", { name: "No scheduled messages" }).waitFor();
  expect(await drafts.count()).toBe(0);
  await filters.getByRole("button", { name: "Drafts" }).click();
  await drafts.getByRole("link", { name: /quiet .*so very warm/ }).press("Delete");
  await drafts.getByText("so very warm").waitFor({ state: "detached" });
});

test("a scheduled message whose quote is gone comes back with Undo", async () => {
  const tab = await open(ada, "/drafts");
  const { id: quote_id } = await bob.say(tea, "quoted for a while");
  const plan = { room_id: tea, content: "an answer", send_at: inMinutes(60), zone: "UTC" };
  expect((await ada.post("/api/scheduled", { ...plan, quote_id })).status).toBe(201);
  await bob.delete(`/api/messages/${quote_id}`);
  const text = tab.page
    .getByRole("list", { name: "Scheduled", exact: true })
    .getByText("an answer");
  await text.waitFor();
  await tab.page.getByRole("button", { name: "Delete scheduled message" }).click();
  await text.waitFor({ state: "detached" });
  await tab.page.getByRole("button", { name: "Undo" }).click();
  await text.waitFor();
  const { items } = (await ada.get("/api/scheduled")).body;
  const [again] = items.filter(({ content }: { content: string }) => content === "an answer");
  expect(again).toMatchObject({ quote_id: null, state: "waiting" });
  await ada.delete(`/api/scheduled/${again.id}`);
});

test("what is due and what failed is in the sidebar, with the next step", async () => {
  const doomed = await world.room("doomed", bob, [ada]);
  const send_at = inMinutes(5);
  const plan = { content: "too late", send_at, zone: "UTC" };
  await ada.post("/api/scheduled", { ...plan, room_id: doomed });
  await ada.post("/api/scheduled", { ...plan, room_id: tea, content: "sent late" });
  await world.archive("doomed", true);
  await walk(page, "/rooms/tea");
  // That of another test says the same.
  await noToasts(page);
  await composer().fill("/remind me in 3 minutes drink it");
  await composer().press("Enter");
  // Near midnight, a few minutes are another day.
  await page.getByText(/^You'll be reminded to(day|morrow)/).waitFor();
  await passTime(world);
  await page.getByText("Reminder: drink it").waitFor();
  await row("sent late")
    .getByText(/^Scheduled for/)
    .waitFor();
  await page.getByRole("link", { name: "Later 1 due" }).click();
  const due = page.getByRole("list", { name: "Open" }).getByRole("listitem");
  await due
    .filter({ hasText: "drink it" })
    .getByText(/^Due (to|yester)day/)
    .waitFor();
  await page.getByRole("link", { name: "Drafts 1 not sent" }).click();
  const failed = page.getByRole("list", { name: "Not sent" });
  await failed.getByText("Not sent: #doomed was archived (today).").waitFor();
  await page.screenshot({ path: join(SHOTS, "drafts-failed-wide.png") });
  expect(await findings(page)).toEqual([]);
  await failed.getByRole("button", { name: "Choose another room" }).click();
  const dialog = page.getByRole("dialog", { name: "Change scheduled message" });
  await dialog.getByLabel("Room or conversation").selectOption({ label: "#tea" });
  await page.screenshot({ path: join(SHOTS, "scheduled-dialog-wide.png") });
  await dialog.getByRole("button", { name: "Send later" }).click();
  await failed.waitFor({ state: "detached" });
  await page
    .getByRole("list", { name: "Scheduled", exact: true })
    .getByText("tea", { exact: true })
    .waitFor();
  await indexEverything(world.database);
  await walk(page, "/search?q=is:saved");
  await listRow(page, "drink it").waitFor();
  await showFailures();
  await loseRoom();
});

/** Why a planned message was not sent, and what helps. */
const FAILURES: [reason: string, says: RegExp, step: string][] = [
  ["not_a_member", /you are no longer in that room/, "Choose another room"],
  ["room_archived", /#tea was archived/, "Choose another room"],
  ["unknown_thread", /the thread in #tea is gone/, "Choose another room"],
  ["threads_off", /threads are off in #tea/, "Choose another room"],
  ["conversation_closed", /nobody is left/, "Choose another room"],
  ["too_late", /unavailable for more than 12 hours/, "Send now"],
  ["deactivated", /your account was deactivated/, "Send now"],
  ["unknown_upload", /its file is gone/, "Change scheduled message"],
  ["broadcast_restricted", /you can't use @room/, "Change scheduled message"],
];

/** Each state is in the list, with its reason and the next step. */
async function showFailures(): Promise<void> {
  await world.database.sql`
    insert into scheduled_messages (id, user_id, room_id, content, send_at, zone, state, reason, ended_at)
    select gen_random_uuid(), ${ada.user.id}, ${tea}, 'words of ' || reason, clock_timestamp(),
      'Pacific/Auckland', 'failed', reason, clock_timestamp()
    from unnest(${FAILURES.map(([reason]) => reason)}::text[]) reason`;
  await page.goto(`${world.service.address}/drafts`);
  const failed = page.getByRole("list", { name: "Not sent" }).getByRole("listitem");
  for (const [reason, says, step] of FAILURES) {
    const entry = failed.filter({ hasText: `words of ${reason}` });
    await entry.getByText(says).waitFor();
    await entry.locator("time[data-tooltip$='in Auckland']").waitFor();
    await entry.getByRole("button", { name: "Copy", exact: true }).waitFor();
    await entry.getByRole("button", { name: step, exact: true }).waitFor();
  }
  await page.screenshot({ path: join(SHOTS, "drafts-reasons-wide.png"), fullPage: true });
  const late = failed.filter({ hasText: "words of too_late" });
  await late.getByRole("button", { name: "Send now", exact: true }).click();
  await late.waitFor({ state: "detached" });
}

/** A draft goes with its room, but not its words. */
async function loseRoom(): Promise<void> {
  const lost = await world.room("lost", bob, [ada]);
  await walk(page, "/rooms/lost");
  await page.getByLabel("Message #lost").fill("my words");
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/api/drafts"));
  await page.getByLabel("Message #lost").blur();
  await saved;
  await bob.delete(`/api/rooms/${lost}`);
  const toast = toasts(page, "The room was deleted, and your draft in it.");
  await toast.getByRole("button", { name: "Copy", exact: true }).waitFor();
}

/** A message that is pulled far enough to the left is kept for later, and nothing else is. */
async function swipeMessage(phone: Page, finger: Finger): Promise<void> {
  const [message, hint] = [
    row("the end", phone),
    phone.getByText(/^(Save for later|Remove from Later)$/),
  ];
  const opacity = () => hint.evaluate((element) => Number(getComputedStyle(element).opacity));
  // Toasts that are over the rows go.
  await phone.clock.runFor(6_000);
  await noToasts(phone);
  // Not far enough; down rather than across; from the edge, which is the browser's.
  await finger.pull(message, { x: -70 });
  expect(await opacity()).toBeLessThan(1);
  await finger.up();
  await hint.waitFor({ state: "detached" });
  await finger.pull(message, { x: -30, y: -60 });
  await finger.move({ x: -120 });
  expect(await hint.count()).toBe(0);
  await finger.up();
  const { y = 0 } = (await message.boundingBox()) ?? {};
  await finger.pull({ x: 312, y: y + 4 }, { x: -200 });
  expect(await hint.count()).toBe(0);
  await finger.up();
  // The first is saved already: pulled it is taken off.
  for (const [text, says, reducedMotion] of [
    ["the end", "Remove from Later", "no-preference"],
    ["the list", "Save for later", "reduce"],
  ] as const) {
    await phone.emulateMedia({ reducedMotion });
    // Toasts that are over the rows go.
    await phone.clock.runFor(6_000);
    await noToasts(phone);
    const mark = row(text, phone).getByText("Saved for later");
    await finger.pull(row(text, phone), { x: -140 });
    await hint.filter({ hasText: says }).waitFor();
    await expectSoon(opacity, 1);
    await phone.screenshot({ path: join(SHOTS, `swipe-phone-${reducedMotion}.png`) });
    await finger.up();
    await mark.waitFor({ state: says === "Save for later" ? "visible" : "detached" });
    const done = says === "Save for later" ? "Saved for later" : "Removed from Later";
    await toasts(phone, done).waitFor();
  }
  await toasts(phone).getByRole("button", { name: "Undo" }).tap();
  await row("the list", phone).getByText("Saved for later").waitFor({ state: "detached" });
}

test("on a phone the sheet saves and pins, and a swipe marks done", async () => {
  const { page: phone } = await open(ada, "/rooms/plans", {
    ...PHONE,
    colorScheme: "dark",
    viewport: { width: 320, height: 640 },
  });
  await phone.clock.install();
  await phone.reload();
  // The first marks of a device move the rows: what is pressed has to be at its place.
  await row("the end", phone).getByText("Saved for later").waitFor();
  const finger = await Finger.on(phone);
  const sheet = phone.getByRole("dialog", { name: "Message actions" });
  await finger.down(row("the plan", phone));
  await phone.clock.runFor(600);
  await sheet.waitFor();
  await finger.up();
  await phone.screenshot({ path: join(SHOTS, "keep-sheet-phone.png") });
  await sheet.getByRole("button", { name: "Save for later" }).tap();
  // What is loaded later is rendered in frames, and the clock that they follow is the test's.
  const mark = row("the plan", phone).getByText("Saved for later");
  for (let n = 0; n < 1_000 && !(await mark.isVisible()); n += 1) await phone.clock.runFor(20);
  expect(await mark.isVisible()).toBe(true);
  await phone.screenshot({ path: join(SHOTS, "pins-phone.png") });
  // The toast is above the composer, where the newest rows are.
  await phone.clock.runFor(6_000);
  await noToasts(phone);
  await finger.down(row("the list", phone));
  await phone.clock.runFor(600);
  await sheet.getByRole("button", { name: "Mark unread from here" }).tap();
  await finger.up();
  await firstNew(phone).and(row("the list", phone)).waitFor();
  await swipeMessage(phone, finger);
  await walk(phone, "/later");
  const entry = listRow(phone, "the plan");
  await entry.waitFor();
  await phone.screenshot({ path: join(SHOTS, "later-phone.png") });
  // What a pointer finds on hover, a finger that holds the row finds in a menu.
  await finger.down(entry);
  await phone.clock.runFor(600);
  await finger.up();
  await phone.clock.runFor(100);
  const actions = phone.getByRole("menu", { name: "Actions" });
  await actions.getByRole("menuitem", { name: "Remind me" }).waitFor();
  await phone.keyboard.press("Escape");
  await actions.waitFor({ state: "detached" });
  await finger.pull(entry, { x: -200 });
  await finger.up();
  await entry.waitFor({ state: "detached" });
  await walk(phone, "/later/done");
  await entry.waitFor();
  await walk(phone, "/rooms/plans?panel=pins");
  await phone.getByRole("complementary", { name: "Pins" }).getByText("the plan").waitFor();
  await phone.screenshot({ path: join(SHOTS, "pins-panel-phone.png") });
  await walk(phone, "/drafts");
  await phone.getByRole("heading", { name: "Scheduled", exact: true }).waitFor();
  await phone.screenshot({ path: join(SHOTS, "drafts-phone.png") });
});
