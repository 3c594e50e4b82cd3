import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import {
  announcer,
  hasFocus,
  launchBrowser,
  messageRow,
  newLine,
  PHONE,
  restLoaded,
  signedInPage,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);
const LONG = "x".repeat(400);
const MANY = 130;

let world: World;
let browser: Browser;
let [ada, grace] = [] as unknown as [Client, Client];
let general: string;
let other: string;
let rootId: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  grace = await world.person("grace", { displayName: "Grace Hopper" });
  general = await world.room("general", ada, [grace]);
  other = await world.room("a-room-with-a-name-that-is-rather-long", ada, [grace]);
  rootId = (await ada.say(general, `When do we **deploy** the engine? ${LONG}`)).id;
  await moveOn(general);
  await grace.say(general, "Something else");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Says enough that what follows is out of sight of what was said before: only then a reply has a line. */
async function moveOn(room: string): Promise<void> {
  for (let n = 0; n < 6; n += 1) await grace.say(room, `Meanwhile ${n}`);
}

const open = (path: string, options: object = WIDE) =>
  signedInPage(browser, ada, path, { ...options, bypassCSP: true });
const shot = (page: Page, name: string) =>
  page.screenshot({ path: join(SHOTS, `threads-${name}.png`) });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const threadOf = (page: Page) => page.getByRole("region", { name: "Thread" });
const writing = (page: Page) => page.getByRole("textbox", { name: "Reply in the thread" });
const rowOf = (within: Locator, text: string) => messageRow(within, text);
/** The lines that stand for replies of a thread in its room. */
const folds = (page: Page) =>
  page
    .locator("[data-message-id]")
    .filter({ has: page.getByRole("link", { name: /^\d+ repl(y|ies) in .*, last by / }) });
/** The link below the first message of a thread, with its title and the number of replies. */
const strip = (page: Page) => page.getByRole("link", { name: /\d+ repl(y|ies)(?! in )/ });
const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { y: -1, height: -1 };
const isWithin = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function findings(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.addScriptTag({ content: axe.source });
  return page.evaluate(async () => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await injected.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

test("replies are one line of the room, which opens their thread beside it", async () => {
  const first = await grace.say(general, "On Friday", { thread_id: rootId });
  const { page } = await open("/rooms/general");
  const fold = folds(page);
  await fold.getByText("1 reply in When do we deploy the engine?…, last by Grace Hopper").waitFor();
  const before = await boxOf(fold);
  await grace.say(general, "or on Monday", { thread_id: rootId });
  await grace.say(general, `and it is ${LONG}`, { thread_id: rootId });
  await fold.getByText("3 replies in When").first().waitFor();
  // It grows in words, and neither it nor what is above it moves.
  expect(await boxOf(fold)).toEqual(before);
  expect(await fold.count()).toBe(1);
  await rowOf(page.locator("main"), "When do we deploy").getByText("3 replies").waitFor();
  await shot(page, "room-wide");

  // One stop of the keyboard, between the message before and the end.
  await fold.focus();
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Something");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const thread = threadOf(page);
  await thread.getByText("or on Monday").waitFor();
  expect(pathOf(page)).toBe(`/rooms/general/t/${rootId}/m/${first.id}`);
  await thread.locator("[aria-current][data-message-id]", { hasText: "On Friday" }).waitFor();
  // What was seen is read, for the sidebar too.
  const threads = page.getByRole("link", { name: "Threads" });
  await threads.waitFor();
  await threads.getByRole("img").waitFor({ state: "detached" });
  await shot(page, "pane-wide");

  await writing(page).fill("It is green now");
  await page.keyboard.press("Enter");
  await rowOf(thread, "It is green now").and(thread.locator("[data-message-id]")).waitFor();
  await fold.getByText("4 replies").first().waitFor();
  await thread.getByText("4 replies", { exact: true }).waitFor();

  // On a narrow page it takes half of the room, and on a narrower one covers it.
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  const room = page.getByRole("region", { name: "#general" });
  const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
  await eventually(async () => (await widthOf(room)) === (await widthOf(thread)));
  await page.getByLabel("Message #general").fill("in reach");
  await page.getByLabel("Message #general").fill("");
  expect(await isWithin(page)).toBe(true);
  await page.setViewportSize({ width: 800, height: 800 });
  await eventually(async () => (await widthOf(room)) === (await widthOf(thread)));
  expect(await room.evaluate((element: HTMLElement) => element.inert)).toBe(true);
  expect(await isWithin(page)).toBe(true);
  await shot(page, "pane-narrow");
  await page.setViewportSize(WIDE.viewport);

  // A draft of its own, over a reload.
  await writing(page).fill("not sent yet");
  await page.reload();
  await thread.getByText("or on Monday").waitFor();
  expect(await writing(page).inputValue()).toBe("not sent yet");
  expect(await page.getByLabel("Message #general").inputValue()).toBe("");
  await writing(page).fill("");

  await writing(page).press("Escape");
  await thread.waitFor({ state: "detached" });
  expect(pathOf(page)).toBe("/rooms/general");
});

test("an open list of threads follows edits and deletions of the last replies", async () => {
  const room = await world.room("last-words", ada, [grace]);
  const root = await ada.say(room, "Who has the last word?");
  await grace.say(room, "Not I", { thread_id: root.id });
  const reply = await grace.say(room, "I have", { thread_id: root.id });
  const { page } = await open("/threads");
  await page.getByText("I have").waitFor();
  await grace.patch(`/api/messages/${reply.id}`, { content: "I had it" });
  await page.getByText("I had it").waitFor();
  await grace.delete(`/api/messages/${reply.id}`);
  await page.getByText("I had it").waitFor({ state: "detached" });
  await page.context().close();
  // The next tests count the threads that she follows.
  await ada.delete(`/api/rooms/${room}`);
});

test("replies near their root have no line, and are read with it", async () => {
  const room = await world.room("near", ada, [grace]);
  const root = await grace.say(room, "Shall we?");
  await ada.post(`/api/rooms/${room}/read`);
  const { page } = await open("/rooms/near");
  const row = rowOf(page.locator("main"), "Shall we?");
  await row.waitFor();
  const marks: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(`/rooms/${room}/read`))
      marks.push(request.postDataJSON().message_id);
  });
  // The page has joined the room: what arrives from now on is seen as it arrives.
  await grace.say(room, "Anyone?");
  await rowOf(page.locator("main"), "Anyone?").waitFor();
  const reply = await grace.say(room, "We shall", { thread_id: root.id });
  await row.getByText("1 reply").waitFor();
  while (marks.at(-1) !== reply.id) await page.waitForEvent("request");
  expect(await folds(page).count()).toBe(0);
});

test("a thread gets a title, is done, and is marked unread again", async () => {
  const { page } = await open(`/rooms/general/t/${rootId}`);
  const thread = threadOf(page);
  await thread.getByText("or on Monday").waitFor();
  await thread.getByRole("button", { name: "Actions for this thread" }).click();
  await page.getByRole("menuitem", { name: "Title of the thread" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Deploy on Friday");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await thread.getByRole("heading", { name: "Deploy on Friday" }).waitFor();
  await folds(page).getByText("in Deploy on Friday, last").waitFor();
  await strip(page).getByText("Deploy on Friday").waitFor();

  await restLoaded(page);
  await thread.getByRole("button", { name: "Mark as done" }).click();
  await strip(page).getByText("Done").waitFor();
  // The next reply opens it.
  await grace.say(general, "It is red again", { thread_id: rootId });
  const announced = "Grace Hopper, in the thread Deploy on Friday: It is red again";
  await announcer(page).getByText(announced).waitFor({ state: "attached" });
  await thread.getByRole("button", { name: "Mark as done" }).waitFor();
  // By its key, on the reply that has the focus.
  await rowOf(thread, "It is red again").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await rowOf(thread, "It is red again").getByRole("toolbar").waitFor();
  await page.keyboard.press("u");
  await page.getByRole("link", { name: "Threads 1 unread thread" }).getByText("1").waitFor();
  expect(await page.title()).toStartWith("(1)");

  await page.keyboard.press("Control+Shift+L");
  const unread = page.getByRole("list", { name: "With new replies" });
  await unread.getByText("Deploy on Friday").waitFor();
  await unread.getByRole("img", { name: /^\d+ new repl(y|ies)$/ }).waitFor();
  await page
    .getByRole("link", { name: "Threads" })
    .getByRole("img", { name: "1 unread thread" })
    .waitFor();
  await shot(page, "list-wide");
  expect(await findings(page)).toEqual([]);
  // The row has the last reply; its keys mark it read and unread.
  const row = unread.getByRole("link", { name: /Deploy on Friday/ });
  await row.getByText("Grace Hopper: It is red again").waitFor();
  await row.press("e");
  await unread.waitFor({ state: "detached" });
  const earlier = page.getByRole("list", { name: "Earlier" });
  await earlier.getByRole("link", { name: /Deploy on Friday/ }).press("u");
  await row.waitFor();
  const readAll = page.getByRole("button", { name: "Mark all as read" });
  const filters = page.getByRole("group", { name: "Threads" });
  const [button, chip] = await Promise.all(
    [readAll, filters.getByRole("button", { name: "Following" })].map((part) =>
      part.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().bottom;
      }),
    ),
  );
  expect(Math.abs((button ?? 0) - (chip ?? 0))).toBeLessThan(1);
  await readAll.press("Enter");
  await unread.waitFor({ state: "detached" });
  await hasFocus(page.getByRole("heading", { name: "Threads" }));
  await filters.getByRole("button", { name: "With new replies" }).click();
  await page.getByText("You've read all replies").waitFor();
  await filters.getByRole("button", { name: "In a room" }).click();
  await page.getByRole("menuitemradio", { name: "#general", exact: true }).click();
  await filters.getByRole("button", { name: "#general" }).waitFor();
  await earlier.getByText("Deploy on Friday").click();
  await thread.getByText("It is red again").waitFor();

  // Not followed any more, it says nothing of new replies.
  const actions = thread.getByRole("button", { name: "Actions for this thread" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Stop following" }).click();
  await page.getByRole("link", { name: "Threads" }).waitFor({ state: "detached" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Follow the thread" }).click();
  await page.getByRole("link", { name: "Threads" }).waitFor();

  // Esc in the room says that one is done with its threads too; Shift-Esc with everything.
  await thread.getByRole("button", { name: "Close the thread" }).click();
  await grace.say(general, "Once more", { thread_id: rootId });
  const badge = page.getByRole("link", { name: "Threads" }).getByRole("img");
  await badge.waitFor();
  // It reads what is there when it arrives, which the next reply must not be.
  const marked = page.waitForResponse((answer) => answer.url().endsWith("/api/threads/read"));
  await page.getByLabel("Message #general").press("Escape");
  await badge.waitFor({ state: "detached" });
  await marked;
  await grace.say(general, "And again", { thread_id: rootId });
  await grace.say(other, "News");
  await badge.waitFor();
  await page.keyboard.press("Shift+Escape");
  await page.getByRole("button", { name: "Mark everything as read" }).click();
  await badge.waitFor({ state: "detached" });
  await page
    .getByRole("navigation", { name: "Rooms" })
    .getByRole("img", { name: /unread|mention/ })
    .waitFor({ state: "detached" });
});

test("quotes are live, in rooms and in threads, and lead to what they quote", async () => {
  const message = await grace.say(general, "What do we call it?");
  const { page } = await open("/rooms/general");
  const log = page.getByRole("log", { name: "Messages in #general" });
  const row = rowOf(log, "What do we call it?").first();
  await row.waitFor();
  await row.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await row.getByRole("toolbar").waitFor();
  await page.keyboard.press("q");
  const chip = page.locator("form").getByText("What do we call it?");
  await chip.waitFor();
  await shot(page, "chip-wide");
  await page.getByRole("button", { name: "Remove the quote" }).click();
  await chip.waitFor({ state: "detached" });
  await row.hover();
  await row.getByRole("button", { name: "Reply with a quote" }).click();
  await page.getByLabel("Message #general").fill("The snug");
  await page.keyboard.press("Enter");
  const card = rowOf(log, "The snug").getByRole("link", {
    name: "Go to the quoted message from Grace Hopper",
  });
  await card.getByText("What do we call it?").waitFor();
  await grace.patch(`/api/messages/${message.id}`, { content: "How is it called?" });
  await card.getByText("How is it called?").waitFor();
  await card.click();
  await log.locator("[aria-current][data-message-id]", { hasText: "How is it called?" }).waitFor();
  await grace.delete(`/api/messages/${message.id}`);
  await rowOf(log, "The snug").getByText("a deleted message").waitFor();

  // A link to another room's message has a card, for those who may read it.
  const there = await grace.say(other, `Over there ${LONG}`);
  const address = `${world.service.address}/rooms/a-room-with-a-name-that-is-rather-long/m/${there.id}`;
  await grace.say(general, `see ${address}`);
  await log.getByRole("link", { name: /Grace Hopper #a-room.* Over there/ }).waitFor();
  expect(await isWithin(page)).toBe(true);

  // A root that is deleted leaves its place to its replies.
  const root = await ada.say(general, "A root that goes");
  await moveOn(general);
  await grace.say(general, "an answer that stays", { thread_id: root.id });
  await strip(page).getByText("1 reply").waitFor();
  await ada.delete(`/api/messages/${root.id}`);
  await log.getByText("This message was deleted.").waitFor();
  await folds(page).getByText("an answer that stays").waitFor();
  await shot(page, "quotes-wide");
  expect(await findings(page)).toEqual([]);

  // In a conversation one quotes, and begins no thread.
  const { body: direct } = await ada.post("/api/direct", { user_ids: [grace.user.id] });
  await grace.say(direct.id, "Between us");
  await walk(page, `/direct/${direct.id}`);
  const between = rowOf(page.locator("main"), "Between us").first();
  await between.hover();
  await between.getByRole("button", { name: "Reply with a quote" }).click();
  expect(await between.getByRole("button", { name: "Reply in a thread" }).count()).toBe(0);
  await page.getByLabel("Message Grace Hopper").fill("Of course");
  await page.keyboard.press("Enter");
  await rowOf(page.locator("main"), "Of course")
    .getByRole("link", { name: "Go to the quoted message from Grace Hopper" })
    .waitFor();
  await walk(page, "/rooms/general");

  // Without threads one can still quote.
  const chooseThreads = async (label: string) => {
    await page.getByRole("button", { name: "Room settings" }).click();
    await page.getByRole("combobox", { name: "Threads" }).selectOption({ label });
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === "PATCH"),
      page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Settings" }).waitFor({ state: "detached" });
  };
  await chooseThreads("No new threads; quotes only");
  const last = rowOf(log, "The snug");
  await last.hover();
  await last.getByRole("button", { name: "Reply with a quote" }).waitFor();
  await last.getByRole("button", { name: "Reply in a thread" }).waitFor({ state: "detached" });
  await chooseThreads("Members can start threads");
  await last.hover();
  await last.getByRole("button", { name: "Reply in a thread" }).waitFor();

  // Every reply of a room can be wanted, and be shown in full on a device.
  await page.getByRole("button", { name: "Notifications for this room" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Also replies in threads" }).click();
  await page.getByText("You'll be notified about all replies in #general").waitFor();
  const { body: mine } = await ada.get(`/api/rooms/${general}`);
  expect(mine.membership.thread_push).toBe("all");
  await walk(page, "/profile/appearance");
  const inFull = page.getByRole("switch", { name: "Show replies in full in rooms" });
  await inFull.click();
  await walk(page, "/rooms/general");
  await rowOf(log, "an answer that stays").waitFor();
  expect(await folds(page).count()).toBe(0);
  await walk(page, "/profile/appearance");
  await inFull.click();
  await walk(page, "/rooms/general");
  await folds(page).getByText("an answer that stays").waitFor();
});

test("a thread opens with its first message in view, and with what is new", async () => {
  const room = await world.room("opened", ada, [grace]);
  const root = await ada.say(room, `What is new? ${"It is long. ".repeat(40)}`);
  const bar = (page: Page) => threadOf(page).getByRole("button", { name: /^Ada Lovelace/ });
  const firstBar = (page: Page) => bar(page).and(page.locator("[aria-expanded]"));
  const address = `/rooms/opened/t/${root.id}`;
  await grace.say(room, "First reply", { thread_id: root.id });
  const short = await open(address);
  await threadOf(short.page).getByText("First reply").waitFor();
  await threadOf(short.page).getByRole("log").getByText("What is new?").waitFor();
  expect(await firstBar(short.page).count()).toBe(0);
  await short.page.context().close();
  for (let n = 0; n < 20; n += 1) await grace.say(room, `Old ${n}`, { thread_id: root.id });
  await ada.say(room, "I have read all", { thread_id: root.id });
  for (let n = 0; n < 20; n += 1) await grace.say(room, `New ${n}`, { thread_id: root.id });
  const { page } = await open(address);
  const thread = threadOf(page);
  await newLine(thread).waitFor();
  const [line, list] = await Promise.all([
    newLine(thread).boundingBox(),
    thread.getByRole("log").boundingBox(),
  ]);
  const top = (list?.y ?? 0) + ((await firstBar(page).boundingBox())?.height ?? 0);
  expect(line?.y).toBeGreaterThan(top);
  expect(line?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0) / 2);
  // All of it is there after a click, without leaving what is read.
  await firstBar(page).click();
  await firstBar(page).locator("..").getByText("It is long. It is long.").waitFor();
  expect((await newLine(thread).boundingBox())?.y).toBe(line?.y);
  // In a low window it scrolls, and the button that closes it stays.
  await page.setViewportSize({ width: 1280, height: 400 });
  await firstBar(page)
    .locator("..")
    .evaluate((bar) => bar.scrollTo(0, bar.scrollHeight));
  expect((await firstBar(page).boundingBox())?.y).toBe(list?.y);
  await firstBar(page).click();
  await thread.getByRole("log").press("Home");
  await firstBar(page).waitFor({ state: "detached" });
});

test("a thread opens at what is new, however much that is", async () => {
  const room = await world.room("busy", ada, [grace]);
  const root = await ada.say(room, "A busy thread");
  await grace.say(room, "Read before", { thread_id: root.id });
  await ada.say(room, "I have read all", { thread_id: root.id });
  for (let n = 0; n < MANY; n += 1) await grace.say(room, `New ${n}.`, { thread_id: root.id });
  const { page } = await open(`/rooms/busy/t/${root.id}`);
  const log = threadOf(page).getByRole("log");
  const isAtQuarter = async (text: string) => {
    await log.getByText(text, { exact: true }).waitFor();
    const [line, list] = await Promise.all([boxOf(newLine(log)), boxOf(log)]);
    return Math.abs(line.y - list.y - list.height / 4) < 2;
  };
  await eventually(() => isAtQuarter("New 0."));
  // It is the same where the thread was open before.
  await threadOf(page).getByRole("button", { name: "Jump to latest" }).click();
  await log.getByText(`New ${MANY - 1}.`, { exact: true }).waitFor();
  await eventually(async () => {
    const { items } = (await ada.get("/api/threads?filter=unread")).body;
    return items.every((item: { root: { id: string } }) => item.root.id !== root.id);
  });
  await walk(page, "/rooms/general");
  for (let n = 0; n < MANY; n += 1) await grace.say(room, `Newer ${n}.`, { thread_id: root.id });
  await walk(page, `/rooms/busy/t/${root.id}`);
  await eventually(() => isAtQuarter("Newer 0."));
});

test("on a phone a thread is a screen; a long one loads as it is scrolled", async () => {
  const { id } = await grace.say(other, "A long one");
  await moveOn(other);
  for (let n = 0; n < MANY; n += 1) await grace.say(other, `Reply ${n}.`, { thread_id: id });
  const { page } = await open("/rooms/a-room-with-a-name-that-is-rather-long", {
    ...PHONE,
    colorScheme: "dark",
  });
  const fold = folds(page);
  await fold.getByText(`${MANY} replies in A long one, last`).waitFor();
  expect(await isWithin(page)).toBe(true);
  await shot(page, "room-phone");
  await strip(page).click();
  const thread = threadOf(page);
  const log = thread.getByRole("log");
  await thread.getByText(`Reply ${MANY - 1}.`, { exact: true }).waitFor();
  expect(await thread.getByText("Reply 10.", { exact: true }).count()).toBe(0);
  // The first message, which is not even loaded, is one line at the top.
  await thread.getByRole("button", { name: "Grace Hopper A long one", expanded: false }).waitFor();
  await shot(page, "pane-phone");
  for (let n = 0; n < 40 && (await log.getByText("A long one").count()) === 0; n += 1) {
    await thread.getByRole("log").evaluate((list) => list.scrollTo({ top: -list.scrollHeight }));
    await page.waitForFunction(() => true);
  }
  await thread.getByText("Reply 0.", { exact: true }).waitFor();
  await thread.getByRole("button", { name: "Jump to latest" }).tap();
  await thread.getByText(`Reply ${MANY - 1}.`, { exact: true }).waitFor();
  await thread.getByRole("button", { name: "Back" }).tap();
  await fold.waitFor();

  // A link to a reply opens its thread around it.
  const { body } = await grace.get(`/api/messages/${id}/thread?limit=100`);
  const reply = body.items[10];
  await walk(page, `/rooms/a-room-with-a-name-that-is-rather-long/m/${reply.id}`);
  await thread.locator("[aria-current][data-message-id]", { hasText: reply.content }).waitFor();
  expect(pathOf(page)).toEndWith(`/t/${id}/m/${reply.id}`);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await isWithin(page)).toBe(true);
  await walk(page, "/threads");
  await page.getByRole("button", { name: "In a room" }).waitFor();
  expect(await isWithin(page)).toBe(true);
  await shot(page, "list-phone");
});
