import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser, newPage } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(60_000);

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
  await world.room("tea-room", ada, [bob]);
  const { sql } = world.database;
  await sql`
    with added as (
      insert into users (id, username, email)
      select gen_random_uuid(), 'm' || n, 'm' || n || '@example.org' from generate_series(1, 23) n
      returning id
    ), joined as (
      insert into memberships (room_id, user_id, role) select ${room}, id, 'member' from added
    )
    update rooms set member_count = 25 where id = ${room}`;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(client: Client, path: string) {
  const tab = await newPage(browser);
  const [name = "", value = ""] = (client.cookie ?? "").split("=");
  await tab.context.addCookies([{ name, value, url: world.service.address }]);
  await tab.page.goto(world.service.address + path);
  return tab;
}

test("@room asks before many are notified, and is found in their activity by the keyboard", async () => {
  const writer = await open(bob, "/rooms/engines");
  const composer = writer.page.getByLabel("Message #engines");
  await composer.fill("@chan");
  await writer.page.getByRole("option", { name: "@room all 25 members" }).waitFor();
  await composer.press("Enter");
  expect(await composer.inputValue()).toBe("@room ");
  await composer.pressSequentially("tea?");
  await composer.press("Enter");
  const question = writer.page.getByRole("dialog", { name: "Notify 24 people?" });
  await question.waitFor();
  await writer.page.keyboard.press("Escape");
  expect(await composer.inputValue()).toBe("@room tea?");

  const reader = await open(ada, "/rooms/tea-room");
  await reader.page.getByLabel("Message #tea-room").waitFor();
  await composer.press("Enter");
  await question.waitFor();
  await writer.page.keyboard.press("Enter");
  await writer.page.locator(".mention", { hasText: "@room" }).waitFor();
  await reader.page.keyboard.press("Control+Shift+A");
  const news = reader.page.getByRole("list", { name: "New" });
  await news.getByText("Bob Noyce mentioned everyone in #engines").waitFor();
  // What comes while one looks at the list is shown at once.
  await bob.say(room, "@ada, you too");
  await news.getByText("Bob Noyce mentioned you in #engines").waitFor();
  await reader.page.keyboard.press("Home");
  await reader.page.keyboard.press("ArrowDown");
  await reader.page.keyboard.press("Enter");
  await reader.page.waitForURL("**/rooms/engines/m/*");
  await reader.page.locator(".message.mentions-me", { hasText: "tea?" }).waitFor();
  await reader.page.goBack();
  await reader.page.getByText("Bob Noyce mentioned everyone in #engines").waitFor();
  expect(await news.count()).toBe(0);
  expect([...writer.complaints, ...reader.complaints]).toEqual([]);
});

test("the chosen sound is played for a mention elsewhere, and not where it is looked at", async () => {
  await ada.patch("/api/auth/me", { sound: "drop" });
  const root = await bob.say(room, "A root");
  await ada.patch(`/api/rooms/${room}/membership`, { notify: "all" });
  await ada.post(`/api/rooms/${room}/read`);
  const { page, context, complaints } = await newPage(browser);
  const [name = "", value = ""] = (ada.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url: world.service.address }]);
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { tones: number };
    counted.tones = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      counted.tones += 1;
      return create.call(this);
    };
  });
  await page.goto(`${world.service.address}/rooms/tea-room`);
  await page.getByLabel("Message #tea-room").click();
  await page.locator(".announcer").waitFor({ state: "attached" });
  const tones = () => page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
  const { items } = (await bob.get("/api/rooms?limit=200")).body;
  const tea = items.find((item: { name: string }) => item.name === "tea-room").id;
  await bob.say(tea, "@ada, here");
  await page.locator(".message", { hasText: "here" }).waitFor();
  expect(await tones()).toBe(0);
  // Nor for a reply in a thread that is not followed.
  await bob.say(room, "a reply", { thread_id: root.id });
  await page.locator(".room-link.unread", { hasText: "engines" }).waitFor();
  expect(await tones()).toBe(0);
  await bob.say(room, "@ada, over there");
  await page.waitForFunction(() => (globalThis as unknown as { tones: number }).tones === 2);
  expect(complaints).toEqual([]);
});
