import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import {
  drawer,
  hasFocus,
  launchBrowser,
  newPage,
  type PageOptions,
  paneHead,
  PHONE,
  restLoaded,
  signedInPage,
  signIn,
  threadPane,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

/** From this many rooms and members on their lists have a filter. */
const ENOUGH = 12;
/** Where the sidebar is a drawer. */
const NARROW = { viewport: { width: 700, height: 800 } };

let world: World;
let browser: Browser;
let ada: Client;
let wide: Page;
let narrow: Page;
let phone: Page;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  const others = [await world.person("grace", { displayName: "Grace Hopper" })];
  for (let number = 2; number <= ENOUGH; number++) others.push(await world.person(`p${number}`));
  const general = await world.room("general", ada, others);
  for (let number = 1; number <= ENOUGH; number++) await world.room(`engine-${number}`, ada);
  const root = await ada.say(general, "The root");
  await ada.say(general, "A reply", { thread_id: root.id });
  await ada.put(`/api/messages/${root.id}/pin`, {});
  await ada.say(general, "The last");
  [wide, narrow, phone] = await Promise.all([open(WIDE), open(NARROW), open(PHONE)]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(options: PageOptions): Promise<Page> {
  const { page, context } = await newPage(browser, options);
  await signIn(context, ada);
  return page;
}

type Opened = {
  /** What is open, each above the one before. */
  layers: Locator[];
  /** Where the focus goes, if not to what had it before. */
  returns?: Locator;
};
/** Opens something; the last thing pressed has the focus before. */
type Open = (page: Page) => Promise<Opened>;

const composer = (page: Page) => page.getByRole("textbox", { name: "Message #general" });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const row = (page: Page, text: string) =>
  page.getByRole("log").locator("[data-message-id]", { hasText: text }).first();
const members = (page: Page) => page.getByRole("complementary", { name: "Members" });

/** Presses a button by key, so that it has the focus. */
async function press(button: Locator): Promise<void> {
  await button.focus();
  await button.press("Enter");
}

async function act(page: Page, text: string, tool: string): Promise<void> {
  await row(page, text).focus();
  await press(row(page, text).getByRole("button", { name: tool, exact: true }));
}

const door = (page: Page) => page.getByRole("heading", { level: 1 }).getByRole("button");

async function showMembersOnPhone(page: Page): Promise<void> {
  await press(door(page));
  await page.getByRole("tab", { name: "Members" }).click();
  await members(page).getByText("Ada Lovelace").waitFor();
}

async function showMembers(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Members \(/ });
  // They may be open already, and their code still on its way.
  if ((await button.getAttribute("aria-pressed")) !== "true") await press(button);
  await members(page).getByText("Ada Lovelace").waitFor();
  await members(page)
    .getByRole("heading", { name: /^Offline/ })
    .waitFor();
  const folded = members(page).getByRole("button", { name: /^Offline/, expanded: false });
  if ((await folded.count()) > 0) await press(folded);
}

/** Opens the thread, which then takes the focus into its field. */
async function openThread(page: Page): Promise<Locator> {
  await act(page, "The root", "Open the thread");
  const thread = threadPane(page);
  const field = thread.getByRole("textbox", { name: "Reply in the thread" });
  await hasFocus(field);
  return thread;
}

const ON_WIDE: Record<string, Open> = {
  async "the picker of the composer"(page) {
    await press(page.getByRole("button", { name: "Add an emoji" }));
    return { layers: [dialog(page, "Choose an emoji")], returns: composer(page) };
  },
  async "the picker of a message"(page) {
    await act(page, "The last", "React");
    return { layers: [dialog(page, "Choose an emoji")] };
  },
  async "the menu of a message"(page) {
    await act(page, "The last", "More actions");
    return { layers: [page.getByRole("menu")] };
  },
  async "the menu of a room"(page) {
    await press(page.getByRole("button", { name: "Notifications for this room" }));
    return { layers: [page.getByRole("menu")] };
  },
  async "the menu beside Send"(page) {
    await composer(page).fill("Later");
    await press(page.getByRole("button", { name: "At another time" }));
    return { layers: [page.getByRole("menu")] };
  },
  async "the time to send at"(page) {
    await composer(page).fill("Later");
    await press(page.getByRole("button", { name: "At another time" }));
    await page.getByRole("menuitem", { name: "Another time" }).press("Enter");
    return {
      layers: [dialog(page, "Send later")],
      returns: page.getByRole("button", { name: "At another time" }),
    };
  },
  async "the switcher"(page) {
    await composer(page).press("Control+k");
    return { layers: [dialog(page, "Go to")] };
  },
  async "a new message"(page) {
    await composer(page).press("Control+Shift+k");
    return { layers: [dialog(page, "New message")] };
  },
  async "a new room"(page) {
    await press(page.getByRole("button", { name: "Create a room" }));
    return { layers: [dialog(page, "Create a room")] };
  },
  async "the settings of a room"(page) {
    await press(page.getByRole("button", { name: "Room settings" }));
    return { layers: [page.getByRole("complementary", { name: "Settings" })] };
  },
  async "the members"(page) {
    await showMembers(page);
    return { layers: [members(page)], returns: page.getByRole("button", { name: /^Members \(/ }) };
  },
  async "a member to add"(page) {
    await showMembers(page);
    await press(members(page).getByRole("button", { name: "Add a member" }));
    return { layers: [members(page), dialog(page, "Add to #general")] };
  },
  async "the menu of a member"(page) {
    await showMembers(page);
    await press(members(page).getByRole("button", { name: "Actions for Grace Hopper" }));
    return { layers: [members(page), page.getByRole("menu")] };
  },
  async "the card of a member"(page) {
    await showMembers(page);
    await press(members(page).getByRole("button", { name: /^(online|offline) Grace Hopper/ }));
    return { layers: [members(page), dialog(page, "Grace Hopper")] };
  },
  async "the search"(page) {
    await composer(page).press("Control+Shift+f");
    return { layers: [page.getByRole("region", { name: "Search messages" })] };
  },
  async "the switcher above the search"(page) {
    await composer(page).press("Control+Shift+f");
    const search = page.getByRole("region", { name: "Search messages" });
    await search.getByRole("searchbox").press("Control+k");
    return { layers: [search, dialog(page, "Go to")] };
  },
  async "the pins"(page) {
    await press(page.getByRole("link", { name: "1 pin" }));
    return {
      layers: [page.getByRole("complementary", { name: "Pins" })],
    };
  },
  async "a thread"(page) {
    await act(page, "The root", "Open the thread");
    return { layers: [threadPane(page)], returns: row(page, "The root") };
  },
  async "the menu of a thread's message"(page) {
    const thread = await openThread(page);
    const reply = thread.locator("[data-message-id]", { hasText: "A reply" });
    await reply.focus();
    await press(reply.getByRole("button", { name: "More actions" }));
    return { layers: [thread, page.getByRole("menu")] };
  },
  async "the picker of a thread's message"(page) {
    const thread = await openThread(page);
    const reply = thread.locator("[data-message-id]", { hasText: "A reply" });
    await reply.focus();
    await press(reply.getByRole("button", { name: "React", exact: true }));
    return { layers: [thread, dialog(page, "Choose an emoji")] };
  },
  async "an edit in a thread"(page) {
    const thread = await openThread(page);
    const reply = thread.locator("[data-message-id]", { hasText: "A reply" });
    await reply.focus();
    await press(reply.getByRole("button", { name: "More actions" }));
    await page.getByRole("menuitem", { name: "Edit message" }).press("Enter");
    return {
      layers: [thread, thread.getByRole("textbox", { name: "Edit message" })],
      returns: thread.getByRole("textbox", { name: "Reply in the thread" }),
    };
  },
  async "a reminder"(page) {
    await act(page, "The last", "More actions");
    await page.getByRole("menuitem", { name: "Remind me" }).press("Enter");
    return {
      layers: [dialog(page, "Remind me")],
      returns: row(page, "The last"),
    };
  },
};

async function openDrawer(page: Page): Promise<void> {
  await press(paneHead(page).getByRole("button", { name: "Rooms" }));
  await drawer(page).waitFor();
}

const ON_NARROW: Record<string, Open> = {
  async "the drawer"(page) {
    await openDrawer(page);
    return { layers: [drawer(page)] };
  },
  async "a new room above the drawer"(page) {
    await openDrawer(page);
    await press(page.getByRole("button", { name: "Create a room" }));
    return { layers: [drawer(page), dialog(page, "Create a room")] };
  },
  async "the menu of a room in the drawer"(page) {
    await openDrawer(page);
    await page.getByRole("link", { name: "engine-1", exact: true }).press("Shift+F10");
    return { layers: [drawer(page), page.getByRole("menu")] };
  },
};

const ON_PHONE: Record<string, Open> = {
  async "the members"(page) {
    await showMembersOnPhone(page);
    return { layers: [members(page)], returns: door(page) };
  },
  async "a member to add"(page) {
    await showMembersOnPhone(page);
    await press(members(page).getByRole("button", { name: "Add a member" }));
    return { layers: [members(page), dialog(page, "Add to #general")] };
  },
};

const FIELDS = "input, textarea, select";

describe.each([
  ["wide", () => wide, ON_WIDE],
  ["on a narrow page", () => narrow, ON_NARROW],
  ["on a phone", () => phone, ON_PHONE],
] as const)("Esc closes what is on top, one at a time, %s:", (_, at, cases) => {
  const load = async () => {
    await at().goto(`${world.service.address}/rooms/general`);
    await at().getByText("The last").waitFor();
    await restLoaded(at());
  };
  beforeAll(load);
  // The filter of the members keeps what was typed into it.
  if (cases === ON_PHONE) beforeEach(load);

  test.each(Object.keys(cases))("%s", async (name) => {
    const page = at();
    const openIt = cases[name] as Open;
    for (let index = 0, count = 1; index < count; index++) {
      await walk(page, "/rooms/general");
      await composer(page).fill("");
      const { layers, returns } = await watchFocus(page, () => openIt(page));
      const top = layers.at(-1);
      if (!top) throw new Error(`${name} opens nothing`);
      // Its code may still be loading.
      await top.and(page.locator(":not([aria-busy=true])")).waitFor();
      const fields = top.locator(FIELDS).locator("visible=true");
      count = Math.max(1, await fields.count());
      if (await fields.count()) await focusField(fields.nth(index));
      await closeAll(page, layers, name, returns);
    }
  });
});

async function focusField(field: Locator): Promise<void> {
  await field.focus();
  const isSearch = await field.evaluate((element) => element.role === "searchbox");
  // One press closes it all the same.
  if (isSearch) await field.fill("a");
}

/** Presses Esc for each layer: it closes that, and no other. */
async function closeAll(page: Page, layers: Locator[], name: string, returns?: Locator) {
  for (let left = layers.length - 1; left >= 0; left--) {
    await page.keyboard.press("Escape");
    await layers[left]?.waitFor({ state: "hidden" });
    // What would close with it does so by now.
    await settle(page);
    for (const below of layers.slice(0, left)) {
      expect({ name, isOpen: await below.isVisible() }).toEqual({ name, isOpen: true });
    }
    if (left === layers.length - 1)
      expect({ name, focus: await focusAfter(page, returns) }).toEqual({ name, focus: "returned" });
  }
}

/** Remembers what has the focus when the last thing opens. */
async function watchFocus(page: Page, openIt: () => Promise<Opened>): Promise<Opened> {
  await page.evaluate(() => {
    const win = window as unknown as { before: Element | null; forget?: AbortController };
    win.forget?.abort();
    win.forget = new AbortController();
    const { signal } = win.forget;
    for (const type of ["keydown", "mousedown"]) {
      addEventListener(
        type,
        (event) => {
          if (!(event instanceof KeyboardEvent) || event.key !== "Escape")
            win.before = document.activeElement;
        },
        { capture: true, signal },
      );
    }
  });
  return openIt();
}

async function focusAfter(page: Page, returns?: Locator): Promise<string> {
  const wanted = await returns?.elementHandle();
  return page.evaluate((it) => {
    const { before } = window as unknown as { before: Element | null };
    const { activeElement: now } = document;
    if (now === (it ?? before)) return "returned";
    return `${now?.tagName}.${now?.className} ${now?.getAttribute("aria-label") ?? ""}, not ${(it ?? before)?.getAttribute("aria-label")}`;
  }, wanted ?? null);
}

/** Two frames and a timer: a close event, and what is rendered for it. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve));
  });

describe("where nothing is open around a filter, Esc empties it,", () => {
  test.each([
    ["of all rooms, for administrators", "/admin/rooms", "Search rooms"],
    ["of open rooms", "/browse", "Search rooms"],
    ["of people, for administrators", "/admin/people", "Name or email"],
  ])("%s", async (_, path, name) => {
    const { page } = await signedInPage(browser, ada, path);
    const field = page.getByRole("searchbox", { name });
    await field.fill("a");
    await field.press("Escape");
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "");
    expect(await field.inputValue()).toBe("");
    await field.fill("b");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "");
    expect(await page.getByRole("button", { name: "Clear" }).count()).toBe(0);
  });
});

test("a secret that was not copied stays with Esc, wherever the focus is, and asks", async () => {
  await wide.goto(`${world.service.address}/rooms/general`);
  await press(wide.getByRole("button", { name: "Room settings" }));
  await press(wide.locator("summary", { hasText: "Webhooks" }));
  await press(wide.getByRole("button", { name: "Create URL" }));
  const creating = dialog(wide, "New incoming webhook");
  await creating.getByLabel("Name", { exact: true }).fill("Build server");
  await press(creating.getByRole("button", { name: "Create URL" }));
  const secret = wide.getByLabel("URL", { exact: true });
  await secret.waitFor();
  await wide.evaluate(() => (document.activeElement as HTMLElement).blur());
  await wide.keyboard.press("Escape");
  await wide.getByRole("button", { name: "Close anyway" }).waitFor();
  await secret.press("Escape");
  await settle(wide);
  expect(await secret.isVisible()).toBe(true);
  await press(wide.getByRole("button", { name: "Close anyway" }));
  await secret.waitFor({ state: "detached" });
  expect(await wide.getByRole("complementary", { name: "Settings" }).isVisible()).toBe(true);
});

test("a thread closes with Esc while it and the rest of the code are loading", async () => {
  const page = await open(WIDE);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/rest-|\/api\/messages\/[^/]+\/thread/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const { body } = await ada.get("/api/threads?filter=following");
  const [{ root }] = body.items;
  await page.goto(`${world.service.address}/rooms/general/t/${root.id}`);
  await page.getByRole("textbox", { name: "Reply" }).press("Escape");
  await threadPane(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/rooms/general");
  gate.resolve();
});
