import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, messageRow, paneHead, signedInPage } from "../support/browser.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  const ada = await world.person("ada", { displayName: "Ada Lovelace" });
  const roomId = await world.room("plans", ada, [], "private");
  const post = (content: string) => ada.post(`/api/rooms/${roomId}/messages`, { content });
  const lines = (count: number, line: string) => Array.from({ length: count }, () => line);
  await post(`short\n${lines(25, "a line").join("\n")}`);
  const code = lines(90, "let code = 1;").join("\n");
  await post(`code\n\`\`\`\n${code}\n\`\`\`\nsee https://example.org/end`);
  await post("the last one");
  ({ page } = await signedInPage(browser, ada, "/rooms/plans"));
  await page.getByText("the last one").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const row = (text: string) => messageRow(page, text);
const heightOf = async (text: string) => (await row(text).boundingBox())?.height ?? 0;
const topOf = async (text: string) => (await row(text).boundingBox())?.y ?? 0;

test("a long message shows 24 lines, and all of them on request", async () => {
  const long = row("let code = 1;");
  const collapsed = await heightOf("let code = 1;");
  expect(collapsed).toBeLessThan(640);
  const more = long.getByRole("button", { name: "Show all 90 lines" });
  await more.scrollIntoViewIfNeeded();
  await more.hover();
  const top = await topOf("let code = 1;");
  await more.click();
  await long.getByRole("button", { name: "Show less" }).waitFor();
  expect(await heightOf("let code = 1;")).toBeGreaterThan(1_500);
  // The code has no box of its own to scroll, and the reader stays where they were.
  const box = await long.locator("pre").evaluate((pre) => pre.scrollHeight - pre.clientHeight);
  expect(box).toBe(0);
  await page.waitForFunction(
    ([text, y]) => {
      const rows = [...document.querySelectorAll("[data-message-id]")];
      const at = rows.find((message) => message.textContent?.includes(text as string));
      return Math.abs((at?.getBoundingClientRect().top ?? 1e6) - (y as number)) < 2;
    },
    ["let code = 1;", top] as const,
  );
  await long.getByRole("button", { name: "Show less" }).click();
  await more.waitFor();
  expect(await heightOf("let code = 1;")).toBe(collapsed);
});

test("a link in the hidden part shows it when it gets the focus", async () => {
  const long = row("let code = 1;");
  await long.getByRole("link", { name: "https://example.org/end" }).focus();
  await long.getByRole("button", { name: "Show less" }).waitFor();
});

test("a message of a few more lines is whole", async () => {
  expect(await row("short").getByRole("button", { name: "Show more" }).count()).toBe(0);
});

test("a private room has a lock in its head and above its first message", async () => {
  await page.getByRole("heading", { level: 1, name: "plans", exact: true }).waitFor();
  expect(await paneHead(page).getByRole("img", { name: "Private room" }).count()).toBe(1);
  const start = page.getByRole("log").getByRole("heading", { level: 2 });
  expect(await start.getByRole("img", { name: "Private room" }).count()).toBe(1);
});
