import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser, signedInPage } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

/** More than a list renders as a whole. */
const MANY = 400;

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  const room = await world.room("hall", ada);
  const { sql } = world.database;
  await sql`with u as (
      insert into users (id, username, email, display_name)
      select gen_random_uuid(), 'p' || n, 'p' || n || '@example.org', 'Person ' || n
      from generate_series(1, ${MANY}) n returning id)
    insert into memberships (room_id, user_id, role) select ${room}, id, 'member' from u`;
  await sql`update rooms set member_count = ${MANY + 1} where id = ${room}`;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

test("many members are counted, grouped and found, and few of them are in the page", async () => {
  const { page } = await signedInPage(browser, ada, "/rooms/hall");
  const members = page.getByRole("complementary", { name: "Members" });
  const rows = members
    .getByRole("list", { name: "Members" })
    .getByRole("listitem")
    .filter({ hasNot: page.getByRole("heading") });
  await page.getByRole("button", { name: `Members (${MANY + 1})` }).click();
  await members.getByRole("heading", { name: "Online 1" }).waitFor();
  await members.getByRole("heading", { name: `Offline ${MANY}` }).waitFor();
  const looks = await members.getByRole("heading", { level: 3 }).evaluateAll((headings) =>
    headings.map((heading) => {
      const words = document.createRange();
      words.selectNodeContents(heading);
      const { fontWeight } = getComputedStyle(heading.querySelector(".count") as Element);
      return [words.getClientRects()[0]?.left, fontWeight];
    }),
  );
  expect(looks[0]).toEqual(looks[1]);
  // So many are shown when they are asked for.
  expect(await rows.count()).toBe(1);
  await members.getByRole("button", { name: `Offline ${MANY}`, expanded: false }).click();
  await members.getByRole("button", { name: `Offline ${MANY}`, expanded: true }).waitFor();
  expect(await rows.count()).toBeLessThan(80);
  await rows.filter({ hasText: "Ada Lovelace" }).getByText("owner").waitFor();
  // By number, not by letter: the second person is the second.
  const second = rows.filter({ hasText: /^P2Person 2$/ });
  expect((await second.boundingBox())?.height).toBe(36);
  expect(await second.getAttribute("aria-posinset")).toBe("5");

  // Tab goes on beyond what is rendered now.
  await second.getByRole("button", { name: "Person 2" }).first().focus();
  for (let pressed = 0; pressed < 60; pressed++) await page.keyboard.press("Tab");
  const focused = rows.and(page.locator(":focus-within"));
  expect(Number(await focused.getAttribute("aria-posinset"))).toBeGreaterThan(30);
  await rows.last().evaluate((row) => {
    const scroller = row.parentElement?.parentElement as Element;
    scroller.scrollTop = scroller.scrollHeight;
  });
  await page.getByText(`Person ${MANY}`, { exact: true }).waitFor();

  await members.getByLabel("Filter members").fill("@p399");
  await page.getByText("Person 399").waitFor();
  expect(await rows.count()).toBe(1);
  await members.getByLabel("Filter members").fill("nobody");
  await page.getByText("No members match.").waitFor();
  await members.getByRole("button", { name: "Clear" }).click();
  await members.getByRole("heading", { name: "Online 1" }).waitFor();
  // Esc closes the list around a field, whatever is in it.
  await members.getByLabel("Filter members").fill("nobody");
  await page.keyboard.press("Escape");
  await members.waitFor({ state: "detached" });
});

test("where they would cover the room, the members are shown when asked for", async () => {
  const { page } = await signedInPage(browser, ada, "/rooms/hall", {
    viewport: { width: 1000, height: 800 },
  });
  const members = page.getByRole("complementary", { name: "Members" });
  const button = page.getByRole("button", { name: /^Members/ });
  await button.waitFor();
  expect(await members.count()).toBe(0);
  await button.click();
  // Above what dims the room: a click reaches it.
  await members.getByRole("button", { name: /Ada Lovelace/ }).click();
  await page.getByRole("dialog", { name: "Ada Lovelace" }).waitFor();
});
