import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { launchBrowser, messageRow, signedInPage, walk } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let ada: Client;
let general: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  const grace = await world.person("grace", { displayName: "Grace Hopper" });
  general = await world.room("general", ada, [grace]);
  for (let number = 1; number <= 12; number++) await world.room(`engine-${number}`, ada);
  ({ page, context } = await signedInPage(browser, ada, "/rooms/general"));
});
beforeEach(async () => {
  await walk(page, "/rooms/general");
  await composer().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = () => page.getByRole("textbox", { name: "Message #general" });
const dialog = (name: string) => page.getByRole("dialog", { name });

/** The order of events around the key that confirms a word. */
const ENGINES = ["Chromium", "Safari"] as const;
type Engine = (typeof ENGINES)[number];

/** Fires what an engine does for a key that ends the composition of a word; the word is in the field already. */
async function endWord(field: Locator, engine: Engine, key: string): Promise<void> {
  await field.focus();
  await field.evaluate(
    (element, [inSafari, key]) => {
      const fire = (type: string, isComposing: boolean, keyCode: number) => {
        const event = new KeyboardEvent(type, {
          key,
          isComposing,
          keyCode,
          bubbles: true,
          cancelable: true,
          composed: true,
        } as KeyboardEventInit);
        element.dispatchEvent(event);
      };
      const compose = (type: string) =>
        element.dispatchEvent(new CompositionEvent(type, { data: "word", bubbles: true }));
      compose("compositionstart");
      compose("compositionupdate");
      if (inSafari) compose("compositionend");
      fire("keydown", !inSafari, 229);
      if (!inSafari) compose("compositionend");
      fire("keyup", false, { Enter: 13, Escape: 27, ArrowDown: 40, Tab: 9 }[key] ?? 0);
    },
    [engine === "Safari", key] as const,
  );
}

for (const engine of ENGINES) {
  describe(`a key that ends a word of an input method, in the order of ${engine}`, () => {
    test("does not send the message; the next Enter does, once", async () => {
      await composer().fill(`To ${engine} 日本`);
      await endWord(composer(), engine, "Enter");
      expect(await composer().inputValue()).toBe(`To ${engine} 日本`);
      await composer().press("Enter");
      const sent = page.locator('[data-state="sent"]', { hasText: `To ${engine} 日本` });
      await sent.waitFor();
      expect(await composer().inputValue()).toBe("");
      const { items } = (await ada.get(`/api/rooms/${general}/messages`)).body;
      const own = items.filter(({ content }: { content: string }) => content.includes(engine));
      expect(own).toHaveLength(1);
    });

    test("completes no name", async () => {
      await composer().fill("@hopp");
      await composer().press("End");
      const names = page.getByRole("option", { name: /Grace Hopper/ });
      await names.waitFor();
      for (const key of ["Enter", "Tab", "Escape"]) await endWord(composer(), engine, key);
      expect(await composer().inputValue()).toBe("@hopp");
      expect(await names.isVisible()).toBe(true);
      await composer().press("Enter");
      await expectValue(composer(), "@grace ");
      await composer().fill("");
    });

    test("neither saves nor leaves an edit", async () => {
      await ada.say(general, `Written for ${engine}`);
      await messageRow(page, `Written for ${engine}`).waitFor();
      await composer().press("ArrowUp");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await field.fill(`Edited for ${engine}`);
      await endWord(field, engine, "Enter");
      await endWord(field, engine, "Escape");
      expect(await field.inputValue()).toBe(`Edited for ${engine}`);
      await field.press("Enter");
      await field.waitFor({ state: "detached" });
      await messageRow(page, `Edited for ${engine}`).waitFor();
    });

    test("chooses nothing in the switcher", async () => {
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox", { name: "Room, person or action" });
      await field.fill("engine-1");
      const marked = page.locator('[role="option"][aria-selected="true"]', { hasText: "engine-1" });
      await marked.first().waitFor();
      const before = await field.getAttribute("aria-activedescendant");
      await endWord(field, engine, "ArrowDown");
      await endWord(field, engine, "Enter");
      expect(await field.inputValue()).toBe("engine-1");
      expect(await field.getAttribute("aria-activedescendant")).toBe(before);
      expect(new URL(page.url()).pathname).toBe("/rooms/general");
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
    });

    test("empties no filter of a list", async () => {
      await walk(page, "/browse");
      const field = page.getByRole("searchbox", { name: "Search rooms" });
      await field.fill("engine-2");
      for (const key of ["Escape", "ArrowDown", "Enter"]) await endWord(field, engine, key);
      expect(await field.inputValue()).toBe("engine-2");
      expect(new URL(page.url()).pathname).toBe("/browse");
      await walk(page, "/rooms/general");
      await composer().waitFor();
    });

    test("completes no filter of the search", async () => {
      await composer().press("Control+Shift+f");
      const panel = page.getByRole("region", { name: "Search messages" });
      const field = panel.getByRole("searchbox");
      await field.fill("from:grace");
      const chip = panel.getByRole("button", { name: "Without from:grace" });
      await endWord(field, engine, "Enter");
      await endWord(field, engine, "Escape");
      expect(await field.inputValue()).toBe("from:grace");
      expect(await chip.count()).toBe(0);
      await field.press("Enter");
      await chip.waitFor();
      await field.press("Escape");
      await panel.waitFor({ state: "detached" });
    });

    test("picks no emoji", async () => {
      await page.getByRole("button", { name: "Add an emoji" }).click();
      const picker = dialog("Choose an emoji");
      const field = picker.getByRole("searchbox", { name: "Search emoji" });
      await field.fill("teapot");
      await picker.getByRole("button", { name: "teapot" }).waitFor();
      await endWord(field, engine, "ArrowDown");
      await endWord(field, engine, "Enter");
      expect(await picker.isVisible()).toBe(true);
      expect(await composer().inputValue()).toBe("");
      await page.keyboard.press("Enter");
      await expectValue(composer(), "🫖");
      await composer().fill("");
    });

    test("adds no person, and opens no conversation", async () => {
      await page.keyboard.press("Control+Shift+k");
      const people = dialog("New message");
      const field = people.getByRole("combobox", { name: "Names of people" });
      await field.fill("grace");
      await people.getByRole("option", { name: /Grace Hopper/ }).waitFor();
      await endWord(field, engine, "Enter");
      expect(await field.inputValue()).toBe("grace");
      await field.press("Enter");
      await people.getByRole("button", { name: "Remove Grace Hopper" }).waitFor();
      await endWord(field, engine, "Enter");
      await endWord(field, engine, "Backspace");
      expect(await people.isVisible()).toBe(true);
      await people.getByRole("button", { name: "Remove Grace Hopper" }).waitFor();
      await page.keyboard.press("Escape");
      await people.waitFor({ state: "detached" });
    });

    test("sends no form of a dialog", async () => {
      await page.getByRole("button", { name: "Create a room" }).click();
      const form = dialog("Create a room");
      const field = form.getByRole("textbox", { name: "Name" });
      await field.fill(`tea-${engine.toLowerCase()}`);
      // Of the browser itself: only its own keys send a form.
      const devtools = await context.newCDPSession(page);
      const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
      await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
      await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
      await endWord(field, engine, "Enter");
      expect(await form.isVisible()).toBe(true);
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: `Message #tea-${engine.toLowerCase()}` }).waitFor();
    });
  });
}

/** Waits until a field has this text. */
async function expectValue(field: Locator, text: string): Promise<void> {
  const element = await field.elementHandle();
  await page.waitForFunction(([it, wanted]) => (it as HTMLTextAreaElement).value === wanted, [
    element,
    text,
  ] as const);
}
