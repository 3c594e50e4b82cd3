import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  launchBrowser,
  messageRow,
  newPage,
  sidebarLink,
  signedInPage,
  signIn,
  toasts,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { expectSoon } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
/** A key, a token or a hash: one word without a place to break. */
const WORD = "x9".repeat(200);
/** In CSS pixels: the width of a page at 400% zoom (WCAG 2.2, 1.4.10). */
const NARROWEST = 320;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let roomId: string;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [world, browser] = await Promise.all([
    World.start({ EGRESS_ALLOW: "127.0.0.1" }),
    launchBrowser(),
  ]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  bob = await world.person("bob", { displayName: WORD.slice(0, 80) });
  roomId = await world.room("general", ada, [bob], "open");
  ({ page, context } = await open(ada));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (client: Client, path = "/rooms/general") => signedInPage(browser, client, path);

const composer = () => page.getByRole("textbox", { name: "Message #general" });
const row = (id: string) => page.locator(`[data-message-id="${id}"]`);
const focusIsIn = (selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

/** Screens where people, bots or other services have written; each is there when the word is. */
const SCREENS = [
  ...["/rooms/general", "/browse", "/activity", "/admin/people", "/admin/rooms", "/admin/invites"],
  ...["/admin/team", "/admin/bots", "/admin/webhooks", "/admin/jobs", "/admin/audit"],
];

/** Puts the word wherever a name, an address or an error may be long. */
async function seedLongWords(): Promise<void> {
  const { sql } = world.database;
  const short = WORD.slice(0, 80);
  const url = `https://example.org/${WORD}`;
  await world.room("den", bob, [], "open");
  await ada.put("/api/admin/settings/team", { name: WORD.slice(0, 60) });
  await ada.patch(`/api/rooms/${roomId}`, { description: WORD });
  await ada.post("/api/admin/invites", { email: `${WORD.slice(0, 60)}@example.org` });
  const bot = await ada.post("/api/admin/bots", { username: "deploy-bot" });
  await sql`update users set display_name = ${short} where id = ${bot.body.id}`;
  const scopes = ["read:messages"];
  await ada.post(`/api/admin/bots/${bot.body.id}/tokens`, { name: short, scopes });
  await ada.post(`/api/rooms/${roomId}/incoming-webhooks`, { name: short });
  const events = ["message.created"];
  const to = `http://127.0.0.1:9/${WORD}`;
  const path = `/api/rooms/${roomId}/outgoing-webhooks`;
  const webhook = await ada.post(path, { name: short, url: to, events });
  expect(webhook.status).toBe(201);
  await sql`update outgoing_webhooks set is_active = false, disabled_reason = ${WORD}`;
  await sql`insert into jobs (id, kind, payload, max_attempts, attempts, last_error, failed_at)
    values (gen_random_uuid(), 'link_preview', '{}', 1, 1, ${WORD}, now())`;
  await sql`insert into link_previews (url_hash, url, title, description, site_name, expires_at)
    values (sha256(convert_to(${url}, 'UTF8')), ${url}, ${WORD}, ${WORD}, ${WORD}, now() + interval '1 day')`;
  const file = await bob.upload(`/api/rooms/${roomId}/files`, new Uint8Array([1]), `${WORD}.txt`);
  const content = `${WORD} \`${WORD}\` **${WORD}**\n> ${WORD}\n- ${WORD}`;
  await bob.say(roomId, content, { file_id: file.body.id });
  await bob.say(roomId, `@ada ${url}`);
}

/** What is wider than the page, or scrolls sideways without being made for it. */
const wideParts = () =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("body *")]
      .filter(
        (element) =>
          !element.closest("pre, textarea, nav[aria-label=Administration], :has(> table)"),
      )
      .filter((item) => {
        const { overflowX } = getComputedStyle(item);
        const isPage = item === document.documentElement;
        return (isPage || /auto|scroll/.test(overflowX)) && item.scrollWidth > item.clientWidth;
      })
      .map((element) => `${element.tagName}.${element.className}`),
  );

test("a word without an end widens no screen", async () => {
  await seedLongWords();
  const { id } = await ada.say(roomId, `a word ${WORD}`);
  await row(id).waitFor();
  await messageRow(page, "@ada http").getByRole("link").locator("b").waitFor();
  await composer().fill(WORD);
  await page.setViewportSize({ width: NARROWEST, height: 800 });
  const wide: string[] = [];
  const look = async (screen: string) => {
    const parts = await wideParts();
    wide.push(...parts.map((part) => `${screen}: ${part}`));
    await page.screenshot({ path: join(SHOTS, `long-word-${screen.replaceAll("/", "-")}.png`) });
  };
  for (const path of SCREENS) {
    await walk(page, path);
    await page.locator("main").getByText(WORD.slice(0, 56)).first().waitFor();
    await look(path);
  }
  await walk(page, "/admin/bots");
  await page.getByRole("button", { name: /Open/ }).click();
  await page.getByText(WORD.slice(0, 80)).first().waitFor();
  await look("a bot");

  await walk(page, "/rooms/general");
  const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
  if (!send || send.x + send.width > NARROWEST) wide.push("the button that sends");
  await page.route(`**/api/messages/${id}/reactions`, (route) =>
    route.fulfill({ status: 409, json: { code: "conflict", detail: WORD, status: 409 } }),
  );
  // A toolbar has no quick reactions in a narrow list.
  await row(id).hover({ position: { x: 8, y: 8 } });
  await row(id).getByRole("button", { name: "React", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search emoji" }).fill("tada");
  await page.getByRole("button", { name: "party popper" }).waitFor();
  await page.keyboard.press("Enter");
  await toasts(page).waitFor();
  await look("a toast");
  expect(wide).toEqual([]);
  await page.unroute(`**/api/messages/${id}/reactions`);
  await page.setViewportSize(WIDE.viewport);
  await composer().fill("");
});

test("of a focused and a hovered message one shows its toolbar", async () => {
  const above = await ada.say(roomId, "Above");
  const below = await ada.say(roomId, "Below");
  const tab = await open(ada);
  const rowOf = ({ id }: { id: string }) => tab.page.locator(`[data-message-id="${id}"]`);
  const shown = () =>
    tab.page
      .getByRole("toolbar", { name: "Actions" })
      .evaluateAll((all) => all.filter((tools) => getComputedStyle(tools).opacity === "1").length);
  await rowOf(below).getByText("Below").waitFor();
  await tab.page.getByRole("textbox", { name: "Message #general" }).press("Shift+Tab");
  await rowOf(below).press("ArrowUp");
  await rowOf(above).getByRole("toolbar", { name: "Actions" }).waitFor();
  await rowOf(below).hover();
  await rowOf(below).getByRole("toolbar", { name: "Actions" }).waitFor();
  expect(await shown()).toBe(1);
  // The focused message still has its keys.
  await rowOf(above).press("s");
  await rowOf(above).getByText("Saved for later").waitFor();
});

describe("keys", () => {
  test("that follow Ctrl+K are the switcher's, even before its code is there", async () => {
    const tab = await newPage(browser, WIDE);
    await signIn(tab.context, ada);
    const gate = Promise.withResolvers<void>();
    await tab.page.route(/\/rest-/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await tab.page.goto(`${world.service.address}/rooms/general`);
    const writing = tab.page.getByRole("textbox", { name: "Message #general" });
    await writing.waitFor();
    await writing.press("Control+k");
    await tab.page.keyboard.type("genetic");
    for (let i = 0; i < 3; i++) await tab.page.keyboard.press("Backspace");
    gate.resolve();
    const input = tab.page.getByRole("combobox", { name: "Room, person or action" });
    await input.waitFor();
    expect(await input.inputValue()).toBe("gene");
    await tab.page.keyboard.type("ral");
    expect(await input.inputValue()).toBe("general");
    expect(await writing.inputValue()).toBe("");
  });

  test("write wherever the focus is, and Ctrl+/ lists the shortcuts", async () => {
    await page.getByRole("log").focus();
    await page.keyboard.type("so it");
    expect(await composer().inputValue()).toBe("so it");
    await composer().fill("");
    await composer().press("Control+/");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.waitFor();
    // Those of lists, too: with the keys that their rows have.
    const rows = shortcuts.locator("section").filter({ hasText: "On a row of a list" });
    expect(await rows.locator("kbd").allInnerTexts()).toEqual(
      expect.arrayContaining(["↑ ↓", "Enter", "E", "U", "S", "P", "C", "Del"]),
    );
    await page.keyboard.type("lost");
    await page.keyboard.press("Escape");
    expect(await composer().inputValue()).toBe("");
  });
});

test("a message that is focused by keyboard has keys for its actions", async () => {
  const other = await bob.say(roomId, "of another");
  const { id } = await ada.say(roomId, "of mine");
  await row(id).waitFor();
  await composer().focus();
  await row(id).focus();
  await page.keyboard.press("ArrowUp");
  await focusIsIn(`[data-message-id="${other.id}"]`);
  await row(other.id).getByRole("button", { name: "React", exact: true }).waitFor();
  await page.keyboard.press("r");
  const picker = page.getByRole("dialog", { name: "Choose an emoji" });
  await picker.getByRole("searchbox").fill("teapot");
  await picker.getByRole("button", { name: "teapot" }).click();
  await row(other.id).getByRole("button", { name: "🫖, 1: you" }).waitFor();
  await row(other.id).focus();
  // It is not ours: the letter is no key of it, and writes.
  await page.keyboard.press("e");
  await expectSoon(() => composer().inputValue(), "e");
  await composer().fill("");
  await row(other.id).focus();
  await page.keyboard.press("ArrowDown");
  await row(id).getByRole("button", { name: "More actions" }).waitFor();
  await page.keyboard.press("e");
  const area = page.getByRole("textbox", { name: "Edit message" });
  await area.waitFor();
  await page.keyboard.type(", too");
  await page.keyboard.press("Enter");
  await area.waitFor({ state: "detached" });
  await row(id).getByText("of mine, too").waitFor();
  await focusIsIn(`[data-message-id="${id}"]`);
});

test("letters on a control inside a message are keys of that message", async () => {
  const line = "one of many lines";
  const { id } = await bob.say(roomId, Array(60).fill(line).join("\n\n"));
  await ada.post(`/api/messages/${id}/reactions`, { emoji: "🎉" });
  await row(id).getByRole("button", { name: "🎉, 1: you" }).waitFor();
  const place = page.getByRole("region", { name: "Thread" });
  for (const control of ["React", "🎉, 1: you", "Show more"]) {
    const button = row(id).getByRole("button", { name: control, exact: true }).first();
    await composer().focus();
    // Shift+Tab comes to the controls of the last message before the message.
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Shift+Tab");
      if (await button.evaluate((element) => element === document.activeElement)) break;
    }
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await row(id).getByRole("button", { name: "More actions" }).waitFor();
    await page.keyboard.press("t");
    await place.waitFor();
    expect(await composer().inputValue()).toBe("");
    await page.goBack();
    await place.waitFor({ state: "detached" });
  }
  // A field inside the message keeps its letters.
  const button = row(id).getByRole("button", { name: "Show more" });
  await composer().focus();
  await button.focus();
  await page.keyboard.press("r");
  const search = page.getByRole("dialog", { name: "Choose an emoji" }).getByRole("searchbox");
  await search.waitFor();
  await search.pressSequentially("q");
  expect(await search.inputValue()).toBe("q");
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
});

test("Alt and the arrows walk through the rooms, with Shift through those with news", async () => {
  const quiet = await world.room("hidden-corner", ada);
  const busy = await world.room("island", ada, [bob]);
  await ada.say(quiet, "mine");
  await bob.say(busy, "news");
  await page.reload();
  await composer().waitFor();
  await sidebarLink(page, "island").getByRole("img", { name: "unread" }).waitFor();
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await page.getByRole("textbox", { name: "Message #island" }).waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("textbox", { name: "Message #hidden-corner" }).waitFor();
  // Up alone would edit what she wrote there.
  await page.getByRole("log").getByText("mine", { exact: true }).waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await composer().waitFor();
});

test("a message has the same height before it is stored and after", async () => {
  await page.evaluate(() => {
    const heights: Record<string, number[]> = {};
    Object.assign(globalThis, { heights });
    const measure = () => {
      for (const row of document.querySelectorAll<HTMLElement>("[data-state]")) {
        const text = row.querySelector("div[dir=auto]")?.textContent;
        if (!text?.startsWith("same")) continue;
        const { height } = row.getBoundingClientRect();
        const key = `${row.dataset.state} ${text}`;
        const seen = heights[key] ?? [];
        if (seen.at(-1) !== height) heights[key] = [...seen, height];
      }
    };
    const log = document.querySelector("[role=log]") as Element;
    new MutationObserver(measure).observe(log, { subtree: true, childList: true });
  });
  const texts = [
    "same 1",
    "same 2 @ada #general `a`",
    "same 3\n- a\n- b\n> c",
    "same 4 ```a\nb```",
  ];
  for (const text of texts) {
    await composer().fill(text);
    await composer().press("Enter");
  }
  await messageRow(page, "same 4", "sent").waitFor();
  await page.locator("[data-state=pending]").first().waitFor({ state: "detached" });
  const heights = await page.evaluate(
    () => (globalThis as unknown as { heights: Record<string, number[]> }).heights,
  );
  const of = (state: string) =>
    Object.entries(heights).flatMap(([key, seen]) => (key.startsWith(state) ? [seen] : []));
  expect(of("pending")).toHaveLength(texts.length);
  expect(of("sent")).toEqual(of("pending"));
});

test("the focus stays beside a message that is deleted, and returns with it", async () => {
  const [first, second] = [await ada.say(roomId, "one"), await ada.say(roomId, "two")];
  await row(second.id).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await row(second.id).getByRole("button", { name: "More actions" }).press("Enter");
  await row(second.id).getByRole("menuitem", { name: "Delete message" }).press("Enter");
  await focusIsIn(`[data-message-id="${first.id}"]`);
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await focusIsIn(`[data-message-id="${second.id}"]`);
});

test("a link to a message opens in this tab, under the names of its room and author", async () => {
  const target = await bob.say(roomId, "the target");
  const url = `${world.service.address}/rooms/general/m/${target.id}`;
  const { id } = await ada.say(roomId, `see ${url} or [this](${url})`);
  const links = row(id).getByRole("link", { name: /^(#general|this$)/ });
  expect(await links.first().textContent()).toMatch(/^#general · x9.* · \d\d:\d\d/);
  expect(await links.last().textContent()).toBe("this");
  await links.first().click();
  await page.waitForURL(url);
  expect(context.pages()).toHaveLength(1);
  await walk(page, "/rooms/general");
});

test("messages are copied as clean text, and as HTML with lists, links and strikes", async () => {
  const message = await bob.say(
    roomId,
    "~~old~~ [new](https://example.org/n)\n\n3. three\n4. four",
  );
  await bob.patch(`/api/messages/${message.id}`, { content: message.content });
  const first = await bob.say(roomId, "not selected | **from** here");
  const last = await ada.say(roomId, "> up to\n\nhere | and not this");
  await row(last.id).waitFor();
  const copy = () =>
    page.evaluate(
      ([from, to]) => {
        const textOf = (id: string | undefined, part: string) => {
          const root = document.querySelector(`[data-message-id="${id}"] div[dir=auto]`) as Element;
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) if (walker.currentNode.textContent?.includes(part)) break;
          return walker.currentNode as Text;
        };
        const [start, end] = [textOf(from, "old"), textOf(to, "here")];
        getSelection()?.setBaseAndExtent(start, 0, end, "here".length);
        const clipboardData = new DataTransfer();
        const event = new ClipboardEvent("copy", {
          clipboardData,
          bubbles: true,
          cancelable: true,
        });
        const isOurs = !document.dispatchEvent(event);
        return isOurs && [clipboardData.getData("text/plain"), clipboardData.getData("text/html")];
      },
      [message.id, last.id],
    );
  // The code that copies is loaded with the first selection.
  let copied = await copy();
  for (let i = 0; !copied && i < 100; i++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    copied = await copy();
  }
  const [text = "", html = ""] = copied || [];
  const lines = text.split("\n");
  expect(lines[0]).toMatch(/^x9.*, Today, \d\d:\d\d$/);
  expect(lines.slice(1, 5)).toEqual([
    "~~old~~ new (https://example.org/n)",
    "3. three",
    "4. four",
    "not selected | from here",
  ]);
  expect(lines[6]).toMatch(/^Ada Lovelace, Today/);
  expect(lines.slice(7)).toEqual(["> up to", "here"]);
  expect(html).toContain('<a href="https://example.org/n">new</a>');
  expect(html).toContain("<s>old</s>");
  expect(html).toContain('<ol start="3"><li value="3"><p>three</p></li>');
  expect(html).not.toContain("edited");
  expect(html).not.toContain("class=");
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await row(first.id)
    .getByRole("link", { name: /^\d\d:\d\d$/, includeHidden: true })
    .waitFor({
      state: "attached",
    });
});

test("a room is printed as a document of its messages", async () => {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  for (const name of ["Rooms", "Members"]) {
    expect([name, await page.getByRole("complementary", { name }).count()]).toEqual([name, 0]);
  }
  expect(await composer().isVisible()).toBe(false);
  expect(await page.getByRole("heading", { name: "general", level: 1 }).isVisible()).toBe(true);
  const clipped = await page.evaluate(() => {
    const list = document.querySelector("[role=log]") as Element;
    return list.scrollHeight - list.clientHeight;
  });
  expect(clipped).toBe(0);
  await page.screenshot({ path: join(SHOTS, "print.png"), fullPage: true });
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
});

test("who follows a link into an open room can join it, and sees the message", async () => {
  const eve = await world.person("eve");
  const { id } = await ada.say(roomId, "for those who join");
  const tab = await open(eve, `/rooms/general/m/${id}`);
  await tab.page.getByRole("heading", { name: "You are not in #general" }).waitFor();
  await tab.page.screenshot({ path: join(SHOTS, "join-by-link-wide.png") });
  await tab.page.getByRole("button", { name: "Join #general" }).click();
  await tab.page.locator(`[aria-current][data-message-id="${id}"]`).waitFor();
});
