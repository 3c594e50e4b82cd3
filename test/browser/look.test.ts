import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import {
  launchBrowser,
  messageRow,
  newPage,
  paneHead,
  PHONE,
  readCut,
  sidebarLink,
  signedInPage,
  toasts,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { indexEverything } from "../support/search.ts";
import { findSmallTargets } from "../support/targets.ts";
import { World } from "../support/world.ts";
import { expectSoon } from "../support/wait.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let last: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  for (let i = 10; i < 40; i++) last = await world.room(`room-${i}`, bob, [ada]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options: object) => signedInPage(browser, ada, path, options);

/** Waits until the current row of the list of rooms is not cut off. */
const untilInView = (page: Page) =>
  page.waitForFunction(() => {
    const list = document.querySelector('nav[aria-label="Rooms"]');
    const nav = list?.getBoundingClientRect();
    const row = list?.querySelector('[aria-current="page"]');
    const box = row?.getBoundingClientRect();
    return nav && box && box.top >= nav.top && box.bottom <= nav.bottom;
  });

test("the open room and the open conversation are in view, also where the list gets less room", async () => {
  const message = await bob.say(last, "the last");
  const { id } = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body;
  await bob.say(id, "Hello");
  const { page } = await open("/rooms/room-39", WIDE);
  await untilInView(page);
  // Its place at the head takes a row from the list.
  await ada.put(`/api/saved/${message.id}`, {});
  await page
    .getByRole("complementary", { name: "Rooms" })
    .getByRole("link", { name: "Later" })
    .waitFor();
  await untilInView(page);
  await walk(page, "/rooms/room-10");
  await untilInView(page);
  await walk(page, `/direct/${id}`);
  await untilInView(page);
  await page.setViewportSize({ width: 1280, height: 600 });
  await untilInView(page);
});

test("the administration has room for its content beside the sidebar, also at 200% zoom", async () => {
  const { page } = await open("/admin/people", { viewport: { width: 720, height: 450 } });
  await page.getByText("@bob").waitFor();
  const content = await page.getByRole("main").locator("nav + div").boundingBox();
  expect(content?.width).toBeGreaterThan(400);
});

test("a sign-in has its error above the fields, and the way to a new password beside its label", async () => {
  const { page } = await newPage(browser, PHONE);
  await page.goto(`${world.service.address}/signin`);
  const password = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Username or email").fill("ada");
  await password.fill("a wrong one");
  await password.press("Enter");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0;
  expect(await top(alert)).toBeLessThan(await top(page.getByText("Username or email")));
  const forgot = page.getByRole("link", { name: "Forgot your password?" });
  const label = page.locator("label", { hasText: "Password" });
  const middle = async (locator: Locator) =>
    (await top(locator)) + ((await locator.boundingBox())?.height ?? 0) / 2;
  expect(Math.abs((await middle(forgot)) - (await middle(label)))).toBeLessThanOrEqual(2);
  expect(await findSmallTargets(page)).toEqual([]);
  await password.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
});

test("a page or a room that does not exist has its name in the head", async () => {
  const { page } = await open("/nowhere/at/all", WIDE);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor();
  await walk(page, "/rooms/gone");
  await page.getByRole("heading", { level: 1, name: "#gone", exact: true }).waitFor();
  await page.getByRole("heading", { name: "You are not in #gone" }).waitFor();
});

test("the fields of one row are equally high", async () => {
  const { page } = await open("/browse", WIDE);
  const main = page.getByRole("main");
  for (const [path, ...controls] of [
    ["/browse", main.getByRole("searchbox")],
    ["/admin/people", main.getByRole("searchbox"), main.getByRole("combobox")],
    [
      "/admin/audit",
      main.locator('input[type="date"]'),
      main.getByRole("combobox"),
      main.getByRole("link", { name: "Download as CSV" }),
    ],
  ] as const) {
    await walk(page, path);
    for (const control of controls) await control.first().waitFor();
    const fields = controls.reduce((all, control) => all.or(control));
    const boxes = await fields.evaluateAll((all) =>
      all.map((element) => element.getBoundingClientRect()).map(({ top, height }) => [top, height]),
    );
    expect(boxes.every((box) => Bun.deepEquals(box, boxes[0]))).toBe(true);
    // The lists scroll, and not the page with its sidebar.
    const past = await page.evaluate(() => {
      const all = ["[data-connection]", "main"].map((selector) => document.querySelector(selector));
      return [document.body, ...all].map(
        (element) => element && element.scrollHeight - element.clientHeight,
      );
    });
    expect(past).toEqual([0, 0, 0]);
  }
});

test("the rows of lists begin where their header and a room's messages do, read or not", async () => {
  const { id } = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body;
  const message = await bob.say(last, "Here the column begins");
  await ada.put(`/api/saved/${message.id}`, {});
  const { page } = await open("/later", { viewport: { width: 1440, height: 900 } });
  const leftOf = async (element: Locator) => {
    const found = element.last();
    await found.waitFor();
    return (await found.boundingBox())?.x;
  };
  const title = await leftOf(paneHead(page).getByRole("heading"));
  const rows = page.getByRole("main").getByRole("listitem");
  const mark = rows.locator(".row-mark");
  for (const path of ["/later", "/direct"]) {
    await walk(page, path);
    expect(await leftOf(mark)).toBe(title);
  }
  await bob.say(id, "Something new");
  await rows.getByRole("img", { name: /^\d+$/ }).waitFor();
  expect(await leftOf(mark)).toBe(title);
  await indexEverything(world.database);
  await walk(page, "/search?q=column");
  await page.getByText(/^1 message/).waitFor();
  expect(await leftOf(mark)).toBe(title);
  for (const path of ["/activity", "/threads", "/drafts", "/browse"]) {
    await walk(page, path);
    await page.waitForURL(`**${path}`);
    expect(await leftOf(paneHead(page).getByRole("heading"))).toBe(title);
    const first = page.locator(".filter-bar").locator(".chip, .search-box").first();
    expect(await leftOf(first)).toBe(title);
  }
  const room = (await ada.get(`/api/rooms/${last}`)).body.name;
  await walk(page, `/rooms/${room}`);
  expect(await leftOf(messageRow(page, "Here the column begins").locator(".avatar"))).toBe(title);
});

test("settings and the screens of the administration have one column each", async () => {
  const { page } = await open("/you", { viewport: { width: 1440, height: 900 } });
  const main = page.getByRole("main");
  const edgesOf = async (all: Locator) => {
    const element = all.first();
    await element.waitFor();
    const { x, width } = (await element.boundingBox()) ?? { x: 0, width: 0 };
    return { left: x, middle: x + width / 2, right: x + width };
  };
  const title = await edgesOf(paneHead(page).getByRole("heading"));
  expect((await edgesOf(main.getByRole("list"))).left).toBe(title.left);
  await walk(page, "/admin/overview");
  const numbers = await edgesOf(main.locator("dl"));
  expect((await edgesOf(main.getByRole("list"))).right).toBe(numbers.right);
  await walk(page, "/admin/bots");
  const empty = main.getByRole("heading", { name: "No bots yet" }).locator("..");
  expect((await edgesOf(empty)).middle).toBe((await edgesOf(main.locator("form"))).middle);
});

test("an empty list has a title, whatever the headings of its sections look like", async () => {
  const { page } = await open("/activity", WIDE);
  for (const [path, name] of [
    ["/activity", "Nothing here yet"],
    ["/threads", "No threads yet"],
    ["/search?q=nowhere", "No message matches"],
    ["/later/done", "Nothing done yet"],
  ] as const) {
    await walk(page, path);
    const title = page.getByRole("heading", { level: 2, name, exact: true });
    await title.waitFor();
    expect(await title.evaluate((element) => getComputedStyle(element).fontSize)).toBe("17px");
  }
});

test("what is found in a table is shown without its lines", async () => {
  await bob.say(last, "| Engine | Cards |\n|-|-:|\n| difference | 12 |\n| analytical | 50 |");
  await indexEverything(world.database);
  const { page } = await open("/search?q=analytical", WIDE);
  const found = page.getByRole("main").getByRole("listitem").filter({ hasText: "analytical" });
  await found.waitFor();
  expect(await found.textContent()).not.toContain("|-");
});

test("on a narrow page the number of what is new leaves the sign of the menu and the title visible", async () => {
  for (let i = 20; i < 32; i++) {
    const { body } = await ada.get("/api/rooms");
    const room = body.items.find(({ name }: { name: string }) => name === `room-${i}`);
    await bob.say(room.id, "@ada");
  }
  const { page } = await open("/browse", { viewport: { width: 700, height: 800 } });
  const number = paneHead(page).getByRole("img", { name: /mention/ });
  await number.waitFor();
  const [icon, badge, title] = await Promise.all([
    paneHead(page).getByRole("button", { name: "Rooms" }).locator("svg").boundingBox(),
    number.boundingBox(),
    page.getByRole("main").getByRole("heading", { level: 1 }).boundingBox(),
  ]);
  if (!icon || !badge || !title) throw new Error("The menu has no sign or no number.");
  // With the ring around the number.
  expect(title.x - badge.x - badge.width).toBeGreaterThan(2);
  const over = (a: number, aSize: number, b: number, bSize: number) =>
    Math.max(0, Math.min(a + aSize, b + bSize) - Math.max(a, b));
  const covered =
    over(icon.x, icon.width, badge.x, badge.width) *
    over(icon.y, icon.height, badge.y, badge.height);
  expect(covered).toBeLessThan((icon.width * icon.height) / 4);
});

test("on a phone an opened picture is within the screen", async () => {
  const image = await bob.upload(`/api/rooms/${last}/images`, await picture("png", 900, 600));
  await bob.post(`/api/rooms/${last}/messages`, { image_id: image.body.id });
  const { page } = await open("/rooms/room-39", PHONE);
  await page
    .getByRole("button", { name: /^Open image/ })
    .last()
    .tap();
  const lightbox = page.getByRole("dialog");
  const shown = lightbox.locator("img");
  await shown.waitFor();
  const box = await shown.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width);
  const widths = await lightbox.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(widths[0]).toBe(widths[1] as number);
});

test("a long name is cut in the list of suggestions", async () => {
  const displayName = "Wilhelmina Alexandrina Victoria von Hohenzollern-Sigmaringen";
  const { user } = await world.person("wilhelmina-von-hohenzollern-sig", { displayName });
  await bob.post(`/api/rooms/${last}/members`, { user_id: user.id });
  const { page } = await open("/rooms/room-39", WIDE);
  await page.getByRole("textbox", { name: "Message #room-39" }).pressSequentially("@wil");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await list.getByRole("option", { name: /Wilhelmina/ }).waitFor();
  const widths = await list.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(widths[0]).toBe(widths[1] as number);
});

test("on a phone a password that is shown once is read whole", async () => {
  await world.person("grace", { displayName: "Grace Hopper" });
  const { page } = await open("/admin/people", PHONE);
  await page.getByRole("button", { name: "Actions for Grace Hopper" }).tap();
  await page.getByRole("menuitem", { name: "Reset password" }).tap();
  await page.getByRole("button", { name: "Reset password" }).tap();
  const shown = page.getByLabel("Password", { exact: true });
  const [needs, has] = await shown.evaluate((element) => [
    element.scrollWidth,
    element.clientWidth,
  ]);
  expect(needs).toBeLessThanOrEqual(has ?? 0);
});

test("in dark colours no toast is bright", async () => {
  await bob.say(await world.room("cellar", bob, [ada]), "Lights out");
  const { page } = await open("/rooms/cellar", { ...WIDE, colorScheme: "dark" });
  const row = messageRow(page, "Lights out");
  await row.hover();
  await row.getByRole("button", { name: "Save for later" }).click();
  const toast = toasts(page).first();
  await toast.waitFor();
  const brightest = await toast.evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) return 255;
    canvas.fillStyle = getComputedStyle(element).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  });
  expect(brightest).toBeLessThan(100);
});

test("a button is pressed at the first click, also where a draft of another device is offered", async () => {
  const room = await world.room("attic", bob, [ada]);
  await bob.say(room, "Up here");
  const phone = await world.signIn(ada.user);
  const draft = { room_id: room, base_version: 0, content: "begun elsewhere" };
  const { version } = (await phone.put("/api/drafts", draft)).body;
  const { page } = await open("/rooms/attic", WIDE);
  const area = page.getByRole("textbox", { name: "Message #attic" });
  await expectSoon(() => area.inputValue(), draft.content);
  await phone.put("/api/drafts", { ...draft, base_version: version, content: "changed elsewhere" });
  await page.getByRole("region", { name: "Another draft" }).waitFor();
  const row = messageRow(page, "Up here");
  await row.hover();
  await row.getByRole("button", { name: "Save for later" }).click();
  await row.getByText("Saved for later").waitFor();
});

test("on a phone a text that is being written has the width of the composer", async () => {
  const { page } = await open("/rooms/room-39", PHONE);
  const area = page.getByRole("textbox", { name: "Message #room-39" });
  const send = page.getByRole("button", { name: "Send", exact: true });
  const [before, sendBefore] = await Promise.all([area.boundingBox(), send.boundingBox()]);
  // On one line with the buttons, as long as nothing is written.
  expect((before?.y ?? 0) + (before?.height ?? 0)).toBeGreaterThan(sendBefore?.y ?? 0);
  await area.fill("Shall we look at the checklist before dinner?");
  await page.getByRole("button", { name: "At another time" }).waitFor();
  const [after, sendAfter] = await Promise.all([area.boundingBox(), send.boundingBox()]);
  expect(after?.width).toBeGreaterThan(350);
  expect((after?.y ?? 0) + (after?.height ?? 0)).toBeLessThanOrEqual(sendAfter?.y ?? 0);
  // The finger finds it where it was.
  expect(sendAfter?.x).toBe(sendBefore?.x as number);
});

test("a long name in a list with a hint beside it is cut at its end, in either direction", async () => {
  const names = ["Someone with a name ".repeat(4).trim(), "مفتاح حاسوبي المحمول ".repeat(4).trim()];
  for (const [i, displayName] of names.entries()) await world.person(`long-${i}`, { displayName });
  const { page } = await open("/admin/people", { viewport: { width: 720, height: 800 } });
  for (const name of names) {
    const title = page.getByRole("main").getByRole("listitem").getByText(name);
    expect(await readCut(title)).toEqual({ showsFirst: true, showsLast: false });
  }
});

test("a menu that is higher than the window scrolls", async () => {
  await bob.say(last, "something to act on");
  const height = 150;
  const { page } = await open("/rooms/room-39", { viewport: { width: 900, height } });
  const message = messageRow(page, "something to act on");
  await message.focus();
  await message.getByRole("button", { name: "More actions" }).press("Enter");
  const menu = page.getByRole("menu");
  await menu.press("End");
  const edges = await menu.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const lastItem = element.lastElementChild?.getBoundingClientRect();
    return { top, bottom, bottomOfLast: lastItem?.bottom ?? Infinity };
  });
  expect(edges.top).toBeGreaterThanOrEqual(0);
  expect(edges.bottom).toBeLessThanOrEqual(height);
  expect(edges.bottomOfLast).toBeLessThanOrEqual(edges.bottom);
});

test.each([
  ["New message", "Control+Shift+K"],
  ["the switcher", "Control+k"],
])("a long name in %s is cut at its end, also from right to left", async (_, keys) => {
  const displayName = "حاسوب محمول ".repeat(6).trim();
  const username = `rtl-${keys.length}`;
  await world.person(username, { displayName });
  const { page } = await open("/browse", { viewport: { width: 420, height: 700 } });
  await page.getByRole("heading", { name: "Browse rooms" }).click();
  await page.keyboard.press(keys);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox").fill(username);
  const name = dialog.getByRole("option").getByText(displayName);
  expect(await readCut(name)).toEqual({ showsFirst: true, showsLast: false });
});

test("a long note in Later is cut after two lines", async () => {
  const { id } = await bob.say(last, "to be remembered");
  await ada.put(`/api/saved/${id}`, { note: "a long note ".repeat(33).trim() });
  const { page } = await open("/later", PHONE);
  const lines = await page.getByText("a long note a long note").evaluate((note) => {
    const { lineHeight } = getComputedStyle(note);
    return note.getBoundingClientRect().height / Number.parseFloat(lineHeight);
  });
  expect(Math.round(lines)).toBe(2);
});

test("a group of shortcuts stays in one column", async () => {
  const { page } = await open("/rooms/room-39", WIDE);
  await page.getByRole("textbox", { name: "Message #room-39" }).press("Control+/");
  const groups = page.getByRole("dialog", { name: "Keyboard shortcuts" }).locator("section");
  await groups.first().waitFor();
  const columns = await groups.evaluateAll((sections) =>
    sections.map(
      (section) =>
        new Set([...section.children].map((child) => child.getBoundingClientRect().left)).size +
        new Set(
          [...section.querySelectorAll("dd")].map((text) => text.getBoundingClientRect().left),
        ).size,
    ),
  );
  expect(columns).toEqual([2, 2, 2, 2]);
});

test("a table and a block of code keep a distance from the name above them", async () => {
  await bob.say(last, "| a | b |\n|---|---|\n| 1 | 2 |");
  await ada.say(last, "```\nblock\n```");
  const { page } = await open("/rooms/room-39", WIDE);
  await page.getByText("block").waitFor();
  // Each in its frame.
  for (const block of ["div:has(> table)", "div:has(> pre)"]) {
    const byline = page.locator("p:has(time)");
    const row = page.locator("[data-message-id]", { has: byline }).filter({
      has: page.locator(block),
    });
    const gap = await row.evaluate(
      (element, selector) =>
        (element.querySelector(selector)?.getBoundingClientRect().top ?? 0) -
        (element.querySelector("p:has(time)")?.getBoundingClientRect().bottom ?? 0),
      block,
    );
    expect([block, gap >= 4]).toEqual([block, true]);
  }
});

test("the faces of a group have one letter each, which the other face leaves free", async () => {
  const cy = await world.person("cy", { displayName: "Cy Twombly" });
  const { body } = await ada.post("/api/direct", { user_ids: [bob.user.id, cy.user.id] });
  await bob.say(body.id, "Hello both");
  const { page } = await open("/rooms/room-39", WIDE);
  const faces = sidebarLink(page, "Bob Noyce and Cy Twombly").locator('span[aria-hidden="true"]');
  await faces.first().waitFor();
  expect(await faces.allTextContents()).toEqual(["B", "C"]);
  const isFree = await faces.first().evaluate((face) => {
    const letter = document.createRange();
    letter.selectNodeContents(face);
    const { right, bottom } = letter.getBoundingClientRect();
    const other = face.nextElementSibling?.getBoundingClientRect();
    if (!other) return false;
    const [x, y] = [other.left + other.width / 2, other.top + other.height / 2];
    return Math.hypot(x - right, y - (bottom - 4)) >= other.width / 2;
  });
  expect(isFree).toBe(true);
});

test("what opens on a click has the chevron of the client", async () => {
  const { page } = await open("/admin/invites", WIDE);
  const summary = page.getByText("Rooms to join");
  await summary.locator("svg").waitFor();
  // Only the display of a list item has the browser's triangle.
  expect(await summary.evaluate((element) => getComputedStyle(element).display)).toBe("flex");
  await summary.click();
  await page.getByRole("checkbox", { name: /#room-39/ }).waitFor();
});

test("the account says that its address cannot be changed", async () => {
  const { page } = await open("/profile/account", WIDE);
  await page.getByText("Nobody can change your username and email address").waitFor();
});

test("the settings of a room begin with what is the reader's alone, fold webhooks, and end with deleting it", async () => {
  const own = await world.room("own-room", ada);
  await ada.patch(`/api/rooms/${own}`, { description: "Mine" });
  const { page } = await open("/rooms/own-room?panel=settings", WIDE);
  const settings = page.getByRole("complementary", { name: "Settings" });
  const outgoing = settings.getByRole("heading", { name: "Outgoing webhooks" });
  await settings.locator("h3", { hasText: "Outgoing webhooks" }).waitFor({ state: "attached" });
  expect(await settings.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
    "For you",
    "Name and access",
    "Messages",
    "Delete room",
  ]);
  await settings.getByText("Webhooks", { exact: true }).click();
  await outgoing.waitFor();
  await settings.getByRole("heading", { name: "Incoming webhooks" }).waitFor();
});

test("people and rooms of the administration are in columns on a wide page", async () => {
  const { page, context } = await open("/admin/rooms", WIDE);
  const leftOf = async (text: string) =>
    new Set(
      await page
        .getByRole("listitem")
        .getByText(text)
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left)),
    ).size;
  await page.getByText("owner:").nth(1).waitFor();
  expect([await leftOf("owner:"), await leftOf("member")]).toEqual([1, 1]);
  await context.close();
});
