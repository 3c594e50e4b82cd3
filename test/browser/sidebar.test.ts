import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, PHONE, sidebarLink, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
const ids: Record<string, string> = {};
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
  for (const name of ["archive", "blue", "green", "red", "zebra"]) {
    ids[name] = await world.room(name, bob, [ada]);
  }
  await world.archive("archive", true);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options = WIDE) => signedInPage(browser, ada, path, options);

const unread = (name: string) => bob.say(ids[name] as string, "news");

/** Waits until the sidebar's sections have these rooms. */
async function untilShown(page: Page, sections: Record<string, string[]>): Promise<void> {
  await page.waitForFunction((wanted) => {
    const named = [...document.querySelectorAll<HTMLElement>("[data-section]")].filter(
      ({ dataset }) => dataset.section !== "direct",
    );
    const shown = named.map((section) => [
      section.dataset.section,
      [...section.querySelectorAll("[data-id] a [dir=auto]")].map((name) => name.textContent),
    ]);
    return JSON.stringify(Object.fromEntries(shown)) === wanted;
  }, JSON.stringify(sections));
}

test("rooms are arranged by keys and by dragging, on all devices at once", async () => {
  const { page } = await open("/");
  // Not the archived room, which is the first by name.
  await page.waitForURL("**/rooms/blue");
  const other = await open("/rooms/blue");
  await untilShown(other.page, { rooms: ["blue", "green", "red", "zebra"], archived: [] });

  // The list is one stop of Tab; arrows move in it.
  await sidebarLink(page, "blue").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await sidebarLink(page, "zebra").and(page.locator('[tabindex="0"]')).waitFor();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Add to favourites" }).press("Enter");
  const favourite = { favourites: ["zebra"], rooms: ["blue", "green", "red"], archived: [] };
  await untilShown(page, favourite);
  await untilShown(other.page, favourite);

  await sidebarLink(page, "red").focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await page.getByText("#red is now number 2 of 3").waitFor({ state: "attached" });
  await untilShown(other.page, { ...favourite, rooms: ["blue", "red", "green"] });
  await sidebarLink(other.page, "green").dragTo(sidebarLink(other.page, "zebra"), {
    targetPosition: { x: 20, y: 2 },
  });
  const dragged = { favourites: ["green", "zebra"], rooms: ["blue", "red"], archived: [] };
  await untilShown(page, dragged);

  // A room keeps the focus where a menu moves it to another section.
  await sidebarLink(page, "blue").hover();
  await page.getByRole("button", { name: "Options for #blue" }).click();
  await page.getByRole("menuitem", { name: "Add to favourites" }).click();
  await untilShown(page, { favourites: ["green", "zebra", "blue"], rooms: ["red"], archived: [] });
  expect(
    await sidebarLink(page, "blue").evaluate((element) => element === document.activeElement),
  ).toBe(true);
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Remove from favourites" }).press("Enter");
  await untilShown(page, dragged);
  expect(
    await sidebarLink(page, "blue").evaluate((element) => element === document.activeElement),
  ).toBe(true);

  await page.getByRole("button", { name: "Favourites" }).click();
  await untilShown(other.page, { ...dragged, favourites: [] });
  await page.getByRole("button", { name: "Favourites" }).click();
  await untilShown(other.page, dragged);
  await page.reload();
  await untilShown(page, dragged);
  await ada.patch("/api/auth/me", { sidebar: { sort: "unread" } });
  await unread("red");
  await untilShown(page, { ...dragged, rooms: ["red", "blue"] });
  // It is read by being opened, and moves nothing below the pointer.
  await sidebarLink(page, "red").click();
  await page.getByRole("log").getByText("news").waitFor();
  await sidebarLink(page, "red")
    .getByRole("img", { name: "unread" })
    .waitFor({ state: "detached" });
  await untilShown(page, { ...dragged, rooms: ["red", "blue"] });
});

test("the open room is in view among many, and the own row stays", async () => {
  const carol = await world.person("carol");
  for (let n = 10; n < 50; n++) await world.room(`x-${n}`, bob, [carol]);
  const tab = await signedInPage(browser, carol, "/rooms/x-49");
  const { page } = tab;
  const inView = () =>
    page.waitForFunction(() => {
      const nav = document.querySelector("nav[aria-label=Rooms]")?.getBoundingClientRect();
      const current = document.querySelector("nav[aria-label=Rooms] [aria-current]");
      const box = current?.getBoundingClientRect();
      return nav && box && box.height > 0 && box.top >= nav.top && box.bottom <= nav.bottom;
    });
  await inView();
  const { y = 9_999 } = (await page.getByRole("button", { name: /^You,/ }).boundingBox()) ?? {};
  expect(y).toBeLessThan(WIDE.viewport.height);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("x12");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/rooms/x-12");
  await inView();
  // No row is cut below the heading, and what is in view does not move.
  const list = page.getByRole("navigation", { name: "Rooms" });
  await list.evaluate((list) => list.scrollTo(0, 9));
  await sidebarLink(page, "x-13").click();
  await page.waitForURL("**/rooms/x-13");
  await inView();
  expect(await list.evaluate((list) => list.scrollTop)).toBe(9);
  await sidebarLink(page, "x-41").evaluate((link) => link.scrollIntoView({ block: "end" }));
  await sidebarLink(page, "x-43").evaluate((link: HTMLElement) => link.click());
  await page.waitForURL("**/rooms/x-43");
  await inView();
  const cut = await list.evaluate((list) => {
    const rows = [...list.querySelectorAll('[data-section="rooms"] a')];
    const isVisible = (row: Element, y: number) =>
      row.contains(document.elementFromPoint(row.getBoundingClientRect().left + 40, y));
    return rows
      .slice(0, 35)
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return isVisible(row, top + 7) !== isVisible(row, bottom - 7);
      })
      .map((row) => row.textContent);
  });
  expect(cut).toEqual([]);
  // Browsing begins where the rooms end.
  const last = page.locator('[data-section="rooms"] a').last();
  expect(await last.textContent()).toBe("Browse rooms");
});

test("on a phone Home is a screen with what is new, and rooms have menus on a long press", async () => {
  await ada.patch("/api/auth/me", { sidebar: { sort: "name", order: [] } });
  await ada.post("/api/rooms/read");
  const { page } = await open("/rooms/blue", PHONE);
  const bar = page.getByRole("navigation", { name: "Main" });
  const home = bar.getByRole("link", { name: "Home" });
  const back = page.getByRole("link", { name: "Back" });
  await page.getByRole("log").waitFor();
  expect(await bar.getByRole("link").allInnerTexts()).toEqual([
    "Home",
    "Activity",
    "Search",
    "You",
  ]);
  expect(await home.getByRole("img").count()).toBe(0);
  await unread("red");
  await home.getByRole("img", { name: "unread" }).waitFor();
  // In one place only.
  expect(await page.locator("header").getByRole("img", { name: "unread" }).count()).toBe(0);
  await bob.say(ids.green as string, "@ada hello");
  await home.getByRole("img", { name: "1 mention" }).waitFor();
  // The composer takes its place.
  await page.getByRole("textbox", { name: /^Message / }).focus();
  await bar.waitFor({ state: "hidden" });
  await page.getByRole("textbox", { name: /^Message / }).fill("half a thought");
  await back.tap();
  await page.waitForURL(`${world.service.address}/`);
  await bar.waitFor();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  expect(await page.getByRole("log").count()).toBe(0);
  await sidebarLink(page, "blue").getByRole("img", { name: "Draft" }).waitFor();
  await sidebarLink(page, "red").tap();
  await page.waitForURL("**/rooms/red");
  await page.getByRole("log").getByText("news").last().waitFor();
  await page.goBack();
  const touch = { pointerType: "touch", isPrimary: true, clientX: 50, clientY: 50 };
  await sidebarLink(page, "green").dispatchEvent("pointerdown", touch);
  // A browser says so when a finger has been held long enough.
  await sidebarLink(page, "green").dispatchEvent("contextmenu", touch);
  await sidebarLink(page, "green").dispatchEvent("pointerup", touch);
  await page.getByRole("menuitem", { name: "Mute", exact: true }).tap();
  await sidebarLink(page, "green").getByRole("img", { name: "Muted" }).waitFor();
  // What is muted counts nowhere.
  await home.getByRole("img", { name: "mention" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).tap();
  await home.getByRole("img", { name: "1 mention" }).waitFor();
  await page.getByRole("button", { name: "Order of rooms" }).tap();
  await page.getByRole("menuitem", { name: "Mark all as read" }).tap();
  await home.getByRole("img").waitFor({ state: "detached" });
});

test("on a phone You is a screen with what the own row has elsewhere", async () => {
  const { page } = await open("/rooms/blue", PHONE);
  await page.getByRole("log").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "You" }).tap();
  const screen = page.getByRole("main");
  await screen.getByRole("heading", { name: "You" }).waitFor();
  const entries = screen.getByRole("button");
  // No shortcuts: there are no keys.
  expect(await entries.allInnerTexts()).toEqual(["Pause notifications", "Sign out"]);
  const offline = screen.getByRole("switch", { name: "Appear offline" });
  expect(await offline.isChecked()).toBe(false);
  for (const entry of await entries.all()) {
    expect((await entry.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await screen.getByRole("button", { name: "Pause notifications" }).tap();
  await page.getByRole("menuitem", { name: "Until tomorrow" }).tap();
  await screen.getByText("Paused until").waitFor();
  await screen.getByRole("button", { name: "Resume notifications" }).tap();
  await screen.getByText("@ada").waitFor();
  // An arrow leads back from each page of the profile.
  for (const part of ["Account", "Appearance", "Notifications", "Security"]) {
    await screen.getByRole("link", { name: part }).tap();
    await screen.getByRole("heading", { level: 1, name: part }).waitFor();
    await screen.getByRole("link", { name: "Back" }).tap();
    await page.waitForURL("**/you");
  }
});

test("what is unread out of sight is counted at the edges of the list, which lead to it", async () => {
  const cleo = await world.person("cleo");
  const rooms: string[] = [];
  for (let n = 10; n < 60; n++) rooms.push(await world.room(`room-${n}`, bob, [cleo]));
  const { page } = await signedInPage(browser, cleo, "/rooms/room-10");
  await page.locator("[data-id]").first().waitFor();
  await bob.say(rooms[45] as string, "news");
  const below = page.getByRole("button", { name: /^[12] (unread|mention)$/ });
  await below.getByText("1 unread").waitFor();
  expect((await below.boundingBox())?.y).toBeGreaterThan(WIDE.viewport.height / 2);
  await bob.say(rooms[48] as string, "news");
  await below.getByText("2 unread").waitFor();
  // A row of which the strip covers a part counts, too.
  const list = page.getByRole("navigation", { name: "Rooms" });
  const place = (offset: number) =>
    list.evaluate((list, offset) => {
      const row = list.querySelector('[href="/rooms/room-55"]')?.getBoundingClientRect();
      list.scrollBy(0, (row?.top ?? 0) + offset - list.getBoundingClientRect().bottom);
    }, offset);
  await place(45);
  await page.getByRole("link", { name: /^room-55/ }).waitFor();
  await below.getByText("2 unread").waitFor();
  await place(70);
  await below.getByText("1 unread").waitFor();
  await place(45);
  await below.getByText("2 unread").waitFor();
  await bob.say(rooms[48] as string, "@cleo look");
  await below.getByText("1 mention").waitFor();
  await below.click();
  const link = page.getByRole("link", { name: /^room-55/ });
  await below.waitFor({ state: "detached" });
  const box = await link.boundingBox();
  expect(box?.y).toBeLessThan(WIDE.viewport.height);
  // What fades out at the edges can be clicked.
  const atEdges = await list.evaluate((list) => {
    const { left, top, bottom } = list.getBoundingClientRect();
    return [top + 2, bottom - 2].map((y) => list.contains(document.elementFromPoint(left + 40, y)));
  });
  expect(atEdges).toEqual([true, true]);
  // At the end of the list nothing covers its last rows.
  await page
    .getByRole("navigation", { name: "Rooms" })
    .evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const last = page.getByRole("link", { name: "Browse rooms" });
  await last.click({ trial: true });
  await page.getByRole("navigation", { name: "Rooms" }).evaluate((list) => list.scrollTo(0, 0));
  await below.waitFor();
});

test("the own row opens a menu: notifications pause for a time, and the theme changes", async () => {
  const { page } = await open("/rooms/blue");
  const own = page.getByRole("button", { name: /^You,/ });
  const menu = page.getByRole("menu", { name: "Your menu" });
  const labels = () => menu.getByRole("menuitem").allInnerTexts();
  await page.getByRole("textbox", { name: "Message #blue" }).and(page.locator(":focus")).waitFor();
  await own.focus();
  await page.keyboard.press("Enter");
  await menu.waitFor();
  expect(await labels()).toEqual([
    "Pause notifications",
    "Appearance",
    "Your profile",
    "Keyboard shortcuts",
    "Sign out",
  ]);
  // Arrows lead into a submenu and back.
  await page.keyboard.press("ArrowRight");
  await menu.getByRole("menuitem", { name: "For an hour" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await menu.getByRole("menuitem", { name: "Your profile" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    "Pause notifications",
  );
  await page.keyboard.press("Enter");
  await menu.getByRole("menuitem", { name: "For an hour" }).press("Enter");
  await page.getByRole("button", { name: /^You,.*Paused until/ }).waitFor();
  await menu.waitFor({ state: "detached" });
  expect(await own.evaluate((row) => row === document.activeElement)).toBe(true);
  await own.click();
  await menu.getByRole("menuitem", { name: "Resume notifications" }).click();
  await page.getByRole("button", { name: /^You, online ada @ada$/ }).waitFor();
  await own.click();
  await menu.getByRole("menuitem", { name: "Appearance" }).click();
  await menu.getByRole("menuitemradio", { name: "Midnight" }).click();
  await page.locator('html[data-theme="midnight"]').waitFor();
  await own.click();
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  expect(await own.evaluate((row) => row === document.activeElement)).toBe(true);
});

test("threads with unread replies are below their room, until they are read", async () => {
  const dora = await world.person("dora");
  const [room = ""] = await Promise.all(
    ["plans", "quiet"].map((name) => world.room(name, bob, [dora])),
  );
  const roots: { id: string }[] = [];
  for (const name of ["One", "Two", "Three", "Four", "Five"]) {
    roots.push(await dora.say(room, `**${name}** thing that we should decide before the spring`));
  }
  const reply = (at: number) => bob.say(room, "I agree", { thread_id: roots[at]?.id });
  for (const at of roots.keys()) await reply(at);
  await dora.post("/api/rooms/read");
  const tab = await signedInPage(browser, dora, "/rooms/quiet");
  const { page } = tab;
  const threads = page.locator(`[data-id="${room}"]`).getByRole("list", { name: "Threads" });
  const links = threads.getByRole("link");
  const untilLinks = async (names: RegExp[]) => {
    for (const [at, wanted] of names.entries()) {
      await links
        .nth(at)
        .and(page.getByRole("link", { name: wanted }))
        .waitFor();
    }
    expect(await links.count()).toBe(names.length);
  };
  await untilLinks([/^Five thing.*1 new reply/, /^Four thing/, /^Three thing/, /^2 more threads/]);
  // Live, also where the first words are edited.
  await reply(0);
  await untilLinks([/^One thing.*2 new replies/, /^Five/, /^Four/, /^2 more threads/]);
  await dora.patch(`/api/messages/${roots[0]?.id}`, { content: "The *first* thing" });
  await untilLinks([/^The first thing.*2 new replies/, /^Five/, /^Four/, /^2 more threads/]);

  // Arrows go on from the room to its threads.
  await sidebarLink(page, "plans").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/rooms/plans/t/${roots[0]?.id}`);
  await page
    .getByRole("log", { name: "Replies in the thread" })
    .getByText("I agree")
    .last()
    .waitFor();
  // What is read stays in its place while it is open.
  await links
    .nth(0)
    .and(page.getByRole("link", { name: /^The first thing[^1-9]*$/ }))
    .waitFor();
  await page.goto(`${world.service.address}/rooms/quiet`);
  await untilLinks([/^Five/, /^Four/, /^Three/, /^1 more thread$/]);
  await links.last().click();
  await page.waitForURL("**/threads");
  await page.mouse.move(800, 400);

  // Elsewhere they are read, too; a muted room shows none.
  await dora.post("/api/threads/read");
  await threads.waitFor({ state: "detached" });
  await reply(1);
  await untilLinks([/^Two/]);
  await dora.patch(`/api/rooms/${room}/membership`, { notify: "none" });
  await threads.waitFor({ state: "detached" });
  await dora.patch(`/api/rooms/${room}/membership`, { notify: "all" });
  await untilLinks([/^Two/]);

  // The first visit of a device shows a room, and later ones Home.
  const phone = await signedInPage(browser, dora, "/rooms/quiet", PHONE);
  await phone.page.getByRole("link", { name: "Back" }).tap();
  const link = phone.page.getByRole("main").getByRole("link", { name: /^Two thing/ });
  await link.waitFor();
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await link.tap();
  await phone.page.waitForURL(`**/rooms/plans/t/${roots[1]?.id}`);
}, 240_000);
