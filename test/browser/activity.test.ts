import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  allLoaded,
  hasFocus,
  launchBrowser,
  messageRow,
  newPage,
  restLoaded,
  signedInPage,
  signIn,
  walk,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  room = await world.room("engines", ada, [bob]);
  await world.room("tea-room", ada, [bob]);
  const { sql } = world.database;
  await sql`
    with added as (
      insert into users (id, username, email)
      select gen_random_uuid(), 'm' || n, 'm' || n || '@example.org' from generate_series(1, 23) n
      returning id
    ), joined as (
      insert into memberships (room_id, user_id, role) select ${room}, id, 'member' from added
    )
    update rooms set member_count = 25 where id = ${room}`;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (client: Client, path: string) => signedInPage(browser, client, path);

test("@room asks before many are notified, and is found in their activity by the keyboard", async () => {
  const writer = await open(bob, "/rooms/engines");
  const composer = writer.page.getByLabel("Message #engines");
  await composer.fill("@chan");
  await writer.page.getByRole("option", { name: "@room all 25 members" }).waitFor();
  await composer.press("Enter");
  await expectSoon(() => composer.inputValue(), "@room ");
  await composer.pressSequentially("tea?");
  await composer.press("Enter");
  const question = writer.page.getByRole("dialog", { name: "Notify 24 people?" });
  await question.waitFor();
  await writer.page.keyboard.press("Escape");
  await expectSoon(() => composer.inputValue(), "@room tea?");

  const reader = await open(ada, "/rooms/tea-room");
  await reader.page.getByLabel("Message #tea-room").waitFor();
  await composer.press("Enter");
  await question.waitFor();
  await writer.page.keyboard.press("Enter");
  await writer.page.getByText("@room", { exact: true }).waitFor();
  await reader.page.keyboard.press("Control+Shift+A");
  const news = reader.page.getByRole("list", { name: "New" });
  await news.getByText("Bob Noyce mentioned everyone in #engines").waitFor();
  // What comes while one looks at the list is shown at once.
  await bob.say(room, "@ada, you too");
  await news.getByText("Bob Noyce mentioned you in #engines").waitFor();
  await reader.page.keyboard.press("Home");
  await reader.page.keyboard.press("ArrowDown");
  await reader.page.keyboard.press("Enter");
  await reader.page.waitForURL("**/rooms/engines/m/*");
  const highlighted = messageRow(reader.page, "tea?");
  const edge = () => highlighted.evaluate((row) => getComputedStyle(row).boxShadow);
  await eventually(async () => (await edge()) !== "none");
  await reader.page.goBack();
  await reader.page.getByText("Bob Noyce mentioned everyone in #engines").waitFor();
  expect(await news.count()).toBe(0);
  // Each kind has a list of its own; all that is new is marked as read at once.
  const filters = reader.page.getByRole("group", { name: "Activity" });
  await filters.getByRole("button", { name: "Reactions" }).click();
  await reader.page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
  await filters.getByRole("button", { name: "Mentions" }).click();
  await reader.page.getByText("Bob Noyce mentioned everyone in #engines").waitFor();
  await bob.say(room, "@ada, once more");
  await news.getByText("@ada, once more").waitFor();
  await reader.page.getByRole("button", { name: "Mark all as read" }).click();
  await news.waitFor({ state: "detached" });
});

test("a filtered list leaves what it does not show unread, and shows nothing of another filter", async () => {
  const place = await world.room("filters", ada, [bob]);
  const { id } = await ada.say(place, "What do you think?");
  const { page } = await open(ada, "/activity");
  const filter = (name: string) =>
    page.getByRole("group", { name: "Activity" }).getByRole("button", { name, exact: true });
  await filter("Reactions").click();
  await allLoaded(page);
  const news = page.getByRole("list", { name: "New" });
  await bob.say(place, "@ada, left out");
  await bob.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
  await news.getByText("What do you think?").waitFor();
  await filter("All").click();
  await news.getByText("@ada, left out").waitFor();
  await page.route("**/api/activity?*type=reply*", (route) => route.fulfill({ status: 503 }));
  await filter("Replies").click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  expect(await page.getByText("@ada, left out").count()).toBe(0);
});

test("an entry keeps its dot until its message is read", async () => {
  const place = await world.room("dots", ada, [bob]);
  await bob.say(place, "@ada, still unread");
  const { page } = await open(ada, "/activity");
  await page.getByRole("list", { name: "New" }).getByText("@ada, still unread").waitFor();
  await walk(page, "/rooms/tea-room");
  await page.getByLabel("Message #tea-room").waitFor();
  await walk(page, "/activity");
  const row = page
    .getByRole("list", { name: "Earlier" })
    .getByRole("listitem")
    .filter({ hasText: "@ada, still unread" });
  const dot = row.getByRole("img", { name: "unread" });
  await dot.waitFor();
  await row.getByRole("link").click();
  await messageRow(page, "still unread").waitFor();
  await page.goBack();
  await row.waitFor();
  await dot.waitFor({ state: "detached" });
});

test("E marks an entry as read, and one button all that have a dot, after the first visit too", async () => {
  const places = await Promise.all(
    ["first", "second"].map((name) => world.room(`marked-${name}`, ada, [bob])),
  );
  const root = await ada.say(room, "A root of mine");
  await bob.say(room, "a reply for the list", { thread_id: root.id });
  for (const place of places) await bob.say(place, "@ada, here is a dot");
  const { page } = await open(ada, "/activity");
  const list = page.getByRole("list", { name: "New" });
  await list.getByText("@ada, here is a dot").first().waitFor();
  await walk(page, "/rooms/tea-room");
  await page.getByLabel("Message #tea-room").waitFor();
  await walk(page, "/activity");
  const rowIn = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  const dotOf = (text: string) => rowIn(text).getByRole("img", { name: "unread" });
  await Promise.all(
    ["#marked-first", "#marked-second", "a reply for the list"].map((text) =>
      dotOf(text).waitFor(),
    ),
  );
  expect(await list.count()).toBe(0);
  const unreadOf = async (id: string) => (await ada.get(`/api/rooms/${id}`)).body.membership.unread;
  await rowIn("#marked-first").getByRole("link").focus();
  await page.keyboard.press("e");
  await dotOf("#marked-first").waitFor({ state: "detached" });
  await expectSoon(() => unreadOf(places[0] ?? ""), false);
  expect(await unreadOf(places[1] ?? "")).toBe(true);
  // It can be marked unread again.
  await page.keyboard.press("u");
  await dotOf("#marked-first").waitFor();
  await page.getByRole("button", { name: "Mark all as read" }).press("Enter");
  await page.getByRole("button", { name: "Mark all as read" }).waitFor({ state: "detached" });
  await hasFocus(page.getByRole("heading", { name: "Activity" }));
  expect(await page.getByRole("main").getByRole("img", { name: "unread" }).count()).toBe(0);
  for (const place of places) await expectSoon(() => unreadOf(place), false);
  await walk(page, "/threads");
  await page.getByRole("listitem").filter({ hasText: "A root of mine" }).waitFor();
  expect(await page.getByRole("list", { name: "With new replies" }).count()).toBe(0);
});

test("a page that comes after the list was loaded again is dropped", async () => {
  const place = await world.room("many", ada, [bob]);
  for (let n = 0; n < 51; n += 1) await bob.say(place, `@ada, number ${n}`);
  const { page } = await open(ada, "/rooms/tea-room");
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/api/activity?*cursor=*", async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.goto(`${world.service.address}/activity`);
  await page.getByText("@ada, number 50").waitFor();
  await page.getByText("@ada, number 1", { exact: true }).scrollIntoViewIfNeeded();
  await asked.promise;
  await page.getByRole("heading", { name: "New" }).scrollIntoViewIfNeeded();
  await bob.say(place, "@ada, the newest");
  await page.getByText("@ada, the newest").waitFor();
  const late = page.waitForResponse(/cursor=/);
  released.resolve();
  await (await late).finished();
  // Goes through a frame in which the response is shown, if it is.
  await walk(page, "/activity");
  expect(await page.getByText("@ada, the newest").count()).toBe(1);
});

test("the chosen sound is played for a mention elsewhere, and not where it is looked at", async () => {
  await ada.patch("/api/auth/me", { sound: "drop" });
  const root = await bob.say(room, "A root");
  await ada.patch(`/api/rooms/${room}/membership`, { notify: "all" });
  await ada.post(`/api/rooms/${room}/read`);
  const { page, context } = await newPage(browser);
  await signIn(context, ada);
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { tones: number };
    counted.tones = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      counted.tones += 1;
      return create.call(this);
    };
  });
  await page.goto(`${world.service.address}/rooms/tea-room`);
  await page.getByLabel("Message #tea-room").click();
  await restLoaded(page);
  const tones = () => page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
  const { items } = (await bob.get("/api/rooms?limit=200")).body;
  const tea = items.find((item: { name: string }) => item.name === "tea-room").id;
  await bob.say(tea, "@ada, here");
  await messageRow(page, "here").waitFor();
  expect(await tones()).toBe(0);
  // Nor for a reply in a thread that is not followed.
  await bob.say(room, "a reply", { thread_id: root.id });
  await page.getByRole("link", { name: "engines unread" }).waitFor();
  expect(await tones()).toBe(0);
  await bob.say(room, "@ada, over there");
  await page.waitForFunction(() => (globalThis as unknown as { tones: number }).tones === 2);
});
