import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import {
  launchBrowser,
  messageRow,
  messageText,
  paneHead,
  restLoaded,
  signedInPage,
  threadPane,
  walk,
} from "../support/browser.ts";
import { type Client, formOf } from "../support/client.ts";
import { expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let page: Page;
let ada: Client;
let bob: Client;
let roomId: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Builder" });
  roomId = await world.room("general", ada, [bob], "open");
  const text = "A long first line that goes on and on. ".repeat(12);
  await bob.post(`/api/rooms/${roomId}/messages`, { content: `first: ${text}` });
  await bob.post(`/api/rooms/${roomId}/messages`, { content: "```\nlet x = 1;\n```" });
  await bob.post(`/api/rooms/${roomId}/messages`, { content: "see https://example.org/ today" });
  ({ page } = await signedInPage(browser, ada, "/rooms/general", {
    viewport: { width: 1000, height: 800 },
  }));
  await page.getByText("let x = 1;").waitFor();
  await restLoaded(page);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const row = (text: string) => messageRow(page, text);
const menu = () => page.getByRole("menu");
const boxOf = (of: Locator) =>
  of.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);

/** Right clicks; whether the browser's own menu was left to open. */
async function rightClick(
  target: Locator,
  options: Pick<NonNullable<Parameters<Locator["click"]>[0]>, "modifiers" | "position"> = {},
): Promise<boolean> {
  await page.evaluate(() => {
    const report = (event: Event) => {
      document.body.dataset.ownMenu = String(!event.defaultPrevented);
    };
    addEventListener("contextmenu", report, { once: true });
  });
  await target.click({ button: "right", ...options });
  return (await page.locator("body").getAttribute("data-own-menu")) === "true";
}

test("a right click on a message opens its actions at the pointer", async () => {
  const text = row("let x = 1;").locator("code");
  const box = await text.boundingBox();
  expect(await rightClick(text)).toBe(false);
  const place = await menu().boundingBox();
  const x = (box?.x ?? 0) + (box?.width ?? 0) / 2;
  expect(Math.abs((place?.x ?? 0) - x)).toBeLessThan(12);
  await menu().getByRole("menuitem", { name: "Reply with a quote" }).waitFor();
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

test("a message looks hovered while its menu is open", async () => {
  const message = row("let x = 1;");
  const background = () => message.evaluate((element) => getComputedStyle(element).backgroundColor);
  await rightClick(message.locator("code"));
  await menu().getByRole("menuitem").last().hover();
  const whileOpen = await background();
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  await page.getByRole("textbox", { name: "Message #general" }).focus();
  expect(whileOpen).not.toBe(await background());
});

test("a message looks hovered while its menu is open, also if its author is shown above it", async () => {
  await ada.say(roomId, "the one before");
  const { id } = await bob.say(roomId, "a first message");
  await bob.say(roomId, "a second message");
  const message = row("a second message");
  const background = () => message.evaluate((element) => getComputedStyle(element).backgroundColor);
  await rightClick(message.getByText("a second message"));
  await menu().getByRole("menuitem").last().hover();
  const whileOpen = await background();
  await bob.delete(`/api/messages/${id}`);
  // Now the first of its author, with the name above.
  await message.getByText("Bob Builder").waitFor();
  expect(await background()).toBe(whileOpen);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

test("the rows of a message's menu are equally high, however it is opened", async () => {
  const heightOf = async () => (await menu().getByRole("menuitem").last().boundingBox())?.height;
  await rightClick(row("let x = 1;").locator("code"));
  const height = await heightOf();
  await page.keyboard.press("Escape");
  await row("let x = 1;").hover();
  await row("let x = 1;").getByRole("button", { name: "More actions" }).click();
  await menu().waitFor();
  expect(await heightOf()).toBe(height as number);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

test("on a narrow page a menu moves aside only as far as needed", async () => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 720, height: 800 });
  const text = row("first:").getByText("A long first line");
  await rightClick(text, { position: { x: 200, y: 8 } });
  const place = await menu().boundingBox();
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeCloseTo(720 - 8, 0);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
  await page.setViewportSize({ width, height });
});

test("in a narrow list a toolbar has few buttons, and the others are in its menu", async () => {
  const tools = row("first:").getByRole("toolbar");
  const names = () =>
    tools
      .getByRole("button")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  const few = ["React", "Reply with a quote", "More actions"];
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const quick = ["React with 👍", "React with ❤️", "React with 😂"];
  const all = [...quick, "React", "Reply with a quote", "Reply in a thread", "Save for later"];
  await row("first:").focus();
  for (const [width, expected] of [
    [size.width, [...all, "More actions"]],
    [800, few],
    [641, few],
  ] as const) {
    await page.setViewportSize({ width, height: size.height });
    await expectSoon(names, [...expected]);
  }
  await tools.getByRole("button", { name: "More actions" }).click();
  const items = menu().getByRole("menuitem");
  await expectSoon(
    async () => (await items.allTextContents()).slice(0, 2),
    ["Reply in a threadT", "Save for laterS"],
  );
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
  await page.setViewportSize(size);
});

test("the tools of a message are hidden while a menu at the pointer or a card is open", async () => {
  const message = row("first:");
  const tools = message.getByRole("toolbar");
  const opacity = () => tools.evaluate((element) => getComputedStyle(element).opacity);
  await message.hover();
  await expectSoon(opacity, "1");
  await rightClick(message.getByText("A long first line"), { position: { x: 200, y: 8 } });
  await menu().waitFor();
  await expectSoon(opacity, "0");
  await page.keyboard.press("Escape");
  await expectSoon(opacity, "1");
  await message.getByRole("button", { name: "Bob Builder" }).click();
  await page.getByRole("dialog", { name: "Bob Builder" }).waitFor();
  await expectSoon(opacity, "0");
  await page.keyboard.press("Escape");
  // The toolbar's own menu opens beside it.
  await message.getByRole("button", { name: "More actions" }).click();
  await menu().waitFor();
  await expectSoon(opacity, "1");
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

test("the browser's menu stays with Shift, on links, and on selected text", async () => {
  expect(await rightClick(row("let x = 1;").locator("code"), { modifiers: ["Shift"] })).toBe(true);
  expect(await rightClick(page.getByRole("link", { name: "https://example.org/" }))).toBe(true);
  const word = messageText(row("see https"));
  const position = { x: 6, y: 8 };
  await word.dblclick({ position });
  expect(await word.evaluate(() => getSelection()?.toString().trim())).toBe("see");
  expect(await rightClick(word, { position })).toBe(true);
  expect(await menu().count()).toBe(0);
  await page.evaluate(() => getSelection()?.removeAllRanges());
});

test("a right click on an author offers to write to them", async () => {
  expect(await rightClick(page.getByRole("button", { name: "Bob Builder" }).first())).toBe(false);
  await menu().waitFor();
  const items = await menu().getByRole("menuitem").allTextContents();
  expect(items).toEqual(["Show profile", "Message", "Copy @mention"]);
  await menu().getByRole("menuitem", { name: "Show profile" }).click();
  await page.getByRole("dialog", { name: "Bob Builder" }).waitFor();
  await page.keyboard.press("Escape");
});

const PERSON_ITEMS = ["Show profile", "Message", "Copy @mention"];

test("a right click on a person's picture or mention opens their menu", async () => {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "navy" } })
    .png()
    .toBuffer();
  await bob.call("PUT", "/api/auth/me/avatar", formOf(png, "me.png"));
  // Never loaded by this page: he writes nothing.
  await world.person("zed");
  await ada.post(`/api/rooms/${roomId}/members`, { username: "zed" });
  await bob.say(roomId, "ask @Zed or @room");
  const message = row("ask @Zed");
  for (const target of [row("first:").locator("img.avatar"), message.getByText("@Zed")]) {
    expect(await rightClick(target)).toBe(false);
    await expectSoon(() => menu().getByRole("menuitem").allTextContents(), PERSON_ITEMS);
    await page.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
  }
  // Nobody in particular.
  await rightClick(message.getByText("@room"));
  await menu().getByRole("menuitem", { name: "Reply with a quote" }).waitFor();
  await page.keyboard.press("Escape");
});

test("a right click on a name in a head, in About or in the sidebar opens its menu", async () => {
  const { id } = await ada.say(roomId, "a thread about tea");
  await bob.say(roomId, "and scones", { thread_id: id });
  const head = paneHead(page).getByRole("button", { name: "general" });
  await head.click();
  const about = page.getByRole("complementary", { name: "About" });
  for (const [target, item] of [
    [head, "Move to section…"],
    [about.getByRole("heading", { name: "general" }), "Add to favourites"],
    [about.getByRole("button", { name: "Ada Lovelace" }), "Show profile"],
    [page.getByRole("link", { name: "a thread about tea" }), "Stop following the thread"],
  ] as const) {
    expect(await rightClick(target)).toBe(false);
    await menu().getByRole("menuitem", { name: item }).waitFor();
    await page.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
  }
  await rightClick(page.getByRole("link", { name: "a thread about tea" }));
  await menu().getByRole("menuitem", { name: "Mark as read" }).click();
  await page.getByRole("link", { name: "a thread about tea" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
});

test("a right click on a row of Browse opens the room's menu, or offers to join it", async () => {
  await world.room("open-to-all", bob, [], "open");
  const { page: other, context } = await signedInPage(browser, ada, "/browse");
  await restLoaded(other);
  const rowOf = (name: string) => other.getByRole("main").getByRole("link", { name });
  await rowOf("general").click({ button: "right" });
  await other.getByRole("menuitem", { name: "Move to section…" }).waitFor();
  await other.keyboard.press("Escape");
  await rowOf("open-to-all").click({ button: "right" });
  await other.getByRole("menuitem", { name: "Join" }).click();
  await other.getByLabel("Message #open-to-all").waitFor();
  await context.close();
});

test("a reaction has a menu, by a right click and by the menu key", async () => {
  const { id } = await ada.say(roomId, "liked");
  await ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
  const reaction = row("liked").getByRole("button", { name: /^👍, 1/ });
  expect(await rightClick(reaction)).toBe(false);
  await menu().getByRole("menuitem", { name: "Copy 👍" }).waitFor();
  await menu().getByRole("menuitem", { name: "Remove your reaction" }).click();
  await reaction.waitFor({ state: "detached" });
  await ada.post(`/api/messages/${id}/reactions`, { emoji: "👍" });
  await reaction.focus();
  await page.keyboard.press("ContextMenu");
  await menu().getByRole("menuitem", { name: "Ada Lovelace" }).waitFor();
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
  expect(await reaction.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("after a reaction by keyboard the next key is for the message", async () => {
  const message = row("let x = 1;");
  await message.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await message.getByRole("toolbar").waitFor();
  await page.keyboard.press("r");
  await page.getByLabel("Search emoji").fill("tada");
  await page.getByRole("button", { name: "party popper", exact: true }).first().waitFor();
  await page.keyboard.press("Enter");
  await message.getByRole("button", { name: /^🎉, 1/ }).waitFor();
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a shortcut reacts to the newest message while one writes", async () => {
  const newest = page.getByRole("log").locator("[data-message-id]").last();
  await page.getByRole("textbox", { name: "Message #general" }).focus();
  await page.keyboard.press("Control+Shift+E");
  await page.getByLabel("Search emoji").fill("rocket");
  await page.getByRole("button", { name: "rocket", exact: true }).first().waitFor();
  await page.keyboard.press("Enter");
  await newest.getByRole("button", { name: /^🚀, 1/ }).waitFor();
});

test("a menu stays open however long the button is held", async () => {
  const link = page.getByRole("link", { name: "general", exact: true });
  for (const target of [row("let x = 1;").locator("code"), link]) {
    await target.hover();
    await page.mouse.down({ button: "right" });
    const frames = () =>
      page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
    await frames();
    await page.mouse.up({ button: "right" });
    await menu().waitFor();
    await frames();
    expect(await menu().count()).toBe(1);
    await page.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
  }
});

test("a right click on a room opens its menu at the pointer", async () => {
  const link = page.getByRole("link", { name: "general", exact: true });
  const box = await link.boundingBox();
  expect(await rightClick(link)).toBe(false);
  await menu().waitFor();
  const place = await menu().boundingBox();
  expect(Math.abs((place?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0) / 2)).toBeLessThan(12);
  await page.keyboard.press("Escape");
  await menu().waitFor({ state: "detached" });
});

test("the tools of a message cover neither its text nor its Copy button", async () => {
  for (const [text, part] of [
    ["first: A long", messageText],
    ["let x = 1;", (own: Locator) => own.getByRole("button", { name: "Copy code" })],
  ] as const) {
    const message = row(text);
    await message.hover();
    const tools = await message.getByRole("toolbar").boundingBox();
    const own = await part(message).first().boundingBox();
    if (!tools || !own) throw new Error("not shown");
    const isApart =
      tools.y + tools.height <= own.y ||
      tools.x >= own.x + own.width ||
      tools.x + tools.width <= own.x;
    expect(isApart).toBe(true);
  }
  await row("first: A long").hover();
  const tools = await row("first: A long").getByRole("toolbar").boundingBox();
  const own = await row("first: A long").boundingBox();
  if (!tools || !own) throw new Error("not shown");
  // At most half of them is above the row.
  expect(tools.y + tools.height / 2).toBeGreaterThanOrEqual(own.y);
});

test("in a thread they cover neither the first line nor the reactions of the row above", async () => {
  const { id: root } = await bob.say(roomId, "a root");
  const say = async (content: string) =>
    (await bob.post(`/api/rooms/${roomId}/messages`, { content, thread_id: root })).body.id;
  const above = await say("a reply");
  for (const emoji of ["👍", "🎉", "❤️", "👀", "🚀", "🔥", "🙏"])
    await bob.post(`/api/messages/${above}/reactions`, { emoji });
  await say("a follow-up that is longer than one line of a narrow list of messages");
  const { page } = await signedInPage(browser, ada, `/rooms/general/t/${root}`);
  const pane = threadPane(page);
  await restLoaded(page);
  const message = messageRow(pane, "a follow-up");
  await message.hover();
  const tools = await boxOf(message.getByRole("toolbar"));
  expect(tools.bottom).toBeLessThanOrEqual((await boxOf(messageText(message))).top);
  const reactions = await messageRow(pane, "a reply").locator(".reaction[data-emoji]").all();
  expect(reactions.length).toBe(7);
  for (const reaction of reactions)
    expect((await boxOf(reaction)).right).toBeLessThanOrEqual(tools.left);
  await page.context().close();
});

test("quick reactions keep their order when one is used", async () => {
  const quick = row("first: A long").getByRole("button", { name: /^React with/ });
  await row("first: A long").hover();
  const before = await quick.allTextContents();
  await quick.nth(2).click();
  await row("first: A long")
    .getByRole("button", { name: /^😂, 1/ })
    .waitFor();
  await row("let x = 1;").hover();
  await row("first: A long").hover();
  expect(await quick.allTextContents()).toEqual(before);
  // In the picker it is the one that was used last.
  await row("first: A long")
    .getByRole("toolbar")
    .getByRole("button", { name: "React" })
    .last()
    .click();
  const picker = page.getByRole("dialog", { name: "Choose an emoji" });
  const recent = picker.locator("section", {
    has: page.getByRole("heading", { name: "Recently used" }),
  });
  await expectSoon(() => recent.getByRole("button").first().textContent(), before[2] as string);
  await page.keyboard.press("Escape");
  await picker.waitFor({ state: "detached" });
});

test("a tooltip names the button and its key, by pointer and by keyboard", async () => {
  const tooltip = page.locator('[popover][aria-hidden="true"]');
  await row("let x = 1;").hover();
  await row("let x = 1;").getByRole("button", { name: "Reply with a quote" }).hover();
  await tooltip.waitFor();
  expect(await tooltip.textContent()).toBe("Reply with a quoteQ");
  await page.getByRole("textbox", { name: "Message #general" }).hover();
  await tooltip.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Members" }).first().focus();
  await page.keyboard.press("Tab");
  await tooltip.waitFor();
  await page.keyboard.press("Shift");
  await tooltip.waitFor({ state: "detached" });
});

test("a dialog closes with the screen on which it was opened", async () => {
  await page.getByRole("button", { name: "Bob Builder" }).first().click();
  const card = page.getByRole("dialog", { name: "Bob Builder" });
  await card.waitFor();
  await walk(page, "/rooms/general?q=engine");
  await page.getByRole("region", { name: "Search messages" }).waitFor({ state: "attached" });
  expect(await card.count()).toBe(1);
  await walk(page, "/activity");
  await card.waitFor({ state: "detached" });
});
