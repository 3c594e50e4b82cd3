import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator } from "playwright-core";
import {
  launchBrowser,
  newPage,
  type PageOptions,
  PHONE,
  signedInPage,
  signIn,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { picture } from "../support/images.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

const MANY = 8;

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  room = await world.room("engines", ada, [bob]);
  await ada.patch(`/api/rooms/${room}`, { description: "How engines think", privacy: "open" });
  for (let n = 1; n <= 40; n++) await bob.say(room, `Line ${n}`);
  const pinned = await bob.say(room, "The plan");
  await ada.put(`/api/messages/${pinned.id}/pin`, {});
  await ada.post(`/api/rooms/${room}/read`);
  const others: Client[] = [];
  for (let n = 1; n < MANY; n++) others.push(await world.person(`p${n}`));
  await world.room("hall", ada, others);
  await world.room("quiet", ada, others.slice(1));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(path: string, options: PageOptions = WIDE, person = ada) {
  const { page, context } = await signedInPage(browser, person, path, options);
  const panel = (tab: string) => page.getByRole("complementary", { name: tab });
  const tab = (name: string) => page.getByRole("tab", { name });
  return { page, context, panel, tab };
}

test("the name of a room opens what it is about, and the arrows lead through the tabs", async () => {
  const { page, panel, tab } = await open("/rooms/engines");
  const name = page.getByRole("button", { name: "#engines", exact: true });
  const leftOf = (text: Locator) =>
    text.evaluate((element) => element.getBoundingClientRect().left);
  const topic = page.locator("header").getByText("How engines think");
  expect(await leftOf(page.getByRole("heading", { level: 1 }).getByText("#engines"))).toBe(
    await leftOf(topic),
  );
  await name.and(page.locator("[aria-expanded=false]")).focus();
  await page.keyboard.press("Enter");
  const about = panel("About");
  await about.getByText("How engines think").waitFor();
  await about.getByText("Anyone can find and join it").waitFor();
  await about.getByRole("button", { name: "Ada Lovelace" }).waitFor();
  expect(await about.evaluate((element) => element.getBoundingClientRect().width)).toBe(380);
  await name.and(page.locator("[aria-expanded=true]")).waitFor();
  for (const next of ["Members", "Pins", "Files", "Settings"]) {
    await page.keyboard.press("ArrowRight");
    await panel(next).waitFor();
    expect(await tab(next).evaluate((element) => element === document.activeElement)).toBe(true);
  }
  expect(new URL(page.url()).search).toBe("?panel=settings");
  await page.keyboard.press("Escape");
  await panel("Settings").waitFor({ state: "detached" });
  expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
  // The whole title is the button, the topic too.
  await topic.click({ force: true });
  await about.waitFor();
});

test("notifications are the same on the bell and in the panel", async () => {
  const { page, panel } = await open("/rooms/engines?panel=about");
  const choice = panel("About").getByLabel("Notify me");
  await choice.selectOption({ label: "Until I turn it back on" });
  await page.getByText("#engines is muted").waitFor();
  await page.getByRole("button", { name: "Notifications for this room" }).click();
  await page.getByRole("menuitemradio", { name: "Mute", checked: true }).waitFor();
  await page.getByRole("menuitemradio", { name: "All messages" }).click();
  await panel("About")
    .getByRole("switch", { name: /^Also replies/ })
    .waitFor();
});

test("the list of pins moves nothing that was there", async () => {
  const { page, panel } = await open("/rooms/engines");
  const line = page.getByRole("log").getByText("Line 40", { exact: true });
  const before = await line.boundingBox();
  await page.getByRole("link", { name: "1 pin" }).click();
  await panel("Pins").getByText("The plan").waitFor();
  expect((await line.boundingBox())?.y).toBe(before?.y ?? -1);
});

test("images and files are listed with who shared them, and lead to their message", async () => {
  const { body: image } = await bob.upload(`/api/rooms/${room}/images`, await picture("png"));
  const { body: file } = await bob.upload(
    `/api/rooms/${room}/files`,
    new TextEncoder().encode("words"),
    "notes.txt",
  );
  const sent = await bob.say(room, "See the drawing", { image_id: image.id });
  await bob.post(`/api/rooms/${room}/messages`, { file_id: file.id });
  for (let n = 1; n <= 60; n++) await bob.say(room, `After ${n}`);
  await ada.post(`/api/rooms/${room}/read`);
  const search = `/api/search/messages?room_id=${room}&has=attachment`;
  await eventually(async () => (await ada.get(search)).body.items.length === 2);
  const { page, panel } = await open("/rooms/engines?panel=files");
  const files = panel("Files").getByRole("listitem");
  await files.filter({ hasText: "notes.txt" }).getByText("Bob Noyce").waitFor();
  expect(await files.count()).toBe(2);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    files.getByRole("link", { name: "Download notes.txt" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("notes.txt");
  const drawing = files.filter({ hasText: "See the drawing" });
  await drawing.locator("img").waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    drawing.getByRole("link", { name: "Download See the drawing" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("See the drawing.png");
  await drawing.getByRole("link").first().click();
  await page.waitForURL(`**/rooms/engines/m/${sent.id}?panel=files`);
  await page.locator("[aria-current][data-message-id]", { hasText: "See the drawing" }).waitFor();
  await panel("Files").waitFor();
});

test("files that do not load say so, and load again", async () => {
  const { page, panel } = await open("/rooms/engines");
  await page.route("**/api/search/messages**", (route) => route.abort());
  await page.getByRole("button", { name: "#engines", exact: true }).click();
  await page.getByRole("tab", { name: "Files" }).click();
  await panel("Files").getByRole("alert").waitFor();
  await page.unroute("**/api/search/messages**");
  await panel("Files").getByRole("button", { name: "Try again" }).click();
  await panel("Files").getByRole("alert").waitFor({ state: "detached" });
  const heading = panel("Files").getByRole("heading", { name: "engines" });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("members are closed on a first visit, and then as they were left, in every room", async () => {
  const { page, panel } = await open("/rooms/hall");
  const button = page.getByRole("button", { name: /^Members \(/ });
  const go = async (name: string) => {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("textbox", { name: `Message #${name}` }).waitFor();
  };
  await page.getByRole("textbox", { name: "Message #hall" }).waitFor();
  expect(await panel("Members").count()).toBe(0);
  await button.click();
  await panel("Members")
    .getByRole("heading", { name: /^Online/ })
    .waitFor();
  await go("quiet");
  await panel("Members").waitFor();
  await page.reload();
  await panel("Members").waitFor();
  await button.click();
  await panel("Members").waitFor({ state: "detached" });
  await go("hall");
  expect(await panel("Members").count()).toBe(0);
});

test("a member's settings are theirs alone, and the old dialog leads to the panel", async () => {
  const { page, panel } = await open("/rooms/engines", WIDE, bob);
  await page.getByRole("textbox", { name: "Message #engines" }).press("Control+k");
  await page.getByRole("combobox").fill("settings of");
  await page.getByRole("option", { name: "Settings of #engines" }).click();
  const settings = panel("Settings");
  await settings.getByLabel("Notify me").selectOption("Mentions only");
  await page.getByText("You'll be notified when someone mentions you in #engines").waitFor();
  await settings.getByRole("switch", { name: "Favourite" }).click();
  await page
    .locator('[data-section="favourites"]')
    .getByRole("link", { name: "engines" })
    .waitFor();
  await settings.getByRole("button", { name: "Move to section…" }).click();
  await page.getByRole("dialog", { name: "Move to section" }).waitFor();
  await page.keyboard.press("Escape");
  await settings.getByRole("button", { name: "Leave room" }).click();
  await page.getByRole("dialog", { name: "Leave #engines?" }).waitFor();
  expect(await panel("Settings").getByLabel("Topic").count()).toBe(0);
});

describe("a direct conversation", () => {
  test("has what applies to it", async () => {
    const { body: pair } = await ada.post("/api/direct", { user_ids: [bob.user.id] });
    const { page, panel } = await open(`/direct/${pair.id}`);
    await page.getByRole("button", { name: "Bob Noyce", exact: true }).first().click();
    await panel("About").getByRole("button", { name: "Bob Noyce" }).waitFor();
    expect(await page.getByRole("tab").allTextContents()).toEqual(["About", "Pins", "Files"]);
  });

  test("of a group has its members", async () => {
    const p1 = await ada.get("/api/users?query=p1");
    const user_ids = [bob.user.id, p1.body.items[0].id];
    const { body: group } = await ada.post("/api/direct", { user_ids });
    const { page, panel } = await open(`/direct/${group.id}`);
    await page.getByRole("button", { name: "Members (3)" }).click();
    await panel("Members").getByText("@p1").waitFor();
  });
});

test("a page that starts with the panel shows its title and tabs at once, and no focus", async () => {
  const { page, context } = await newPage(browser, PHONE);
  await signIn(context, ada);
  const gate = Promise.withResolvers<void>();
  await context.route(/\/assets\/rest-/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${world.service.address}/rooms/engines?panel=about`);
  const about = page.getByRole("complementary", { name: "About" });
  await about.getByRole("heading", { name: "#engines" }).waitFor();
  await about.getByRole("tab", { name: "Settings" }).waitFor();
  await about.locator("[aria-busy=true]").first().waitFor();
  gate.resolve();
  await about.getByText("How engines think").waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

test("on a phone the panel is a screen, and Back leads to the room", async () => {
  const { page, panel } = await open("/rooms/engines", PHONE);
  await page.getByRole("button", { name: "#engines", exact: true }).tap();
  const about = panel("About");
  await about.getByText("How engines think").waitFor();
  const box = await about.boundingBox();
  expect([box?.x, box?.y, box?.width]).toEqual([0, 0, PHONE.viewport.width]);
  await page.goBack();
  await about.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "#engines", exact: true }).tap();
  await about.getByRole("button", { name: "Close details" }).first().tap();
  await about.waitFor({ state: "detached" });
});
