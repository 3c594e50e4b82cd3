import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser, newPage, signIn } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { World } from "../support/world.ts";
import { expectSoon } from "../support/wait.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = (page: Page) => page.getByRole("textbox", { name: /^Message / });

async function openContext(): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await newPage(browser);
  await signIn(context, ada);
  return { page, context };
}

async function openRoom(page: Page, room: string): Promise<void> {
  await page.goto(`${world.service.address}/rooms/${room}`);
  await composer(page).waitFor();
  // The code that saves drafts is there.
  await page.locator("[data-connection=open]").waitFor();
}

/** Ends the process of a page without any event in it. */
async function kill(page: Page, context: BrowserContext): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await context.newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
}

const saved = (page: Page, text: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "PUT" &&
      response.url().endsWith("/api/drafts") &&
      response.request().postDataJSON().content === text,
  );

test("a tab that is killed while someone types loses no word", async () => {
  await world.room("killed", ada, []);
  const { page, context } = await openContext();
  // Nothing reaches the service: the words are in this browser alone.
  await page.route("**/api/drafts", (route) => route.abort());
  await openRoom(page, "killed");
  await composer(page).click();
  await page.keyboard.type("written before ");
  page.keyboard.type("and while the tab is killed").catch(() => {});
  await kill(page, context);

  const next = await context.newPage();
  await openRoom(next, "killed");
  expect(await composer(next).inputValue()).toStartWith("written before ");
});

test("a draft of another device is in the composer of a new page, which has the focus", async () => {
  const roomId = await world.room("elsewhere", ada, []);
  const draft = { room_id: roomId, content: "from the phone", base_version: 0 };
  expect((await ada.put("/api/drafts", draft)).status).toBe(200);
  const { page } = await openContext();
  await openRoom(page, "elsewhere");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await expectSoon(() => composer(page).inputValue(), "from the phone");
});

test("a browser without space for a draft saves each word on the service", async () => {
  await world.room("full", ada, []);
  const { page, context } = await openContext();
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await openRoom(page, "full");
  const first = saved(page, "in no storage");
  await composer(page).pressSequentially("in no storage");
  expect((await first).status()).toBe(200);
  const second = saved(page, "in no storage, and more");
  await composer(page).pressSequentially(", and more");
  expect((await second).status()).toBe(200);
  expect(await composer(page).inputValue()).toBe("in no storage, and more");
  expect(await page.getByRole("region", { name: "Another draft" }).count()).toBe(0);
  await kill(page, context);

  const next = await context.newPage();
  await openRoom(next, "full");
  await expectSoon(() => composer(next).inputValue(), "in no storage, and more");
});

test("a tab has a draft that fits in no storage from the tabs beside it", async () => {
  await world.room("beside", ada, []);
  const { page, context } = await openContext();
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await context.route("**/api/drafts", (route) => route.abort());
  const beside = await context.newPage();
  for (const tab of [page, beside]) await openRoom(tab, "beside");
  await composer(page).pressSequentially("in this browser alone");
  const hasText = (tab: Page) =>
    expectSoon(() => composer(tab).inputValue(), "in this browser alone");
  await hasText(beside);
  await kill(page, context);
  const next = await context.newPage();
  await openRoom(next, "beside");
  await hasText(next);
  await context.close();
});

test("an old draft in a full storage never overwrites what another device has written", async () => {
  const roomId = await world.room("old", ada, []);
  const { page, context } = await openContext();
  await openRoom(page, "old");
  const first = saved(page, "old");
  await composer(page).fill("old");
  await first;
  await composer(page).blur();
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      const before = this.getItem(key)?.length ?? 0;
      if (value.length > before) throw new DOMException("", "QuotaExceededError");
      setItem.call(this, key, value);
    };
  });
  // Longer than what is stored: it fits nowhere.
  const other = `from the phone ${"at length ".repeat(50)}`;
  const device = "phone";
  const draft = { room_id: roomId, content: other, base_version: 1, device };
  expect((await ada.put("/api/drafts", draft)).status).toBe(200);
  await expectSoon(() => composer(page).inputValue(), other);
  await kill(page, context);

  const next = await context.newPage();
  // Someone types before the service has answered.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await next.route("**/api/drafts*", async (route) => {
    if (route.request().method() === "GET") await released;
    await route.continue();
  });
  await openRoom(next, "old");
  expect(await composer(next).inputValue()).toBe("old");
  await composer(next).pressSequentially(", changed");
  release();
  const offer = next.getByRole("region", { name: "Another draft" });
  await offer.getByText("from the phone").waitFor();
  expect((await ada.get("/api/drafts")).body.items).toContainEqual(
    expect.objectContaining({ room_id: roomId, content: other }),
  );
});

test("a picture of a draft keeps its name over a reload, and is shown in the list", async () => {
  await world.room("pictures", ada, []);
  const { page } = await openContext();
  await openRoom(page, "pictures");
  const buffer = Buffer.from(await picture("png", 60, 40));
  const isSaved = page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.url().endsWith("/api/drafts"),
  );
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await choosing).setFiles({ name: "harbour.png", mimeType: "image/png", buffer });
  const attachments = page.getByRole("list", { name: "Attachments" });
  await attachments.getByRole("button", { name: "Remove harbour.png" }).waitFor();
  await isSaved;
  await page.reload();
  await attachments.getByRole("button", { name: "Remove harbour.png" }).waitFor();
  await page.goto(`${world.service.address}/drafts`);
  const draft = page.getByRole("listitem").filter({ hasText: "harbour.png" });
  const image = draft.locator("img");
  await image.waitFor();
  await page.waitForFunction(
    (shown) => (shown as HTMLImageElement).naturalWidth > 0,
    await image.elementHandle(),
  );
});
