import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { launchBrowser, PHONE, restLoaded, sidebarLink, signedInPage } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { Finger } from "../support/finger.ts";
import { picture } from "../support/images.ts";
import { findSmallTargets } from "../support/targets.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const HOLD_MS = 500;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  await world.room("lobby", bob, [ada]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(path: string, person = ada) {
  const tab = await signedInPage(browser, person, path, PHONE, (page) => page.clock.install());
  await restLoaded(tab.page);
  return { ...tab, finger: await Finger.on(tab.page) };
}

const barOf = (page: Page) => page.getByRole("navigation", { name: "Main" });
const tabOf = (page: Page, name: string) => barOf(page).getByRole("link", { name });
const rowOf = (page: Page, text: string) =>
  page.locator("[data-message-id]").filter({ has: page.getByText(text, { exact: true }) });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Taps what is on the screen already, and in no one's way: nothing is scrolled into view. */
async function tap(target: Locator): Promise<void> {
  await target.waitFor();
  const isInReach = () =>
    target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await eventually(isInReach);
  await target.tap();
}

/** Holds something until its menu comes. */
async function hold(page: Page, finger: Finger, target: Locator, menu: Locator): Promise<void> {
  await page.evaluate(() => {
    delete document.body.dataset.pressed;
    const note = () => (document.body.dataset.pressed = "yes");
    addEventListener("pointerdown", note, { once: true });
  });
  await finger.down(target);
  // On a busy machine the page hears of the touch later than the browser, and only then starts its timer.
  await eventually(() => page.evaluate(() => document.body.dataset.pressed === "yes"));
  await page.clock.runFor(HOLD_MS);
  await finger.up();
  await menu.waitFor();
}

const membershipOf = async (roomId: string) =>
  (await ada.get(`/api/rooms/${roomId}`)).body.membership;
const countMentions = async (person: Client, roomId: string) =>
  (await person.get(`/api/rooms/${roomId}`)).body.membership.mention_count;
const messagesOf = async (roomId: string) =>
  (await ada.get(`/api/rooms/${roomId}/messages?limit=50`)).body.items;

test("a whole day with one thumb", async () => {
  const engines = await world.room("engines", bob, [ada]);
  const design = await world.room("design", bob, [ada]);
  const chatter = await world.room("chatter", bob, [ada]);
  const root = await bob.say(engines, "Shall we start the pump?");
  await bob.say(engines, "The boiler is warm");
  await bob.say(design, "The keel was drawn in copper");
  await bob.say(chatter, "Cake in the kitchen");
  const { page, finger } = await open("/");
  const actions = page.getByRole("dialog", { name: "Message actions" });

  // The day begins at Home, with what is new. A look into a room catches up with it.
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await tabOf(page, "Home").getByRole("img", { name: "unread" }).waitFor();
  await page.screenshot({ path: join(SHOTS, "day-home-phone.png") });
  await tap(page.getByRole("link", { name: /^engines/ }));
  await rowOf(page, "The boiler is warm").waitFor();
  await eventually(async () => !(await membershipOf(engines)).unread);

  // A reply in a thread, and Back to the room.
  await hold(page, finger, rowOf(page, "Shall we start the pump?"), actions);
  await tap(actions.getByRole("button", { name: "Reply in a thread" }));
  await page.getByRole("textbox", { name: "Reply in the thread" }).fill("At noon");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await eventually(async () => {
    const { body } = await ada.get(`/api/messages/${root.id}/thread`);
    return body.items.some(({ content }: { content: string }) => content === "At noon");
  });
  const isDone = async () =>
    (await ada.get(`/api/messages/${root.id}/thread`)).body.root.thread.is_resolved;
  for (const [item, isNext] of [
    ["Mark as done", true],
    ["Open again", false],
  ] as const) {
    await tap(page.getByRole("button", { name: "Actions for this thread" }));
    await tap(page.getByRole("menuitem", { name: item }));
    await eventually(async () => (await isDone()) === isNext);
  }
  await tap(page.getByRole("button", { name: "Back" }));
  await page.getByRole("link", { name: /^1 reply/ }).waitFor();
  expect(pathOf(page)).toBe("/rooms/engines");

  // A reaction.
  await hold(page, finger, rowOf(page, "The boiler is warm"), actions);
  await tap(actions.getByRole("button", { name: "React with 👍" }));
  await eventually(async () =>
    (await messagesOf(engines)).some(
      ({ reactions }: { reactions: { user_ids: string[] }[] }) =>
        reactions[0]?.user_ids[0] === ada.user.id,
    ),
  );

  await tap(page.getByRole("link", { name: "Back" }));
  await page.getByRole("heading", { name: "Home" }).waitFor();

  // A message is found, and opened where it was written. Back leads to what was found.
  await tap(tabOf(page, "Search"));
  await barOf(page).waitFor();
  const field = page.getByRole("searchbox");
  await tap(field);
  await field.fill("copper");
  const result = page.getByRole("region", { name: "Search messages" }).getByRole("link");
  await result.getByText("was drawn in").waitFor();
  await page.screenshot({ path: join(SHOTS, "day-search-phone.png") });
  await tap(result);
  await page
    .locator("[aria-current][data-message-id]")
    .getByText("The keel was drawn in copper")
    .waitFor();
  await eventually(async () => !(await membershipOf(design)).unread);
  await tap(page.getByRole("link", { name: "Back" }));
  await result.waitFor();
  expect(pathOf(page)).toBe("/search");
  await barOf(page).waitFor();

  // A noisy room is muted.
  await tap(tabOf(page, "Home"));
  const menu = page.getByRole("menu", { name: "Options for #chatter" });
  await hold(page, finger, page.getByRole("link", { name: /^chatter/ }), menu);
  await tap(menu.getByRole("menuitem", { name: "Mute", exact: true }));
  await eventually(async () => (await membershipOf(chatter)).notify === "none");

  // What needs an answer later is marked unread.
  await tap(page.getByRole("link", { name: /^design/ }));
  await hold(page, finger, rowOf(page, "The keel was drawn in copper"), actions);
  await tap(actions.getByRole("button", { name: "Mark unread from here" }));
  await eventually(async () => (await membershipOf(design)).unread);
  await tap(page.getByRole("link", { name: "Back" }));
  await sidebarLink(page, "design").getByRole("img", { name: "unread" }).waitFor();

  // A mention is answered, and Back leads to the list that it came from.
  await bob.say(engines, "@ada, is the valve open?");
  await tabOf(page, "Activity").getByRole("img", { name: "1 mention" }).waitFor();
  await tap(tabOf(page, "Activity"));
  await tap(page.getByRole("link", { name: /Bob Noyce mentioned you in #engines/ }));
  await rowOf(page, "@ada, is the valve open?").waitFor();
  await page.getByRole("textbox", { name: "Message #engines" }).fill("Half open");
  await tap(page.getByRole("button", { name: "Send", exact: true }));
  await eventually(async () =>
    (await messagesOf(engines)).some(({ content }: { content: string }) => content === "Half open"),
  );
  await eventually(async () => (await membershipOf(engines)).mention_count === 0);
  await tap(page.getByRole("link", { name: "Back" }));
  await page.getByRole("heading", { name: "Activity" }).waitFor();

  // The day ends.
  await tap(tabOf(page, "You"));
  await tap(page.getByRole("button", { name: "Pause notifications" }));
  await tap(page.getByRole("menuitem", { name: "For an hour" }));
  await page.getByRole("main").getByText("Paused until").first().waitFor();
  const { push_paused_until } = (await ada.get("/api/auth/me")).body;
  expect(Date.parse(push_paused_until)).toBeGreaterThan(Date.now());
});

test("the first visit of a device is at Home, and uses up no mention", async () => {
  const carol = await world.person("carol");
  const room = await world.room("attic", bob, [carol]);
  await bob.say(room, "@carol look here");
  const { page } = await open("/", carol);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: /^attic/ }).waitFor();
  expect(pathOf(page)).toBe("/");
  expect(await countMentions(carol, room)).toBe(1);
});

test("what was closed on a phone is not opened again by the browser's Back", async () => {
  const engine = await world.room("engine-shed", bob, [ada], "open");
  const root = await bob.say(engine, "A root");
  await bob.say(engine, "A branch", { thread_id: root.id });
  const { page } = await open("/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: /^engine-shed/ }).tap();
  await page.getByRole("button", { name: "#engine-shed", exact: true }).tap();
  const panel = page.getByRole("complementary");
  await panel.getByRole("tab", { name: "Members" }).tap();
  await panel.getByText("Bob Noyce").waitFor();
  await panel.getByRole("button", { name: "Close details" }).first().tap();
  await panel.waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^1 reply/ }).tap();
  await rowOf(page, "A branch").waitFor();
  await page.getByRole("button", { name: "Back" }).tap();
  await page.getByRole("textbox", { name: "Message #engine-shed" }).waitFor();
  expect(pathOf(page)).toBe("/rooms/engine-shed");
  await page.goBack();
  await page.getByRole("heading", { name: "Home" }).waitFor();

  // Nor is a page of the profile.
  await tabOf(page, "You").tap();
  await page.getByRole("link", { name: "Appearance" }).tap();
  await page.getByRole("radio", { name: "Midnight" }).waitFor();
  expect(await tabOf(page, "You").getAttribute("aria-current")).toBe("page");
  await page.getByRole("link", { name: "Back" }).tap();
  await page.getByRole("link", { name: "Appearance" }).waitFor();
  expect(pathOf(page)).toBe("/you");
  await page.goBack();
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

test("a finger hits every control of the screens and of a room", async () => {
  const room = await world.room("workshop", bob, [ada], "open");
  const root = await bob.say(room, "Where is the hammer?");
  await ada.say(room, "On the shelf", { thread_id: root.id });
  await bob.post(`/api/messages/${root.id}/reactions`, { emoji: "🔨" });
  await ada.put(`/api/messages/${root.id}/pin`, {});
  await ada.put(`/api/saved/${root.id}`, {});
  await ada.say(room, "Here it is", { quote_id: root.id });
  await bob.say(room, Array.from({ length: 60 }, (_, n) => `Nail ${n}`).join("\n"));
  const { body: image } = await bob.upload(
    `/api/rooms/${room}/images`,
    await picture("png", 300, 200),
  );
  await bob.say(room, "A picture", { image_id: image.id });
  const { body: file } = await bob.upload(`/api/rooms/${room}/files`, new Uint8Array([1]), "a.bin");
  await bob.say(room, "See #workshop and https://example.org", { file_id: file.id });
  await ada.post(`/api/rooms/${room}/read`);
  await bob.say(room, "@ada hammer time");
  const send_at = new Date(Date.now() + 24 * 3_600_000).toISOString();
  await ada.post("/api/scheduled", {
    room_id: room,
    content: "See you tomorrow",
    send_at,
    zone: "UTC",
  });
  await ada.post("/api/direct", { user_ids: [bob.user.id] });
  const { page } = await open("/");
  const screens: [path: string, ready: Locator][] = [
    ["/", page.getByRole("link", { name: /^workshop/ })],
    ["/activity", page.getByText("@ada hammer time")],
    ["/threads", page.getByText("Where is the hammer?")],
    ["/later", page.getByText("Where is the hammer?")],
    ["/drafts", page.getByText("See you tomorrow")],
    ["/browse", page.getByRole("link", { name: /workshop/ })],
    ["/search", page.getByText("Search tips")],
    ["/search?q=hammer%20from:bob", page.getByText("hammer time").first()],
    ["/you", page.getByRole("button", { name: "Sign out" })],
    ["/profile/account", page.getByRole("button", { name: "Choose picture" })],
    ["/rooms/workshop", rowOf(page, "A picture")],
    [`/rooms/workshop/m/${root.id}`, rowOf(page, "Where is the hammer?")],
    [`/rooms/workshop/t/${root.id}`, rowOf(page, "On the shelf")],
    ["/rooms/workshop?panel=about", page.getByRole("combobox", { name: "Notify me" })],
    ["/rooms/workshop?panel=members", page.getByRole("button", { name: "Bob Noyce" })],
  ];
  for (const [path, ready] of screens) {
    await page.goto(world.service.address + path);
    await ready.first().waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await page.screenshot({ path: join(SHOTS, `targets${path.replace(/\W+/g, "-")}-phone.png`) });
    expect([path, await findSmallTargets(page)]).toEqual([path, []]);
  }
  await page.goto(`${world.service.address}/rooms/workshop`);
  await page.getByRole("textbox", { name: "Message #workshop" }).fill("Words");
  await page.getByRole("button", { name: "Formatting" }).tap();
  await page.getByRole("button", { name: "Bold" }).waitFor();
  expect(await findSmallTargets(page)).toEqual([]);
});
