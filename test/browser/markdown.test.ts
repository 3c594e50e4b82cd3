import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  act,
  launchBrowser,
  messageRow,
  type PageOptions,
  PHONE,
  signedInPage,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let roomId: string;
/** A page somewhere else, with a picture. */
let site: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  const image = await picture("png", 320, 240);
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/picture.png")
        ? new Response(image as Uint8Array<ArrayBuffer>, {
            headers: { "content-type": "image/png" },
          })
        : new Response(PAGE, { headers: { "content-type": "text/html" } }),
  });
  const EGRESS_ALLOW = `127.0.0.1:${site.port}`;
  [world, browser] = await Promise.all([World.start({ EGRESS_ALLOW }), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  roomId = await world.room("general", ada, [bob]);
  await world.room("design", ada);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop(true);
  await world?.stop();
});

const PAGE = `<!doctype html><html><head>
  <meta property="og:title" content="How a snug is built">
  <meta property="og:description" content="A small, warm room at the back, and why it has one door.">
  <meta property="og:site_name" content="The Builder">
  <meta property="og:image" content="/picture.png"></head><body></body></html>`;

async function open(client: Client, options: PageOptions, path = "") {
  const tab = await signedInPage(browser, client, `/rooms/general${path}`, options);
  await composer(tab.page).waitFor();
  return tab;
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Message #general" });
const log = (page: Page) => page.getByRole("log");

describe("a text", () => {
  test("is rendered as Markdown, with links for names", async () => {
    const { id } = await ada.say(
      roomId,
      [
        "**Bold**, _italic_, ~~gone~~ and `code` for @bob, @nobody, #design and :tada:",
        "",
        "> quoted",
        "",
        "- one",
        "- two with [a link](https://example.org/a)",
        "",
        "```ts",
        "const answer: number = 42; // why not",
        "```",
      ].join("\n"),
    );
    await ada.say(roomId, "🎉🎉");
    const tab = await open(ada, WIDE);
    const text = log(tab.page);
    const row = tab.page.locator(`[data-message-id="${id}"]`);
    for (const [tag, words] of [
      ["strong", "Bold"],
      ["em", "italic"],
      ["s", "gone"],
      ["blockquote", "quoted"],
      ["li", "one"],
    ] as const) {
      await row.locator(tag, { hasText: words }).first().waitFor();
    }
    // A name of someone is an element of its own, and other names are part of the text.
    await row.getByText("@bob", { exact: true }).waitFor();
    expect(await row.getByText("@nobody", { exact: true }).count()).toBe(0);
    const room = text.getByRole("link", { name: "#design" });
    expect(await room.getAttribute("href")).toBe("/rooms/design");
    const link = text.getByRole("link", { name: "a link" });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await text.getByRole("img", { name: "party popper" }).waitFor();
    // An element of its own, with its colour.
    await text.getByRole("code").getByText("const", { exact: true }).waitFor();
    const large = messageRow(text, "🎉🎉").getByText("🎉🎉", { exact: true });
    expect(await large.evaluate((element) => getComputedStyle(element).fontSize)).toBe("32px");
    await tab.page.screenshot({ path: join(SHOTS, "markdown-wide.png") });

    // Bob is not in #design: for him it is a word.
    const two = await open(bob, PHONE);
    const groundOf = (page: Page) =>
      log(page)
        .getByText("@bob", { exact: true })
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await log(two.page).getByText("@bob", { exact: true }).waitFor();
    expect(await groundOf(two.page)).not.toBe(await groundOf(tab.page));
    expect(await log(two.page).getByRole("link", { name: "#design" }).count()).toBe(0);
    await two.page.screenshot({ path: join(SHOTS, "markdown-phone.png") });
  });

  test("is copied where the page may not write to the clipboard, or that is said", async () => {
    const { id } = await ada.say(roomId, "Copied by hand:\n\n```\nmake snug\n```");
    const { page } = await open(ada, WIDE);
    const row = page.locator(`[data-message-id="${id}"]`);
    await page.evaluate(() => {
      // As over plain http.
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      document.addEventListener("copy", () => {
        document.documentElement.dataset.copied = String(getSelection());
      });
    });
    await row.getByRole("code").hover();
    await row.getByRole("button", { name: "Copy code" }).click();
    await row.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.locator("html").getAttribute("data-copied")).toBe("make snug");
    await act(row, "Copy link to message");
    await page.getByText("Copying isn't allowed here").waitFor();
  });

  test("that is hostile is rendered as text", async () => {
    await ada.say(roomId, "<img src=x onerror=alert(1)> [click](javascript:alert(1)) end of it");
    const tab = await open(bob, WIDE);
    await log(tab.page).getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await log(tab.page).locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await messageRow(log(tab.page), "end of it").locator("img").count()).toBe(0);
  });
});

describe("reactions", () => {
  test("are picked, shown to others, and removed", async () => {
    const { id } = await ada.say(roomId, "React to this");
    const tab = await open(ada, WIDE);
    const two = await open(bob, PHONE);
    const row = (page: Page) => page.locator(`[data-message-id="${id}"]`);
    await row(tab.page).hover();
    await row(tab.page).getByRole("button", { name: "React", exact: true }).click();
    const picker = tab.page.getByRole("dialog", { name: "Choose an emoji" });
    await picker.getByRole("button", { name: "Smileys and emotion" }).waitFor();
    const place = await picker.boundingBox();
    await picker.getByRole("searchbox", { name: "Search emoji" }).fill("rocket");
    await picker.getByRole("button", { name: "rocket" }).waitFor();
    // It stays where it is, whatever is found.
    expect(await picker.boundingBox()).toEqual(place);
    await tab.page.screenshot({ path: join(SHOTS, "picker-search-wide.png") });
    await picker.getByRole("searchbox", { name: "Search emoji" }).fill("");
    await tab.page.screenshot({ path: join(SHOTS, "picker-wide.png") });
    await picker.getByRole("searchbox", { name: "Search emoji" }).fill("rocket");
    await tab.page.keyboard.press("Enter");
    await row(tab.page).getByRole("button", { name: "🚀, 1: you" }).waitFor();
    const theirs = row(two.page).getByRole("button", { name: /^🚀, 1/ });
    await theirs.click();
    const both = row(tab.page).getByRole("button", { name: /^🚀, 2: you/ });
    await both.waitFor();
    await tab.page.screenshot({ path: join(SHOTS, "reactions-wide.png") });
    await both.click();
    await row(two.page).getByRole("button", { name: "🚀, 1: you" }).waitFor();
  });
});

describe("the composer", () => {
  test("completes names by keyboard, and formats the selection", async () => {
    const tab = await open(ada, WIDE);
    const { page } = tab;
    await composer(page).click();
    await page.keyboard.type("Hello @noy");
    const list = page.getByRole("listbox", { name: "Suggestions" });
    await list.getByRole("option", { name: /Bob Noyce/ }).waitFor();
    await page.screenshot({ path: join(SHOTS, "completion-wide.png") });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "Hello @bob ");
    await page.keyboard.type("see #des");
    await list.getByRole("option", { name: /#design/ }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type(":tada");
    await list.getByRole("option", { name: /party popper/ }).waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await log(page).getByText("see").last().waitFor();
    await page.keyboard.type("bold");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+b");
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "**bold**");
    await page.keyboard.press("Enter");
    await log(page)
      .locator("strong", { hasText: /^bold$/ })
      .waitFor();
  });
});

describe("a link's preview", () => {
  test("appears on an open page, with an image from our own service", async () => {
    const tab = await open(bob, WIDE);
    await ada.say(roomId, `Read this: http://127.0.0.1:${site.port}/snug`);
    const card = log(tab.page).getByRole("link", { name: /How a snug is built/ });
    await card.waitFor();
    const source = await card.locator("img").getAttribute("src");
    expect(source).toMatch(/^\/api\/previews\/[0-9a-f]{64}$/);
    const naturalWidth = () =>
      card.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
    await eventually(async () => (await naturalWidth()) > 0);
    const ground = await card
      .locator("img")
      .evaluate((img) => getComputedStyle(img).backgroundImage);
    expect(ground).toContain("gradient");
    await ada.say(roomId, `http://127.0.0.1:${site.port}/picture.png`);
    await log(tab.page)
      .getByRole("link", { name: /^picture\.png/ })
      .waitFor();
    await tab.page.screenshot({ path: join(SHOTS, "preview-wide.png") });
  });
});

describe("the scroll position", () => {
  test("stays when a row above grows", async () => {
    const { id } = await ada.say(roomId, "Something that will grow");
    for (let i = 0; i < 40; i++) await ada.say(roomId, `Line ${i}`);
    const tab = await open(bob, WIDE);
    const row = log(tab.page).getByText("Line 8", { exact: true });
    await row.evaluate((element) => element.scrollIntoView({ block: "start" }));
    await tab.page.waitForFunction(() => {
      const list = document.querySelector("[role=log]");
      return list && list.scrollHeight - list.scrollTop - list.clientHeight > 100;
    });
    const before = await row.boundingBox();
    await ada.patch(`/api/messages/${id}`, { content: "It has grown\n".repeat(12) });
    await log(tab.page).getByText("(edited)").waitFor({ state: "attached" });
    // Scrolling is in whole pixels.
    expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  });
});

describe("a link to a message", () => {
  test.each([
    ["gone", Bun.randomUUIDv7()],
    ["none", "not-an-id"],
  ])("that is %s says so, and shows the room", async (_, id) => {
    const tab = await open(ada, WIDE, `/m/${id}`);
    await tab.page.getByText("That message was deleted or doesn't exist.").waitFor();
    await log(tab.page).getByText("React to this").waitFor();
  });
});
