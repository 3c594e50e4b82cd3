import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, PHONE, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

/** More than the service's page of 50, so that the line is not among the newest. */
const UNREAD = 70;

let world: World;
let browser: Browser;
let [ada, bob] = [] as unknown as [Client, Client];
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** A conversation in which Ada has read the first message of someone, and not the others. */
async function conversationWith(username: string): Promise<string> {
  const other = await world.person(username, { displayName: username });
  const { body } = await other.post("/api/direct", { user_ids: [ada.user.id] });
  await other.say(body.id, "Read");
  await ada.post(`/api/rooms/${body.id}/read`);
  for (let n = 1; n <= UNREAD; n++) await other.say(body.id, `New ${n}`);
  return body.id;
}

/** The part after the first is requested, and no response arrives. */
const open = (path: string, options: typeof WIDE) =>
  signedInPage(browser, ada, path, { timezoneId: "UTC", ...options }, (page) =>
    page.route(/[?&]after=/, () => {}),
  );

const line = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true });

const SCREENS = [
  ["wide-light", { ...WIDE, colorScheme: "light" }],
  ["phone-dark", { ...PHONE, colorScheme: "dark" }],
] as const;

test.each(SCREENS)(
  "after a jump to the latest message, a conversation leads back to the unread ones: %s",
  async (name, options) => {
    const directId = await conversationWith(name);
    const { page } = await open(`/direct/${directId}`, options);
    await line(page, "New 1").waitFor();
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await line(page, `New ${UNREAD}`).waitFor();
    await page.getByRole("button", { name: /new since/i }).waitFor();
    await page.screenshot({ path: join(SHOTS, `direct-jumped-${name}.png`) });
    await page.getByRole("button", { name: /new since/i }).click();
    await line(page, "New 1").waitFor();
  },
);

test("the time of a message in a conversation is a link to it", async () => {
  const { body } = await bob.post("/api/direct", { user_ids: [ada.user.id] });
  const directId = body.id;
  const { id: lastId } = await bob.say(directId, "Hello");
  const { page } = await open(`/direct/${directId}/m/${lastId}`, WIDE);
  const row = page.locator(`[data-message-id="${lastId}"]`);
  await row.waitFor();
  const [href] = await row
    .locator("a:has(time)")
    .evaluateAll((all) => all.map((element) => element.getAttribute("href")));
  expect(href).toBe(`/direct/${directId}/m/${lastId}`);
});
