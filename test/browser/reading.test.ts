import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { MyRoom } from "../../src/wire/models.ts";
import {
  launchBrowser,
  newLine,
  PHONE,
  sidebarLink,
  signedInPage,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually, expectSoon } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const READ = 40;
/** More than the service's page of 50, so that the line is not among the newest. */
const UNREAD = 70;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** A room in which Ada has read 40 messages of Bob's and not read 70, the fifth of which mentions her. */
async function roomOf(name: string): Promise<string> {
  const roomId = await world.room(name, bob, [ada]);
  await world.room(`beside-${name}`, bob, [ada]);
  for (let n = 1; n <= READ; n++) await bob.say(roomId, `Read ${n}`);
  await ada.post(`/api/rooms/${roomId}/read`);
  for (let n = 1; n <= UNREAD; n++) await bob.say(roomId, n === 5 ? "@ada New 5" : `New ${n}`);
  return roomId;
}

async function open(path: string, options = WIDE, isCut = false) {
  const session = await world.signIn(ada.user);
  // The part after the first is asked for, and does not come.
  const cut = (page: Page) => isCut && page.route(/[?&]after=/, () => {});
  return signedInPage(browser, session, path, { timezoneId: "UTC", ...options }, cut);
}

const line = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true });

/** What leads to the newest message. */
const newest = (page: Page) => page.getByRole("button", { name: "Jump to latest" });
/** What leads to the first unread message. */
const unreadButton = (page: Page) => page.getByRole("button", { name: /new since/i });

async function marks(roomId: string): Promise<{ unread: boolean; mentions: number }> {
  const { body } = await ada.get(`/api/rooms/${roomId}`);
  const { unread, mention_count } = (body as MyRoom).membership ?? {};
  return { unread: unread === true, mentions: mention_count ?? 0 };
}

/** The messages that the service has as unread. */
async function unreadOf(roomId: string): Promise<number> {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::int as count from messages m join memberships s using (room_id)
    where room_id = ${roomId} and s.user_id = ${ada.user.id} and m.seq > s.last_read_seq`;
  return row?.count ?? -1;
}

/** Turns the wheel until the newest message is at the bottom. */
async function wheelToEnd(page: Page): Promise<void> {
  await page.getByRole("log").hover();
  const isThere = (text: string) => {
    const rows = document.querySelectorAll("[role=log] [data-state]");
    const box = document.querySelector("[role=log]");
    return rows[rows.length - 1]?.textContent?.includes(text) && box?.scrollTop === 0;
  };
  for (let turn = 0; turn < 100 && !(await page.evaluate(isThere, "And I")); turn++) {
    await page.mouse.wheel(0, 300);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

for (const [name, options] of [
  ["wide", WIDE],
  ["phone", PHONE],
] as const) {
  test(`a room opens where the reader stopped, and what is below stays unread (${name})`, async () => {
    const roomId = await roomOf(`long-${name}`);
    const { page } = await open(`/rooms/long-${name}`, options);
    await line(page, "New 1").waitFor();
    const divider = newLine(page);
    const { top, bottom } = await divider.evaluate((element) => element.getBoundingClientRect());
    expect(top).toBeGreaterThan(60);
    expect(bottom).toBeLessThan(options.viewport.height / 2);
    const list = await page.getByRole("log").boundingBox();
    expect(Math.abs(top - (list?.y ?? 0) - (list?.height ?? 0) / 4)).toBeLessThan(3);
    expect(await line(page, "Read 40").count()).toBe(1);
    await eventually(async () => (await unreadOf(roomId)) < UNREAD);
    await page.screenshot({ path: join(SHOTS, `reading-open-${name}.png`) });
    const left = await unreadOf(roomId);
    expect(left).toBeGreaterThan(30);
    // What was seen is what was on the screen, to the row.
    const last = UNREAD - left;
    const edge = await page.getByRole("log").evaluate((box) => box.getBoundingClientRect().bottom);
    const topOf = (n: number) =>
      line(page, `New ${n}`).evaluate((row) => row.getBoundingClientRect().top);
    expect(await topOf(last)).toBeLessThan(edge);
    expect(await topOf(last + 1)).toBeGreaterThan(edge - 40);
    expect(await marks(roomId)).toEqual({ unread: true, mentions: 0 });
  });
}

test("scrolling through marks all as read; jumping to the newest message does not", async () => {
  const roomId = await roomOf("jumped");
  const { page } = await open("/rooms/jumped", WIDE, true);
  await line(page, "New 1").waitFor();
  await eventually(async () => (await unreadOf(roomId)) < UNREAD);
  const left = await unreadOf(roomId);
  await newest(page).click();
  await line(page, `New ${UNREAD}`).waitFor();
  // One who writes has not read what was skipped.
  await page.getByRole("textbox", { name: "Message #jumped" }).fill("And I");
  await page.keyboard.press("Enter");
  await page.locator("[data-state=sent]", { hasText: "And I" }).waitFor();
  expect(await unreadOf(roomId)).toBe(left + 1);
  await page.unrouteAll();
  await page.screenshot({ path: join(SHOTS, "reading-jumped-wide.png") });
  await unreadButton(page).click();
  await line(page, "New 1").waitFor();
  await wheelToEnd(page);
  await eventually(async () => (await unreadOf(roomId)) === 0);
});

test("leaving and returning keeps the position, the unread messages and the button to them", async () => {
  const roomId = await roomOf("returned");
  // Without the messages after the first page, only the service can count them.
  const { page } = await open("/rooms/returned", WIDE, true);
  await line(page, "New 1").waitFor();
  await eventually(async () => (await unreadOf(roomId)) < UNREAD);
  const left = await unreadOf(roomId);
  const top = () => line(page, "Read 39").evaluate((row) => row.getBoundingClientRect().top);
  const before = await top();
  await page.getByRole("link", { name: "beside-returned" }).click();
  await page.getByRole("textbox", { name: "Message #beside-returned" }).waitFor();
  await sidebarLink(page, "returned").click();
  await line(page, "New 1").waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await page.getByRole("button", { name: /^\d+ new since/ }).waitFor();
  await newest(page).waitFor();
  // The divider is lower now: one more row may begin on the screen.
  expect(await unreadOf(roomId)).toBeWithin(left - 1, left + 1);
  // Esc skips the rest on purpose.
  await page.getByRole("textbox", { name: "Message #returned" }).press("Escape");
  await eventually(async () => (await unreadOf(roomId)) === 0);
});

test("a mention is counted at the open room until it was visible", async () => {
  const roomId = await roomOf("scrolled");
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page } = await open("/rooms/scrolled");
  await line(page, `New ${UNREAD}`).waitFor();
  const link = sidebarLink(page, "scrolled");
  await page.getByRole("log").hover();
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => (document.querySelector("[role=log]")?.scrollTop ?? 0) < -300);
  await bob.say(roomId, "@ada look here");
  await link.getByRole("img", { name: "1 mention" }).waitFor();
  const pill = page.getByRole("button", { name: "1 new" });
  await pill.waitFor();
  await page.screenshot({ path: join(SHOTS, "reading-mention-wide.png") });
  await page.getByRole("link", { name: "beside-scrolled" }).click();
  await page.getByRole("textbox", { name: "Message #beside-scrolled" }).waitFor();
  await link.click();
  await newest(page).click();
  await link.getByRole("img", { name: "mention" }).waitFor({ state: "detached" });
  await eventually(async () => (await unreadOf(roomId)) === 0);
});

test("what was seen stays read when an earlier mark arrives after it", async () => {
  const roomId = await world.room("late-mark", bob, [ada]);
  await bob.say(roomId, "First");
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page } = await open("/rooms/late-mark");
  await line(page, "First").waitFor();
  const { promise: seen, resolve: pass } = Promise.withResolvers<void>();
  let count = 0;
  await page.route("**/api/rooms/*/read", async (route) => {
    count += 1;
    if (count === 1) await seen;
    await route.continue();
  });
  const isMark = (one: { url(): string }) => one.url().endsWith(`/rooms/${roomId}/read`);
  const asked = page.waitForRequest(isMark);
  const answered = page.waitForResponse(isMark);
  await bob.say(roomId, "Second");
  await asked;
  await bob.say(roomId, "Third");
  await line(page, "Third").waitFor();
  await page.getByRole("link", { name: "late-mark", exact: true }).waitFor();
  pass();
  await answered;
  await bob.say(roomId, "Fourth");
  await line(page, "Fourth").waitFor();
  await eventually(async () => (await unreadOf(roomId)) === 0);
  expect(await newLine(page).count()).toBe(0);
});

test("the first message of an empty room that is looked at is not new", async () => {
  const roomId = await world.room("empty", bob, [ada]);
  const { page } = await open("/rooms/empty");
  await page.getByText("Write the first message.").waitFor();
  await bob.say(roomId, "First of all");
  await line(page, "First of all").waitFor();
  await eventually(async () => (await unreadOf(roomId)) === 0);
  expect(await newLine(page).count()).toBe(0);
  await bob.say(roomId, "Second of all");
  await line(page, "Second of all").waitFor();
  await eventually(async () => (await unreadOf(roomId)) === 0);
  expect(await newLine(page).count()).toBe(0);
});

test("a day that begins with what is new has one line for both", async () => {
  const roomId = await world.room("next-day", bob, [ada]);
  for (let n = 1; n <= 3; n++) await bob.say(roomId, `Old ${n}`);
  await ada.post(`/api/rooms/${roomId}/read`);
  await world.database.sql`update messages set created_at = created_at - interval '1 day'
    where room_id = ${roomId}`;
  await world.database.sql`update memberships set last_read_at = last_read_at - interval '1 day'
    where room_id = ${roomId}`;
  for (let n = 1; n <= 30; n++) await bob.say(roomId, `Today ${n}`);
  const { page } = await open("/rooms/next-day");
  await line(page, "Today 1").waitFor();
  const day = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: "Today" }) });
  const word = await newLine(day).boundingBox();
  const pill = await day.getByRole("button", { name: "Today" }).boundingBox();
  const middle = (box: typeof word) => (box ? box.y + box.height / 2 : Number.NaN);
  expect(Math.abs(middle(word) - middle(pill))).toBeLessThan(3);
  expect(word?.x).toBeGreaterThan((pill?.x ?? 0) + (pill?.width ?? 0));
  await page.screenshot({ path: join(SHOTS, "reading-next-day-wide.png") });
});

test("a room that was read before opens at what came meanwhile, with a bar to it", async () => {
  const roomId = await world.room("meanwhile", bob, [ada]);
  await world.room("beside-meanwhile", bob, [ada]);
  for (let n = 1; n <= READ; n++) await bob.say(roomId, `Read ${n}`);
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page } = await open("/rooms/meanwhile");
  await line(page, `Read ${READ}`).waitFor();
  await page.getByRole("link", { name: "beside-meanwhile" }).click();
  await page.getByRole("textbox", { name: "Message #beside-meanwhile" }).waitFor();
  for (let n = 1; n <= UNREAD; n++) await bob.say(roomId, `New ${n}`);
  await sidebarLink(page, "meanwhile").getByRole("img", { name: "unread" }).waitFor();
  await sidebarLink(page, "meanwhile").click();
  await line(page, "New 1").waitFor();
  await page.getByRole("button", { name: `${UNREAD} new since` }).waitFor();
  const place = await newLine(page).evaluate((divider) => {
    const list = divider.closest("[role=log]")?.getBoundingClientRect() ?? new DOMRect();
    return (divider.getBoundingClientRect().top - list.top) / list.height;
  });
  expect(place).toBeWithin(0.24, 0.26);
  // The date is below the bar, and both are off the line.
  const bar = await unreadButton(page).locator("..").boundingBox();
  const today = page.getByRole("log").getByRole("button", { name: "Today" }).first();
  const pill = await today.boundingBox();
  expect(pill?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  // It covers no message before the reader scrolls.
  expect(await today.evaluate((button) => getComputedStyle(button).opacity)).toBe("0");
  await page.screenshot({ path: join(SHOTS, "reading-meanwhile-wide.png") });
  await newest(page).click();
  await line(page, `New ${UNREAD}`).waitFor();
  await unreadButton(page).click();
  await line(page, "New 1").waitFor();
  const readButton = page.getByRole("button", { name: "Mark as read" });
  await readButton.hover();
  await expectSoon(
    () => page.locator('[popover][aria-hidden="true"]').allTextContents(),
    ["Mark as readEsc"],
  );
  await readButton.click();
  await unreadButton(page).waitFor({ state: "detached" });
  await eventually(async () => (await unreadOf(roomId)) === 0);
});

/** Bob's messages, written at once as if one by one. */
const writeMany = (roomId: string, count: number) => world.database.sql`
  with room as (
    update rooms set last_seq = last_seq + ${count}, last_message_at = clock_timestamp() + ${count + 1} * interval '1 millisecond'
    where id = ${roomId} returning last_seq
  ), written as (
    insert into messages (id, room_id, seq, author_id, content, created_at)
    select gen_random_uuid(), ${roomId}, last_seq - ${count}::int + n, ${bob.user.id}, 'Many ' || n,
      clock_timestamp() + n * interval '1 millisecond'
    from room, generate_series(1, ${count}::int) n returning id, room_id, seq, created_at
  )
  insert into room_log (room_id, seq, type, message_id, created_at)
  select room_id, seq, 'message', id, created_at from written`;

test("the bar counts what is new though little is loaded, also live", async () => {
  const name = "analytical-engine-and-notes";
  const roomId = await world.room(name, bob, [ada]);
  for (let n = 1; n <= READ; n++) await bob.say(roomId, `Read ${n}`);
  await ada.post(`/api/rooms/${roomId}/read`);
  await writeMany(roomId, 499);
  const { page } = await open(`/rooms/${name}`, PHONE, true);
  await line(page, "Many 1").waitFor();
  const bar = (count: string) =>
    page.getByRole("button", { name: new RegExp(`^${count} new since`) });
  await bar("499").waitFor();
  await bob.say(roomId, "One more");
  await bar("500").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(SHOTS, `reading-count-${colorScheme}.png`) });
  }
  await newest(page).click();
  await line(page, "One more").waitFor();
  await bar("500").waitFor();
  await bob.say(roomId, "And one");
  await bar("501").waitFor();
  await page.getByRole("button", { name: "Mark as read" }).click();
  await unreadButton(page).waitFor({ state: "detached" });
});

test("the bar stops counting below a thousand", async () => {
  const roomId = await world.room("thousands", bob, [ada]);
  await bob.say(roomId, "Read");
  await ada.post(`/api/rooms/${roomId}/read`);
  await writeMany(roomId, 1_200);
  const { page } = await open("/rooms/thousands");
  await page.getByRole("button", { name: /^999\+ new since/ }).waitFor();
});

test("a link to a message wins over what is unread", async () => {
  const roomId = await roomOf("linked");
  const { items } = (await ada.get(`/api/rooms/${roomId}/messages?limit=100`)).body;
  const { id } = items.find(({ content }: { content: string }) => content === "New 60");
  const { page } = await open(`/rooms/linked/m/${id}`);
  await page.locator("[aria-current][data-message-id]", { hasText: "New 60" }).waitFor();
  await page.getByRole("button", { name: /^70 new since/ }).waitFor();
  const middle = await page.locator("[aria-current][data-message-id]").evaluate((row) => {
    const list = row.closest("[role=log]")?.getBoundingClientRect() ?? new DOMRect();
    return (row.getBoundingClientRect().top - list.top) / list.height;
  });
  expect(middle).toBeWithin(0.3, 0.7);
  await page.getByRole("textbox", { name: "Message #linked" }).press("Escape");
  await unreadButton(page).waitFor({ state: "detached" });
});

test("what arrives while one looks has no line above it, also if a response counted it before", async () => {
  const roomId = await world.room("watched", bob, [ada]);
  await bob.say(roomId, "before");
  await ada.post(`/api/rooms/${roomId}/read`);
  const { page } = await open("/browse");
  const queue: (string | Buffer)[] = [];
  let isPaused = false;
  let release = () => {};
  await page.routeWebSocket("**/ws/chat", (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (isPaused) queue.push(message);
      else socket.send(message);
    });
    release = () => {
      isPaused = false;
      for (const message of queue.splice(0)) socket.send(message);
    };
  });
  const { promise: isPosted, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/read", async (route) => {
    await isPosted;
    await route.continue();
  });
  await page.goto(`${world.service.address}/rooms/watched`);
  await line(page, "before").waitFor();
  const request = page.waitForRequest("**/read");
  await bob.say(roomId, "first");
  await request;
  isPaused = true;
  await bob.say(roomId, "second");
  await Promise.all([page.waitForResponse("**/read"), Promise.resolve(goOn())]);
  // Rendered twice: the response has been applied.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  release();
  await line(page, "second").waitFor();
  await eventually(async () => !(await marks(roomId)).unread);
  expect(await newLine(page).count()).toBe(0);
});

test("messages are counted also while the read mark is still on its way", async () => {
  const roomId = await roomOf("late");
  const { page } = await open("/rooms/late", WIDE, true);
  await line(page, "New 1").waitFor();
  await eventually(async () => (await unreadOf(roomId)) < UNREAD);
  const left = await unreadOf(roomId);
  // The service does not have the newest mark when it counts.
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/rooms/*/read", async (route) => {
    await promise;
    await route.continue();
  });
  const held = page.waitForRequest("**/api/rooms/*/read");
  await page.getByRole("log").hover();
  await page.mouse.wheel(0, 200);
  await held;
  await page.getByRole("link", { name: "beside-late" }).click();
  await page.getByRole("textbox", { name: "Message #beside-late" }).waitFor();
  await sidebarLink(page, "late").click();
  const bar = page.getByRole("button", { name: /^\d+ new since/ });
  await bar.waitFor();
  resolve();
  await eventually(async () => (await unreadOf(roomId)) < left);
  const shown = Number.parseInt((await bar.textContent()) ?? "", 10);
  expect(shown).toBeWithin(await unreadOf(roomId), left);
});
