import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launchBrowser, signedInPage } from "../support/browser.ts";
import { expectSoon } from "../support/wait.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let roomId: string;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  const bob = await world.person("bob", { displayName: "Bob Noyce" });
  roomId = await world.room("general", ada, [bob]);
  ({ page, context } = await signedInPage(browser, ada, "/rooms/general"));
  await composer().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = () => page.getByRole("textbox", { name: "Message #general" });
const log = () => page.getByRole("log");
const suggestions = () => page.getByRole("listbox", { name: "Suggestions" });
const draft = () =>
  page.evaluate((id) => {
    const stored = Object.entries(localStorage).find(
      ([key]) => key.startsWith("snug.drafts.") && key.endsWith(id),
    );
    return JSON.parse(stored?.[1] ?? "{}").here?.content ?? "";
  }, roomId);

async function reads(area: Locator, text: string): Promise<void> {
  const handle = await area.elementHandle();
  await area
    .page()
    .waitForFunction(([element, wanted]) => (element as HTMLTextAreaElement).value === wanted, [
      handle,
      text,
    ] as const);
}

describe("in the composer, undo reverts", () => {
  afterEach(() => composer().fill(""));

  test("formatting by a shortcut, and the draft follows", async () => {
    await composer().click();
    await page.keyboard.type("so bold");
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await page.keyboard.press("Control+b");
    await reads(composer(), "so **bold**");
    expect(await draft()).toBe("so **bold**");
    // What was selected is, still: the next sign goes around it too.
    await page.keyboard.press("Control+i");
    await reads(composer(), "so **_bold_**");
    await page.keyboard.press("Control+z");
    await reads(composer(), "so **bold**");
    await page.keyboard.press("Control+z");
    await reads(composer(), "so bold");
    expect(await draft()).toBe("so bold");
    await page.keyboard.press("Control+Shift+z");
    await reads(composer(), "so **bold**");
  });

  test("a completed name", async () => {
    await composer().click();
    await page.keyboard.type("Hello @noy");
    await suggestions()
      .getByRole("option", { name: /Bob Noyce/ })
      .waitFor();
    await page.screenshot({ path: join(SHOTS, "completion-wide.png") });
    await page.keyboard.press("Enter");
    await reads(composer(), "Hello @bob ");
    await page.keyboard.press("Control+z");
    await reads(composer(), "Hello @noy");
  });

  test("an emoji from the picker", async () => {
    await composer().click();
    await page.keyboard.type("tea  time");
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Add an emoji" }).click();
    const picker = page.getByRole("dialog", { name: "Choose an emoji" });
    await picker.getByRole("searchbox", { name: "Search emoji" }).fill("teapot");
    await picker.getByRole("button", { name: "teapot" }).waitFor();
    await page.keyboard.press("Enter");
    await reads(composer(), "tea 🫖 time");
    // One goes on writing where it stands.
    await page.keyboard.type("!");
    await reads(composer(), "tea 🫖! time");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await reads(composer(), "tea  time");
  });
});

test("what is pressed before its code has loaded is not lost", async () => {
  let gate = Promise.withResolvers<void>();
  let held = 0;
  const early = await context.newPage();
  early.setDefaultTimeout(120_000);
  await early.route(/\/rest-/, async (route) => {
    held += 1;
    await gate.promise;
    await route.continue();
  });
  const area = early.getByRole("textbox", { name: "Message #general" });
  await early.goto(`${world.service.address}/rooms/general`);
  await area.click();
  await early.keyboard.type("so ");
  await early.keyboard.press("Control+b");
  await early.keyboard.type("bold");
  await reads(area, "so **bold**");
  gate.resolve();
  await area.fill("");

  gate = Promise.withResolvers<void>();
  await early.reload();
  await area.click();
  await early.keyboard.type("Hello @noy");
  gate.resolve();
  await early.getByRole("option", { name: /Bob Noyce/ }).waitFor();
  await early.keyboard.press("Enter");
  await reads(area, "Hello @bob ");
  // Code and words, in each of the two loads.
  expect(held).toBe(4);
  await area.fill("");
  await early.close();
});

test("editing completes names and formats as the composer does, with undo", async () => {
  await ada.say(roomId, "a plain word");
  await log().getByText("a plain word").waitFor();
  await composer().press("ArrowUp");
  const area = page.getByRole("textbox", { name: "Edit message" });
  await area.waitFor();
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.press("Control+b");
  await reads(area, "a plain **word**");
  await page.keyboard.press("Control+z");
  await reads(area, "a plain word");
  await page.keyboard.press("End");
  await page.keyboard.type(" for @noy");
  await suggestions()
    .getByRole("option", { name: /Bob Noyce/ })
    .waitFor();
  await page.screenshot({ path: join(SHOTS, "edit-completion-wide.png") });
  // Esc closes the list, and not yet the form.
  await page.keyboard.press("Escape");
  await suggestions().waitFor({ state: "detached" });
  await page.keyboard.press("Backspace");
  await page.keyboard.type("y");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(" @no");
  await suggestions().getByRole("option").first().waitFor();
  await page.keyboard.press("Tab");
  await reads(area, "a plain word for @n @bob ");
  await page.keyboard.press("Enter");
  await log().getByText("@bob", { exact: true }).waitFor();
  await area.waitFor({ state: "detached" });
});

describe("what is pasted", () => {
  afterEach(() => composer().fill(""));

  /** Pastes as the browser does: what the client leaves to it is typed. */
  const paste = (data: Record<string, string>) =>
    page.evaluate((pieces) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(pieces)) clipboardData.setData(type, text);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      const isLeft = document.activeElement?.dispatchEvent(event);
      if (isLeft) document.execCommand("insertText", false, pieces["text/plain"]);
    }, data);

  test("as rich text becomes Markdown, with the targets of its links", async () => {
    await composer().click();
    const html = `<meta charset="utf-8"><h2>Plan</h2><p style="color: red">See
      <a href="https://example.org/a_b">the <b>plan</b></a> for snake_case and 2*3.</p>
      <ol><li>one</li><li>two<ul><li>inner</li></ul></li></ol>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x|y</td></tr></table>
      <pre><code class="language-ts">let a;</code></pre><img src="https://example.org/x.png" alt="">`;
    await paste({ "text/html": html, "text/plain": "Plan" });
    await reads(
      composer(),
      [
        "## Plan\n",
        "See [the **plan**](https://example.org/a_b) for snake_case and 2\\*3.\n",
        "1. one\n2. two\n   - inner\n",
        "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n",
        "```ts\nlet a;\n```",
      ].join("\n"),
    );
    await page.keyboard.press("Control+z");
    await reads(composer(), "");
  });

  test("as an address over a selection makes a link of it", async () => {
    await composer().fill("see the plan");
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await paste({ "text/plain": "https://example.org/plan" });
    await reads(composer(), "see the [plan](https://example.org/plan)");
  });

  test("as code keeps its indent, and is offered as a block", async () => {
    await composer().fill("look: ");
    const code = "if (a) {\n  b();\n}";
    await paste({ "text/plain": code, "vscode-editor-data": '{"mode":"typescript"}' });
    await reads(composer(), `look: ${code}`);
    await page.screenshot({ path: join(SHOTS, "paste-code-wide.png") });
    await page.getByRole("button", { name: "Make it a code block" }).click();
    await reads(composer(), `look: \n\`\`\`typescript\n${code}\n\`\`\``);
    await page.getByRole("button", { name: "Make it a code block" }).waitFor({ state: "detached" });
  });
});

test("buttons format what is selected, and a list goes on by itself", async () => {
  await page.getByRole("button", { name: "Formatting" }).click();
  const bar = page.getByRole("toolbar", { name: "Formatting" });
  await composer().fill("milk");
  await page.keyboard.press("Control+a");
  await bar.getByRole("button", { name: "Bold" }).click();
  await bar.getByRole("button", { name: "Bulleted list" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("tea");
  await reads(composer(), "- **milk**\n- tea");
  await page.screenshot({ path: join(SHOTS, "format-bar-wide.png") });
  await page.getByRole("button", { name: "Formatting" }).click();
  await bar.waitFor({ state: "detached" });
  await composer().fill("");
});

test("a preview takes the place of the text until one types, presses Esc or sends", async () => {
  await page.getByRole("button", { name: "Formatting" }).click();
  const bar = page.getByRole("toolbar", { name: "Formatting" });
  const toggle = bar.getByRole("button", { name: "Preview" });
  const preview = page.getByRole("region", { name: "Preview" });
  const opacity = () => composer().evaluate((area) => getComputedStyle(area).opacity);
  await toggle.and(page.locator(":disabled")).waitFor();

  await composer().fill("**loud** for @bo");
  await suggestions().waitFor();
  await composer().and(page.locator("[aria-controls][aria-activedescendant]")).waitFor();
  await toggle.click();
  await preview.waitFor();
  await composer().and(page.locator(":not([aria-controls], [aria-activedescendant])")).waitFor();
  await composer().fill("**loud** for @bob\n\n- one\n- two");
  await preview.waitFor({ state: "detached" });
  const before = await composer().boundingBox();
  await composer().blur();
  await toggle.click();
  await preview.getByRole("listitem").nth(1).waitFor();
  await preview.locator("strong", { hasText: "loud" }).waitFor();
  expect(await toggle.getAttribute("aria-pressed")).toBe("true");
  expect(await opacity()).toBe("0");
  const shown = await preview.boundingBox();
  expect([shown?.x, shown?.y, shown?.width]).toEqual([before?.x, before?.y, before?.width]);
  expect(shown?.height).toBeGreaterThanOrEqual(before?.height ?? Number.POSITIVE_INFINITY);
  await page.screenshot({ path: join(SHOTS, "preview-wide.png") });

  await preview.locator("strong").click();
  expect(await composer().evaluate((area) => area === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "detached" });
  expect(await toggle.getAttribute("aria-pressed")).toBe("false");
  await toggle.focus();
  await page.keyboard.press("Space");
  await preview.waitFor();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "detached" });
  await expectSoon(() => composer().evaluate((area) => area === document.activeElement), true);
  await toggle.click();
  await bar.getByRole("button", { name: "Write" }).click();
  await preview.waitFor({ state: "detached" });
  await toggle.click();
  await preview.waitFor();
  await page.keyboard.type("!");
  await preview.waitFor({ state: "detached" });
  await reads(composer(), "**loud** for @bob\n\n- one\n- two!");

  await toggle.click();
  await preview.waitFor();
  await page.getByRole("button", { name: "Formatting" }).click();
  await preview.waitFor({ state: "detached" });
  expect(await opacity()).toBe("1");
  await page.getByRole("button", { name: "Formatting" }).click();

  await toggle.click();
  await preview.waitFor();
  await page.keyboard.press("Enter");
  await log().getByRole("listitem").filter({ hasText: "two!" }).first().waitFor();
  await preview.waitFor({ state: "detached" });
  await toggle.and(page.locator(":disabled")).waitFor();
  expect(await opacity()).toBe("1");
  await page.getByRole("button", { name: "Formatting" }).click();
  await bar.waitFor({ state: "detached" });
});

describe("a message of", () => {
  /** How large the first emoji is. */
  const sizeOf = (id: string) =>
    page
      .locator(`[data-message-id="${id}"]`)
      .getByRole("img", { name: "party popper" })
      .first()
      .evaluate((image) => getComputedStyle(image).fontSize);

  test.each([
    ["a name of an emoji", ":tada:"],
    ["emoji, by name and as they are", ":tada: 🎉 :+1:"],
  ])("%s is drawn large", async (_, text) => {
    const { id } = await ada.say(roomId, text);
    await expectSoon(() => sizeOf(id), "32px");
  });

  test.each([
    ["four emoji", ":tada: 🎉 🎉 :+1:"],
    ["a name that none has", ":tada: :no-such-thing:"],
    ["a name and a word", ":tada: yes"],
  ])("%s is not", async (_, text) => {
    const { id } = await ada.say(roomId, text);
    // The table is here: what it knows is drawn.
    expect(await sizeOf(id)).toBe("15px");
  });
});
