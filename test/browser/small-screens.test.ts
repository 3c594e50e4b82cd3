import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import {
  launchBrowser,
  messageRow,
  newPage,
  PHONE,
  restLoaded,
  signedInPage,
  signIn,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { findSmallTargets } from "../support/targets.ts";
import { eventually, expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** A phone, a low window, and a composer with little width. */

setDefaultTimeout(120_000);
const UNREAD = 60;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let general: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  general = await world.room("general", ada, [bob]);
  await world.room("workshop", bob, [], "open");
  const root = await ada.say(general, "Who brings the hammer?");
  await bob.say(general, "I do", { thread_id: root.id });
  await ada.put(`/api/saved/${root.id}`, {});
  await ada.post(`/api/rooms/${general}/read`);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options: object = PHONE, person = ada) =>
  signedInPage(browser, person, path, options);
const pathOf = (page: Page) => new URL(page.url()).pathname;
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The texts of a bar that are not whole inside of it, and its height. */
function measureBar(bar: Locator) {
  return bar.evaluate((bar) => {
    const frame = bar.getBoundingClientRect();
    const cut = [...bar.children].flatMap((button) => {
      const text = document.createRange();
      text.selectNodeContents(button);
      const { left, top, right, bottom } = text.getBoundingClientRect();
      const isWhole =
        left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
      const isClipped = button.scrollWidth > button.clientWidth;
      return isWhole && !isClipped ? [] : [button.textContent];
    });
    return { cut, height: frame.height, count: bar.childElementCount };
  });
}

test.each([
  ["en-GB", "Mark as read"],
  ["de-DE", "Als gelesen markieren"],
  ["es-ES", "Marcar como leído"],
])("the bar above unread messages fits on a phone: %s", async (locale, markRead) => {
  const room = await world.room(`unread-${locale.toLowerCase()}`, ada, [bob]);
  for (let n = 0; n < UNREAD; n++) await bob.say(room, `Line ${n}`);
  await world.database.sql`
      update messages set created_at = created_at - interval '1 day' where room_id = ${room}`;
  await world.database.sql`
      update memberships set last_read_at = last_read_at - interval '1 day' where room_id = ${room}`;
  const { page } = await open(`/rooms/unread-${locale.toLowerCase()}`, {
    ...PHONE,
    locale,
    viewport: { width: 360, height: 700 },
  });
  const bar = page.getByRole("button", { name: markRead, exact: true }).locator("..");
  await bar.waitFor();
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await measureBar(bar)).toEqual({ cut: [], height: 40, count: 3 });
  }
  // On a phone of usual width, each text has one line.
  const lines = await bar.getByRole("button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const text = document.createRange();
      text.selectNodeContents(button);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(lines).toEqual([1, 1, 1]);
  await bar.getByRole("button", { name: /^60 .+ .+\d/ }).waitFor();
});

/** A desktop at 200% zoom. */
const ZOOM = { viewport: { width: 640, height: 400 } };

test("with a mouse, the bar stays while the composer has the focus", async () => {
  const { page } = await open("/rooms/general", ZOOM);
  const bar = page.getByRole("navigation", { name: "Main" });
  await page
    .getByRole("textbox", { name: "Message #general" })
    .and(page.locator(":focus"))
    .waitFor();
  expect(await bar.isVisible()).toBe(true);
  const emoji = page.locator("form").getByRole("button", { name: "Add an emoji" });
  const { y = 0 } = (await emoji.boundingBox()) ?? {};
  await restLoaded(page);
  await emoji.hover();
  const tooltip = page.locator('[popover][aria-hidden="true"]');
  // Above its button, where it does not cover the bar.
  await expectSoon(async () => {
    const box = await tooltip.boundingBox();
    return box !== null && box.y + box.height <= y;
  }, true);
  // At 400% zoom, messages need its space.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.getByRole("textbox", { name: "Message #general" }).focus();
  await bar.waitFor({ state: "hidden" });
});

test("the header shows a topic without Markdown", async () => {
  await ada.patch(`/api/rooms/${general}`, { description: "See [the plan](https://example.org)" });
  const { page } = await open("/rooms/general", ZOOM);
  await page.locator("main header").getByText("See the plan", { exact: true }).waitFor();
  await ada.patch(`/api/rooms/${general}`, { description: "" });
});

test("a short piece of code is not broken, and a long one wraps", async () => {
  const text = "can you look at the dark theme before Thursday";
  const long = "--a-variable".repeat(30);
  for (let n = 0; n < text.length; n += 4) await ada.say(general, `${text.slice(n)} \`--sidebar\``);
  await ada.say(general, `Long: \`${long}\``);
  const { page } = await open("/rooms/general");
  await messageRow(page, long).waitFor();
  const lines = (code: string) =>
    page
      .getByRole("log")
      .locator("code")
      .filter({ hasText: code })
      .evaluateAll((parts) => parts.map((part) => part.getClientRects().length));
  expect(new Set(await lines("--sidebar"))).toEqual(new Set([1]));
  expect((await lines(long))[0]).toBeGreaterThan(5);
  expect(await overflow(page)).toBe(0);
});

test("on a phone the time of a thread yields to its title", async () => {
  const root = await ada.say(general, "Long title");
  await bob.say(general, "Yes", { thread_id: root.id });
  await ada.patch(`/api/messages/${root.id}/thread`, { title: "Does the new engine stop?" });
  const { page } = await open("/rooms/general");
  const title = messageRow(page, "Long title").getByText("Does the new engine stop?");
  const cut = await title.evaluate((part) => part.scrollWidth - part.clientWidth);
  expect(cut).toBe(0);
});

describe("Back closes", () => {
  test("a sheet, and then leaves the room", async () => {
    const { page } = await open("/");
    await page.getByRole("link", { name: /^general/ }).tap();
    await page.getByRole("button", { name: "Notifications for this room" }).tap();
    const menu = page.getByRole("menu", { name: "Notifications for this room" });
    await menu.waitFor();
    await page.goBack();
    await menu.waitFor({ state: "detached" });
    expect(pathOf(page)).toBe("/rooms/general");
    // Closed in another way, it leaves nothing for Back to do.
    await page.getByRole("button", { name: "Notifications for this room" }).tap();
    await menu.waitFor();
    await page.keyboard.press("Escape");
    // The dialog is hidden before it is removed, and open for Back until then.
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.goBack();
    await page.getByRole("heading", { name: "Home" }).waitFor();
    expect(pathOf(page)).toBe("/");
  });

  test("the sheet in front first", async () => {
    const { page } = await open("/rooms/general?panel=settings#webhooks");
    await page.getByRole("button", { name: "Create URL" }).tap();
    const form = page.getByRole("dialog");
    await form.waitFor();
    await page.goBack();
    await form.waitFor({ state: "detached" });
    await page.getByRole("complementary", { name: "Settings" }).waitFor();
  });

  test("nothing on the way back from what a sheet led to", async () => {
    await bob.say(general, "Ask me");
    const { page } = await open("/rooms/general");
    const row = messageRow(page, "Ask me");
    await row.getByRole("button", { name: "Bob Noyce" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Message" }).tap();
    await page.getByRole("textbox", { name: "Message Bob Noyce" }).waitFor();
    await page.goBack();
    await page.getByRole("textbox", { name: "Message #general" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a sheet above another tab than the last sheet, and the tab stays", async () => {
    const { page } = await open("/rooms/general?panel=members");
    const person = page.getByRole("complementary").getByRole("button", { name: /Bob Noyce/ });
    await person.first().tap();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Settings" }).tap();
    await page.getByText("Webhooks", { exact: true }).tap();
    await page.getByRole("button", { name: "Create URL" }).tap();
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?panel=settings");
  });

  test("a result that was opened after a filter was chosen in a sheet", async () => {
    await bob.say(general, "A rare word");
    const { page } = await open("/search?q=rare");
    const result = page.getByRole("region", { name: "Search messages" }).getByRole("link");
    await result.getByText("A rare word").waitFor();
    await page.getByRole("button", { name: "Date" }).tap();
    await page.getByRole("menuitemcheckbox", { name: "Today" }).tap();
    await page.getByRole("menu").waitFor({ state: "detached" });
    const search = page.url();
    await result.getByText("A rare word").tap();
    await page.locator("[aria-current][data-message-id]").getByText("A rare word").waitFor();
    await page.goBack();
    await result.getByText("A rare word").waitFor();
    expect(page.url()).toBe(search);
  });

  test("the room, where the page was loaded again with a sheet open", async () => {
    const { page, context } = await open("/");
    await page.getByRole("link", { name: /^general/ }).tap();
    await page.getByRole("button", { name: "Notifications for this room" }).tap();
    await page.getByRole("menu").waitFor();
    // Back does not wait for the code of the sheets.
    await context.route(/\/assets\/rest-/, () => {});
    await page.reload();
    await page.getByRole("textbox", { name: "Message #general" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Home" }).waitFor();
  });

  test("no secret that was not copied, however often it is pressed", async () => {
    const { page } = await open("/rooms/general?panel=settings#webhooks");
    await page.getByRole("button", { name: "Create URL" }).tap();
    const form = page.getByRole("dialog", { name: "New incoming webhook" });
    await form.getByLabel("Name", { exact: true }).fill("Builds");
    await form.getByRole("button", { name: "Create URL" }).tap();
    const secret = page.getByLabel("URL", { exact: true });
    await secret.waitFor();
    for (let press = 0; press < 3; press += 1) {
      await page.goBack();
      await page.getByRole("button", { name: "Close anyway" }).waitFor();
      await eventually(() => page.evaluate(() => history.state.sheets > 0));
      expect(await secret.isVisible()).toBe(true);
    }
    // Chromium on Android closes a dialog at the second press, without an event before it.
    await page.getByRole("dialog").evaluate((dialog: HTMLDialogElement) => dialog.close());
    await secret.waitFor();
    await page.getByRole("button", { name: "Close anyway" }).tap();
    await secret.waitFor({ state: "detached" });
    await page.getByRole("complementary", { name: "Settings" }).waitFor();
  });
});

test("a right click on a message opens the sheet of a long press", async () => {
  await bob.say(general, "Click me");
  const { page } = await open("/rooms/general");
  await restLoaded(page);
  await messageRow(page, "Click me").click({ button: "right" });
  const sheet = page.getByRole("dialog", { name: "Message actions" });
  await sheet.getByRole("button", { name: "React with 👍" }).waitFor();
  await sheet.getByRole("button", { name: "Reply with a quote" }).waitFor();
});

test("the rows of all lists have their time in the first line, and the rest in the second", async () => {
  const person = await world.person("lister", { displayName: "Liz Lister" });
  const room = await world.room("lists", ada, [person]);
  const root = await person.say(room, "A root");
  const { id } = await ada.say(room, "@lister, look");
  for (let n = 0; n < 3; n += 1) await ada.say(room, `Reply ${n}`, { thread_id: root.id });
  await person.put(`/api/saved/${id}`, {});
  await person.put("/api/drafts", { room_id: room, base_version: 0, content: "A draft" });
  const { body: direct } = await ada.post("/api/direct", { user_ids: [person.user.id] });
  await ada.say(direct.id, "Hello");
  const { page } = await open("/", PHONE, person);
  const places = new Set<string>();
  for (const path of ["/activity", "/threads", "/later", "/drafts", "/direct"]) {
    await page.goto(world.service.address + path);
    const row = page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: "Actions", exact: true }) })
      .first();
    await row.waitFor();
    const place = await row.evaluate((element) => {
      const frame = element.getBoundingClientRect();
      const boxOf = (selector: string) => element.querySelector(selector)?.getBoundingClientRect();
      const middle = ({ top, height }: DOMRect) => Math.round(top + height / 2 - frame.top);
      const [time, more] = [boxOf("time"), boxOf("button[aria-label=Actions]")];
      const badge = boxOf("[role=img]:not(:empty)");
      if (!time || !more) return "";
      const isLevel = !badge || middle(badge) === middle(more);
      return `${middle(time)} ${frame.right - time.right}, ${middle(more)} ${isLevel}`;
    });
    places.add(place);
  }
  expect([...places]).toEqual(["23 16, 42 true"]);
});

test("a row of a list has a button for its actions, which is seen only with the focus", async () => {
  const { page } = await open("/later");
  const button = page.getByRole("button", { name: "Actions" });
  const opacity = () => button.evaluate((button) => getComputedStyle(button).opacity);
  await expectSoon(opacity, "0");
  await page
    .getByRole("main")
    .getByRole("link", { name: /Who brings the hammer/ })
    .focus();
  const focused = button.and(page.locator(":focus"));
  for (let n = 0; n < 6 && (await focused.count()) === 0; n += 1) await page.keyboard.press("Tab");
  expect(await opacity()).toBe("1");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Remind me" }).waitFor();
  await page.goBack();
  await page.getByRole("menu").waitFor({ state: "detached" });
  const send_at = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const plan = { room_id: general, content: "See you", send_at, zone: "Asia/Tokyo" };
  await ada.post("/api/scheduled", plan);
  await walk(page, "/drafts");
  const entry = page.getByRole("main").getByRole("listitem").filter({ hasText: "See you" });
  // One time: when it is sent, here.
  const times = (await entry.textContent())?.match(/\d?\d:\d\d/g);
  expect(times?.length).toBe(1);
  expect(await entry.locator("time").getAttribute("data-tooltip")).toEndWith("in Tokyo");
  await entry.getByRole("button", { name: "Actions" }).press("Enter");
  await page.getByRole("menuitem", { name: "Send now" }).waitFor();
});

test("the buttons of a dialog are as wide as their texts", async () => {
  const { page } = await open("/browse");
  await page.getByRole("button", { name: "Create a room" }).tap();
  const dialog = page.getByRole("dialog");
  const widthOf = async (name: string) =>
    (await dialog.getByRole("button", { name }).boundingBox())?.width ?? 0;
  expect(await widthOf("Cancel")).toBeLessThan(await widthOf("Create room"));
});

test("lists fit on a phone, and lead to what they list", async () => {
  const { page } = await open("/browse");
  const search = await page.getByRole("searchbox", { name: "Search rooms" }).boundingBox();
  expect(search?.width).toBeGreaterThan(PHONE.viewport.width / 2);
  await page.getByRole("button", { name: "Name, A–Z" }).tap();
  await page.getByRole("menuitemradio", { name: "Most members" }).tap();
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Join/ }).tap();
  await page.getByRole("textbox", { name: "Message #workshop" }).waitFor();
  for (const path of ["/browse", "/threads", "/activity", "/later"]) {
    await walk(page, path);
    await page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: page.getByRole("link") })
      .first()
      .waitFor();
    expect([path, await overflow(page)]).toEqual([path, 0]);
  }
  await walk(page, "/threads");
  await page.getByRole("link", { name: /Who brings the hammer/ }).tap();
  await page.getByRole("region", { name: "Thread" }).getByText("I do").waitFor();
  await walk(page, "/activity");
  await page.getByRole("link", { name: /Bob Noyce.*I do/ }).tap();
  await page.locator("[aria-current][data-message-id]", { hasText: "I do" }).waitFor();
});

test("the first line of each page of the administration is whole on a phone", async () => {
  const admin = await world.person("grace", { isSiteAdmin: true });
  const { page } = await open("/admin", PHONE, admin);
  const cut: string[] = [];
  for (const name of ["Team", "Rooms", "Invites", "Bots", "Webhooks", "Uploads", "Email"]) {
    await walk(page, `/admin/${name.toLowerCase()}`);
    const card = page.locator(`section:has(> h2:text-is("${name}"))`);
    await card.waitFor();
    const hidden = await card.evaluate((element) => {
      const first = [...element.children].find((child) => child.checkVisibility()) as Element;
      const frame = element.parentElement as Element;
      return frame.getBoundingClientRect().top - first.getBoundingClientRect().top;
    });
    if (hidden > 0) cut.push(`${name}: ${hidden} px`);
  }
  expect(cut).toEqual([]);
});

test("the administration has its texts and controls in order on a phone", async () => {
  const admin = await world.person("katherine", { isSiteAdmin: true });
  await admin.post("/api/admin/invite-links", { days: 7, max_uses: 50 });
  const { page } = await open("/admin/overview", PHONE, admin);
  const main = page.getByRole("main");
  const link = main.getByRole("link", { name: "Set up backups" });
  await link.waitFor();
  const sentence = await boxOf(main.getByText("There is no backup yet.", { exact: true }));
  expect((await boxOf(link)).left).toBe(sentence.left);
  expect((await boxOf(link)).top - sentence.bottom).toBe(8);
  expect(await findSmallTargets(page)).toEqual([]);
  await walk(page, "/admin/people");
  const search = await boxOf(main.getByRole("searchbox", { name: "Name or email" }));
  const choice = await boxOf(main.getByRole("combobox", { name: "Show" }));
  expect(choice.top).toBeGreaterThan(search.bottom);
  expect(choice.top).toBe((await boxOf(main.getByRole("link", { name: "Invite people" }))).top);
  await walk(page, "/admin/audit");
  const { bottom } = await boxOf(main.getByLabel("From", { exact: true }));
  expect((await boxOf(main.getByText("Category", { exact: true }))).top - bottom).toBe(16);
  await walk(page, "/admin/invites");
  const status = await boxOf(main.getByText(/^0 of 50 used/).first());
  const field = await boxOf(main.getByLabel(/^By .+ created/).first());
  expect(status.bottom).toBeLessThan(field.top);
  expect((await boxOf(main.getByRole("button", { name: "Copy" }).first())).top).toBeGreaterThan(
    field.bottom,
  );
});

test("in a low window, messages and the composer are in view", async () => {
  const { page } = await open("/rooms/general", {
    viewport: { width: 1000, height: 400 },
  });
  await page.getByRole("textbox", { name: "Message #general" }).fill("one\ntwo\nthree\nfour");
  const log = await page.getByRole("log").boundingBox();
  expect(log?.height).toBeGreaterThan(100);
  const isInView = async (part: Locator) => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 400;
  };
  await eventually(() =>
    isInView(page.locator("form", { has: page.getByLabel("Message #general") })),
  );
  await page.getByRole("button", { name: "Notifications for this room" }).click();
  await eventually(() => isInView(page.getByRole("menu")));
});

test("a narrow composer has its buttons below the text", async () => {
  const root = await ada.say(general, "A thread in a narrow pane");
  const { page } = await open(`/rooms/general/t/${root.id}`, {
    viewport: { width: 960, height: 700 },
  });
  const field = page.getByRole("textbox", { name: "Reply in the thread" });
  await field.waitFor();
  const pane = page.getByRole("region", { name: "Thread" });
  const boxOf = async (name: string) =>
    (await pane.getByRole("button", { name, exact: true }).boundingBox())?.y ?? 0;
  const text = await field.boundingBox();
  const bottom = (text?.y ?? 0) + (text?.height ?? 0);
  expect(await boxOf("Send")).toBeGreaterThanOrEqual(bottom - 1);
  expect(await boxOf("Formatting")).toBeGreaterThanOrEqual(bottom - 1);
});

describe("a picture", () => {
  test("is followed by others with the arrows, and zoomed by keys", async () => {
    const names = ["first", "second"];
    for (const alt of names) {
      const { body: image } = await bob.upload(
        `/api/rooms/${general}/images`,
        await picture("png", 300, 200),
      );
      await bob.say(general, alt, { image_id: image.id, image_alt: alt });
    }
    const { page } = await open("/rooms/general", WIDE);
    await page.getByRole("button", { name: "Open first" }).click();
    const shown = (name: string) => page.getByRole("dialog", { name });
    await shown("first").waitFor();
    await page.keyboard.press("ArrowRight");
    await shown("second").waitFor();
    // At the end the arrow does nothing.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await shown("first").waitFor();
    const width = async () =>
      (await shown("first").getByRole("img", { name: "first" }).boundingBox())?.width ?? 0;
    const before = await width();
    await page.keyboard.press("+");
    await eventually(async () => (await width()) > before);
    await page.keyboard.press("0");
    await eventually(async () => (await width()) === before);
    await page.keyboard.press("Escape");
    await shown("first").waitFor({ state: "detached" });
  });

  test("that does not load has a button to try again", async () => {
    const { page, context } = await newPage(browser, WIDE);
    await signIn(context, ada);
    await page.route("**/images/**", (route) => route.abort());
    await page.goto(`${world.service.address}/rooms/general`);
    const broken = page.getByRole("button", { name: "The image didn't load. Try again" }).first();
    await broken.getByText("Try again", { exact: true }).waitFor();
    await page.unroute("**/images/**");
    await broken.click();
    const image = page
      .getByRole("button", { name: /^Open / })
      .first()
      .locator("img");
    const widthOf = () => image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    await eventually(async () => (await widthOf()) > 0);
  });
});

test("a message that a link leads to is highlighted, and the highlight fades", async () => {
  const { id } = await bob.say(general, "Look here");
  const { page } = await open(`/rooms/general/m/${id}`, WIDE);
  const row = page.locator("[aria-current][data-message-id]", { hasText: "Look here" });
  await row.waitFor();
  const [at, ended] = await row.evaluate((element) => {
    const [animation] = element.getAnimations();
    const color = () => getComputedStyle(element).backgroundColor;
    if (!animation) return [color(), color()];
    animation.pause();
    animation.currentTime = 0;
    const first = color();
    animation.finish();
    return [first, color()];
  });
  expect(at).not.toBe(ended);
});

describe("a sheet opens at its top, and can be scrolled to its end:", () => {
  const LOW = { ...PHONE, viewport: { width: 640, height: 400 } };

  test("a menu", async () => {
    const { page } = await open("/rooms/general", LOW);
    await page.getByRole("button", { name: "Notifications for this room" }).tap();
    await page.getByRole("menu").waitFor();
    await expectWholeSheet(page);
  });

  test("the actions of a message, and then the emoji picker", async () => {
    await ada.say(general, "Open the sheet");
    const { page } = await open("/rooms/general", LOW);
    await restLoaded(page);
    await messageRow(page, "Open the sheet").click({ button: "right" });
    const actions = page.getByRole("dialog", { name: "Message actions" });
    await actions.waitFor();
    await expectWholeSheet(page);
    await actions.getByRole("button", { name: "React", exact: true }).tap();
    await page.getByRole("dialog", { name: "Choose an emoji" }).waitFor();
    await expectWholeSheet(page);
  });

  async function expectWholeSheet(page: Page) {
    const sheet = page.locator("dialog.sheet").last();
    const places = await sheet.evaluate(async (element: HTMLElement) => {
      await Promise.all(element.getAnimations().map(({ finished }) => finished));
      const grip = element.querySelector(".grip")?.getBoundingClientRect();
      return {
        scrolled: element.scrollTop,
        grip: grip && grip.top - element.getBoundingClientRect().top,
      };
    });
    expect(places).toEqual({ scrolled: 0, grip: 8 });
    await sheet.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const end = await sheet.locator("button").last().boundingBox();
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeWithin(1, 401);
  }
});

const boxOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect());
const LOW = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

test.each([
  ["on a phone", PHONE],
  ["at 200% zoom", LOW],
])("attachments are above the text that is written %s", async (_, options) => {
  const { page } = await open("/rooms/general", options);
  await restLoaded(page);
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };
  await page.setInputFiles('input[type="file"]', file);
  const tray = page.getByRole("list", { name: "Attachments" });
  await tray.locator('[data-state="done"]').waitFor();
  const area = page.getByRole("textbox", { name: "Message #general" });
  await area.fill("Here are the notes");
  expect((await boxOf(tray)).bottom).toBeLessThanOrEqual((await boxOf(area)).top);
  await area.fill("");
  await tray.getByRole("button", { name: "Remove notes.txt" }).click();
});

test("the administration is as wide as the page at 200% zoom", async () => {
  const admin = await world.person("hedy", { isSiteAdmin: true });
  await world.room("hooks", admin);
  await world.database.sql`delete from incoming_webhooks`;
  const { page } = await open("/admin/webhooks", LOW, admin);
  const action = page.getByRole("link", { name: "Add one in #hooks" });
  await action.waitFor();
  expect(await action.getAttribute("href")).toBe("/rooms/hooks?panel=settings#webhooks");
  const box = await boxOf(action);
  expect(box.bottom).toBeLessThanOrEqual((await boxOf(page.getByRole("main"))).bottom);
  expect((box.left + box.right) / 2).toBe(LOW.viewport.width / 2);
  await walk(page, "/admin/team");
  const field = await boxOf(page.getByLabel("Name of your team"));
  expect(field.left + field.right).toBe(LOW.viewport.width);
});

describe("with a mouse, a narrow window has no sheets:", () => {
  const openRow = async (text: string) => {
    await ada.say(general, text);
    const { page } = await open("/rooms/general", LOW);
    await restLoaded(page);
    const row = messageRow(page, text);
    await row.hover();
    return { page, row };
  };

  test.each([
    ["menu", "More actions"],
    ["dialog", "React"],
  ] as const)("a %s is in the window, beside its button", async (role, name) => {
    const { page, row } = await openRow(`Press ${name}`);
    const button = row.getByRole("button", { name, exact: true });
    await button.click();
    const popup = await expectInWindow(page, page.getByRole(role));
    const opener = await boxOf(button);
    const isBeside =
      popup.bottom <= opener.top ||
      popup.top >= opener.bottom ||
      popup.right <= opener.left ||
      popup.left >= opener.right;
    expect(isBeside).toBe(true);
  });

  test("a right click opens a menu with shortcuts, whose last item can be scrolled to", async () => {
    const { page, row } = await openRow("Click me with a mouse");
    await row.click({ button: "right" });
    const menu = page.getByRole("menu", { name: "Message actions" });
    await expectInWindow(page, menu);
    const first = menu.getByRole("menuitem", { name: "Reply with a quote" });
    expect(await first.textContent()).toContain("Q");
    expect((await boxOf(first)).height).toBe(32);
    const last = menu.getByRole("menuitem").last();
    await last.scrollIntoViewIfNeeded();
    expect((await boxOf(last)).bottom).toBeLessThanOrEqual(LOW.viewport.height);
  });

  async function expectInWindow(page: Page, popup: Locator) {
    await popup.waitFor();
    expect(await page.locator("dialog").count()).toBe(0);
    const box = await boxOf(popup);
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(LOW.viewport.width);
    expect(box.bottom).toBeLessThanOrEqual(LOW.viewport.height);
    return box;
  }
});
