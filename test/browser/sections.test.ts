import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, sidebarLink, signedInPage, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/wait.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let direct: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  [ada, bob] = await Promise.all([world.person("ada"), world.person("bob")]);
  for (const name of ["blue", "green", "red", "zebra"]) {
    ids[name] = await world.room(name, bob, [ada]);
  }
  direct = (await ada.post("/api/direct", { user_ids: [bob.user.id] })).body.id;
  await bob.say(direct, "hello");
  await ada.post("/api/rooms/read");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options = WIDE) => signedInPage(browser, ada, path, options);

/** Direct messages are above the rooms. */
function inOrder(sections: Record<string, string[]>): Record<string, string[]> {
  const { "Direct messages": directs = [], ...others } = sections;
  const entries = Object.entries(others);
  const at = entries.findIndex(([name]) => name === "Rooms");
  return Object.fromEntries(entries.toSpliced(at, 0, ["Direct messages", directs]));
}

/** Waits until the sidebar has these sections, by name, with these rooms and people. */
async function untilShown(page: Page, sections: Record<string, string[]>): Promise<void> {
  await page.waitForFunction(
    (expected) => {
      const shown = [...document.querySelectorAll<HTMLElement>("[data-section]")].map((section) => [
        section.querySelector("h2 [dir=auto], h2 a")?.textContent,
        [...section.querySelectorAll("[data-id] a > [dir=auto]")].map((name) => name.textContent),
      ]);
      return JSON.stringify(Object.fromEntries(shown)) === expected;
    },
    JSON.stringify(inOrder(sections)),
  );
}

const section = (page: Page, name: string) =>
  page.locator("[data-section]", { has: page.getByRole("heading", { name }) });
/** A dialog returns the focus when it is closed. */
const untilClosed = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });
const menuOf = async (page: Page, name: string, action: string) => {
  await page.getByRole("button", { name: `Options for the section ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

test("the menu of the rooms has one left edge, and a line before each kind of action", async () => {
  await bob.say(ids.green as string, "news");
  const { page, context } = await open("/rooms/blue");
  await sidebarLink(page, "green").getByRole("img", { name: "unread" }).waitFor();
  await page.getByRole("button", { name: "Order of rooms" }).click();
  await page.getByRole("menuitem", { name: "Mark all as read" }).waitFor();
  const entries = await page
    .getByRole("menu")
    .locator("button")
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const range = document.createRange();
        range.selectNodeContents(button.lastChild as Node);
        const { left } = range.getBoundingClientRect();
        return { left, hasLine: getComputedStyle(button, "::before").borderTopWidth === "1px" };
      }),
    );
  expect(new Set(entries.map(({ left }) => left)).size).toBe(1);
  expect(entries.map(({ hasLine }) => hasLine)).toEqual([false, false, false, true, true]);
  await page.getByRole("menuitem", { name: "Mark all as read" }).click();
  await context.close();
});

test("sections are made and filled by menus, keys and dragging, on all devices at once", async () => {
  const { page } = await open("/rooms/blue");
  const other = await open("/rooms/blue");
  await page.getByRole("button", { name: "Order of rooms" }).click();
  await page.getByRole("menuitem", { name: "New section" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Projects");
  await page.keyboard.press("Enter");
  const rest = { "Direct messages": ["bob"] };
  await untilShown(other.page, {
    Projects: [],
    Rooms: ["blue", "green", "red", "zebra"],
    ...rest,
  });

  // By the keyboard alone: into this one, and into a new one.
  await sidebarLink(page, "red").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to section…" }).press("Enter");
  await page.getByLabel("Section", { exact: true }).selectOption({ label: "Projects" });
  await page.getByRole("button", { name: "Move", exact: true }).press("Enter");
  await untilClosed(page);
  await untilShown(page, { Projects: ["red"], Rooms: ["blue", "green", "zebra"], ...rest });
  await sidebarLink(page, "red").and(page.locator(":focus")).waitFor();
  await sidebarLink(page, "bob").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Move to section…" }).press("Enter");
  await page.getByLabel("Section", { exact: true }).selectOption({ label: "New section…" });
  await page.getByLabel("Name of the new section").fill("People");
  await page.keyboard.press("Enter");
  await untilClosed(page);
  const both = {
    Projects: ["red"],
    People: ["bob"],
    Rooms: ["blue", "green", "zebra"],
    "Direct messages": [],
  };
  await untilShown(page, both);
  await untilShown(other.page, both);

  // By dragging: beside another row, on an empty part, and out again.
  await sidebarLink(page, "blue").dragTo(sidebarLink(page, "red"), {
    targetPosition: { x: 20, y: 2 },
  });
  await sidebarLink(page, "bob").dragTo(sidebarLink(page, "red"), {
    targetPosition: { x: 20, y: 26 },
  });
  const dragged = {
    Projects: ["blue", "red", "bob"],
    People: [],
    Rooms: ["green", "zebra"],
    "Direct messages": [],
  };
  await untilShown(other.page, dragged);
  await sidebarLink(page, "red").focus();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await page.getByText("#red is now number 3 of 3").waitFor({ state: "attached" });
  await untilShown(other.page, { ...dragged, Projects: ["blue", "bob", "red"] });
  await sidebarLink(page, "blue").dragTo(section(page, "Rooms").getByRole("heading"));
  await sidebarLink(page, "bob").dragTo(section(page, "Direct messages").getByRole("heading"));
  const back = { Projects: ["red"], People: [], Rooms: ["blue", "green", "zebra"], ...rest };
  await untilShown(other.page, back);

  // Sections themselves are dragged by their heads, and moved with the same keys.
  const head = (name: string) => section(page, name).getByRole("heading");
  await head("People").dragTo(head("Projects"), { targetPosition: { x: 60, y: 2 } });
  const { Projects: ofProjects, People: ofPeople, ...below } = back;
  await untilShown(other.page, { People: ofPeople, Projects: ofProjects, ...below });
  await head("People").getByRole("button").focus();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await page.getByText("People is now number 2 of 2").waitFor({ state: "attached" });
  await untilShown(other.page, back);
  await menuOf(page, "People", "Move section up");
  await menuOf(page, "People", "Rename section");
  await page.getByRole("textbox", { name: "Name" }).fill("Friends");
  await page.keyboard.press("Enter");
  const { Projects, People: _, ...others } = back;
  await untilShown(other.page, { Friends: [], Projects, ...others });
  await page.reload();
  await untilShown(page, { Friends: [], Projects, ...others });
});

test("a collapsed section shows what is unread, and a deleted one comes back with its rooms", async () => {
  const { version } = (await ada.get("/api/auth/me/sections")).body;
  const room_ids = [ids.red, ids.zebra, direct];
  const sections = [
    { id: crypto.randomUUID(), name: "Projects", is_collapsed: false, room_ids },
    { id: crypto.randomUUID(), name: "Later", is_collapsed: false, room_ids: [ids.green] },
  ];
  await ada.put("/api/auth/me/sections", { base_version: version, sections });
  const { page } = await open("/rooms/blue");
  const rest = { Later: ["green"], Rooms: ["blue"], "Direct messages": [] };
  await untilShown(page, { Projects: ["red", "zebra", "bob"], ...rest });
  await page.getByRole("button", { name: "Projects 3" }).click();
  await untilShown(page, { Projects: [], ...rest });
  await bob.say(ids.zebra as string, "news");
  await bob.say(direct, "more news");
  await untilShown(page, { Projects: ["zebra", "bob"], ...rest });
  const saved = async () => (await ada.get("/api/auth/me/sections")).body.sections;
  await eventually(async () => (await saved())[0].is_collapsed);

  await menuOf(page, "Projects", "Delete section");
  await untilShown(page, {
    Later: ["green"],
    Rooms: ["blue", "red", "zebra"],
    "Direct messages": ["bob"],
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await untilShown(page, { Projects: ["zebra", "bob"], ...rest });
  await eventually(async () => Bun.deepEquals((await saved())[0].room_ids, room_ids));

  // A favourite is among the favourites, and moving it into a section ends that.
  await sidebarLink(page, "green").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Add to favourites" }).press("Enter");
  await page.locator('[data-section="favourites"]').waitFor();
  await sidebarLink(page, "green").dragTo(section(page, "Later").getByRole("heading"));
  await untilShown(page, { Projects: ["zebra", "bob"], ...rest });
});

test("administrators define the sections with which new accounts start", async () => {
  const admin = await world.person("root", { isSiteAdmin: true });
  const { page } = await signedInPage(browser, admin, "/admin/sections");
  const saved = async () => (await admin.get("/api/admin/settings/sections")).body;
  const add = async (title: string, ...rooms: string[]) => {
    await page.getByRole("button", { name: "Add a section" }).click();
    const fields = page.locator("fieldset").last();
    await fields.getByLabel("Name").fill(title);
    for (const room of rooms) {
      await fields.getByLabel("Add a room").selectOption({ label: `#${room}` });
      await fields.getByRole("button", { name: `Remove #${room}` }).waitFor();
    }
  };
  await page.getByText("New accounts start without sections.").waitFor();
  await add("Projects", "red", "blue");
  await add("Rest");
  await page.getByRole("button", { name: "Move Rest up" }).click();
  await page.getByRole("button", { name: "Remove #red" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Sections saved for new accounts").waitFor();
  const { version, sections } = await saved();
  expect(sections).toMatchObject([
    { name: "Rest", room_ids: [] },
    { name: "Projects", room_ids: [ids.blue] },
  ]);
  // What another administrator has saved meanwhile is shown, and not overwritten.
  const others = [{ ...sections[0], name: "Others" }];
  await admin.put("/api/admin/settings/sections", { base_version: version, sections: others });
  await page.getByRole("button", { name: "Delete Rest" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The sections have been changed meanwhile").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("Others");
  expect((await saved()).sections).toEqual(others);
  await page.getByRole("button", { name: "Delete Others" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("New accounts start without sections.").waitFor();
  await eventually(async () => (await saved()).sections.length === 0);
  // The browser logs the refusal, which is expected.
});
