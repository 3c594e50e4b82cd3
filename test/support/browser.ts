import { existsSync } from "node:fs";
import chromiumFromNpm from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { afterThisTest } from "./after-test.ts";
import type { Client } from "./client.ts";
import { expectNoComplaints, recordComplaint } from "./complaints.ts";
import { DISK } from "./memory.ts";
import { eventually } from "./wait.ts";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page lives for seconds: code that is compiled to run fast for long costs a quarter of its CPU.
  "--js-flags=--no-maglev --no-turbofan",
];
/** The system's browser where there is one, else the one that comes from npm. */
const SYSTEM = ["/usr/bin/chromium", "/usr/bin/google-chrome"];

/** Of this process: the files that it runs one after the other use one browser. */
let shared: Promise<Browser> | undefined;

/**
 * A browser whose contexts are this file's alone. Those that a test opens are closed after it, the others
 * when this is closed.
 * @param more further flags of Chromium, for one that nobody shares
 */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  if (more.length > 0) return launch(more);
  shared ??= launch([]);
  const browser = await shared;
  const contexts = new Set<BrowserContext>();
  return Object.assign(Object.create(browser) as Browser, {
    async newContext(options?: Parameters<Browser["newContext"]>[0]) {
      const context = await browser.newContext(options);
      const close = context.close.bind(context);
      context.close = async (reason) => {
        contexts.delete(context);
        await endRoutes(context);
        await close(reason);
      };
      contexts.add(context);
      afterThisTest(() => context.close());
      recordComplaints(context);
      return context;
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
      expectNoComplaints();
    },
  });
}

/** Requests that a test's routes still answer go on without them: an error would count against another test. */
async function endRoutes(context: BrowserContext): Promise<void> {
  const owners = [...context.pages(), context];
  await Promise.all(owners.map((owner) => owner.unrouteAll({ behavior: "ignoreErrors" }))).catch(
    () => {},
  );
}

async function launch(more: string[]): Promise<Browser> {
  const system = SYSTEM.find((path) => existsSync(path));
  const executablePath = system ?? (await unpack());
  return chromium.launch({ executablePath, args: [...ARGS, ...more], headless: true });
}

/** Where the browser of the last run is. In memory it would be unpacked for each run. */
async function unpack(): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = DISK;
  try {
    return await chromiumFromNpm.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

export const WIDE = { viewport: { width: 1280, height: 800 } };
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** Every response of 400 and up, expected ones too, those to a socket as well, and sockets without a network. */
const LOGGED_BY_BROWSER =
  /^Failed to load resource|^WebSocket connection to .*(net::ERR_|Unexpected response code|HTTP Authentication failed)/;

/** Of all pages of a context, also those that a page opens. */
function recordComplaints(context: BrowserContext): void {
  context.on("weberror", (error) => recordComplaint(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error" && !LOGGED_BY_BROWSER.test(message.text())) {
      recordComplaint(message.text());
    }
  });
}

/** Pictures are for people: they are taken where someone wants to look, since each takes its time. */
const TAKES_PICTURES = process.env.PICTURES === "1";

export type PageOptions = Parameters<Browser["newContext"]>[0];
type Caller = Pick<Client, "base" | "cookie">;

/** A separate browser: cookies and storage are not shared. */
export async function newPage(
  browser: Browser,
  options: PageOptions = WIDE,
): Promise<{ page: Page; context: BrowserContext }> {
  // A worker is part of what a test is about, or it only gets between: it says so.
  const context = await browser.newContext({
    locale: "en-GB",
    serviceWorkers: "block",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  if (!TAKES_PICTURES) page.screenshot = async () => Buffer.alloc(0);
  return { page, context };
}

/** Signs all pages of a context in. */
export async function signIn(context: BrowserContext, { base, cookie }: Caller): Promise<void> {
  const [name = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await context.addCookies([{ name, value, url: base }]);
}

/**
 * A page of someone in a browser of their own, at this path.
 * @param prepare does something to the page before it goes there
 */
export async function signedInPage(
  browser: Browser,
  client: Caller,
  path: string,
  options?: PageOptions,
  prepare?: (page: Page) => unknown,
): Promise<{ page: Page; context: BrowserContext }> {
  const opened = await newPage(browser, options);
  await signIn(opened.context, client);
  await prepare?.(opened.page);
  await opened.page.goto(client.base + path);
  return opened;
}

/**
 * Waits for the code that the first screen does not need (`public/app/rest.ts`): menus of a right
 * click, gestures, sounds and announcements. Before it is loaded, these events do nothing.
 */
export async function restLoaded(page: Page): Promise<void> {
  await announcer(page).waitFor({ state: "attached" });
}

/** Chooses an entry of the menu of the reader's own row. */
export async function chooseOwn(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: /^You,/ }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** The rows of messages with this text. An item of a list that someone wrote is no row: it has no state. */
export function messageRow(
  within: Page | Locator,
  text: string | RegExp,
  state?: "sent" | "pending",
): Locator {
  const rows = within.locator(state ? `[data-state="${state}"]` : "[data-state]");
  return within.getByRole("listitem").and(rows).filter({ hasText: text });
}

/** A row of the sidebar, whose name also says who is online and what is new. */
export const sidebarLink = (page: Page, name: string): Locator =>
  page
    .getByRole("navigation", { name: "Rooms" })
    .getByRole("link", { name: new RegExp(`(?:^| )${name}(?: |$)`) });

/** The text of a message, without what is around it. */
export const messageText = (row: Locator): Locator => row.locator('div[dir="auto"]');

/** The "New" line above the first unread message. */
export const newLine = (within: Page | Locator): Locator =>
  within.getByRole("separator", { name: "New", exact: true });

/** The first message below the "New" line. */
export const firstNew = (page: Page): Locator =>
  page
    .getByRole("listitem")
    .filter({ has: newLine(page) })
    .locator("+ [data-state]");

/** Those that are shown: what is folded is one button. */
export const toasts = (page: Page, text?: string): Locator =>
  page
    .getByRole("status")
    .locator("div")
    .filter({ has: page.getByRole("button"), hasText: text });

/** What speaks of new messages. It has a paragraph as long as it is there. */
export const announcer = (page: Page): Locator =>
  page.getByRole("status").filter({ has: page.locator("p[dir]") });

/** The header of the screen beside the sidebar. */
export const paneHead = (page: Page): Locator => page.getByRole("main").locator("header");

/** The frame of the message box, with its buttons. */
export const composerBox = (page: Page): Locator =>
  page.locator("form > div").filter({ has: page.getByRole("button", { name: "Send" }) });

/** The drawer of a narrow page, while it is open. */
export const drawer = (page: Page): Locator =>
  page.getByRole("complementary", { name: "Rooms" }).and(page.locator(":not([inert])"));

/** Waits until an element has the focus. */
export const hasFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(":focus")).waitFor({ state: "attached" });

/** Matches what is still loading. */
const LOADING = '[aria-busy="true"], [role="status"][aria-label]';

/** Waits until nothing on the page is loading. */
export const allLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction((loading) => !document.querySelector(loading), LOADING);

export const threadPane = (page: Page): Locator =>
  page.getByRole("region", { name: "Thread", exact: true });

/** Runs an action of a message: one of the menu of its toolbar. */
export async function act(row: Locator, action: string): Promise<void> {
  await row.hover();
  await row.getByRole("button", { name: "More actions" }).click();
  await row.getByRole("menuitem", { name: action }).click();
}

/**
 * Goes to another address inside the app, as the browser's own buttons do, without loading the page
 * again; comes back when that has been drawn. What it loads by itself may still be under way.
 */
export function walk(page: Page, path: string): Promise<void> {
  return page.evaluate(async (to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
    for (let frames = 0; frames < 2; frames += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, path);
}

/** Waits until the page makes no request, and has handled the end of the last one. */
export async function settle(page: Page, underWay: Set<Request>): Promise<void> {
  await eventually(async () => {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return underWay.size === 0;
  });
}

export function watchRequests(page: Page): Set<Request> {
  const underWay = new Set<Request>();
  page.on("request", (request) => underWay.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => underWay.delete(request));
  }
  return underWay;
}

/** What the page has stored for its next load, as JSON; null if there is nothing. */
export function readSnapshot(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    // To open a database that does not exist would make it, empty.
    if ((await indexedDB.databases()).length === 0) return null;
    const opening = indexedDB.open("keyval-store");
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    // A reader waits for the writers before it.
    const reading = opening.result.transaction("keyval").objectStore("keyval").get("snapshot");
    await new Promise((resolve) => reading.addEventListener("success", resolve));
    opening.result.close();
    return reading.result ? JSON.stringify(reading.result) : null;
  });
}

/** Whether the first and the last letter of a text are shown in the line that cuts it off. */
export function readCut(text: Locator): Promise<{ showsFirst: boolean; showsLast: boolean }> {
  return text.evaluate((element) => {
    let frame: Element | null = element;
    while (frame && getComputedStyle(frame).textOverflow !== "ellipsis")
      frame = frame.parentElement;
    const line = (frame ?? element).getBoundingClientRect();
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const isShown = (start: number) => {
      const letter = document.createRange();
      letter.setStart(node, start);
      letter.setEnd(node, start + 1);
      const { left, right } = letter.getBoundingClientRect();
      return left >= line.left - 1 && right <= line.right + 1;
    };
    return { showsFirst: isShown(0), showsLast: isShown(node.length - 1) };
  });
}
