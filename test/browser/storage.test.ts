import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  launchBrowser,
  messageRow,
  newPage,
  signedInPage,
  signIn,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let room: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob" });
  room = await world.room("fireside", ada, [bob]);
  await bob.say(room, "The kettle is on.");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What the browser's storage may do instead of its work, as a script before the page's own. */
const FAILURES = {
  "never answers": () => {
    const forever = () => new Promise(() => {});
    const silent = Object.assign(new EventTarget(), { readyState: "pending" });
    for (const name of ["get", "put", "delete"]) {
      Object.defineProperty(IDBObjectStore.prototype, name, { value: () => silent });
    }
    for (const name of ["match", "has", "open", "keys", "delete"]) {
      Object.defineProperty(CacheStorage.prototype, name, { value: forever });
    }
    Object.defineProperty(LockManager.prototype, "request", { value: forever });
    Object.defineProperty(ServiceWorkerContainer.prototype, "ready", { get: forever });
    Object.defineProperty(ServiceWorkerContainer.prototype, "register", { value: forever });
  },
  throws: () => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    Object.defineProperty(IDBFactory.prototype, "open", { value: refuse });
    for (const name of ["match", "has", "open", "keys", "delete"]) {
      Object.defineProperty(CacheStorage.prototype, name, { value: refuse });
    }
    Object.defineProperty(LockManager.prototype, "request", { value: refuse });
    Object.defineProperty(ServiceWorkerContainer.prototype, "register", { value: refuse });
  },
  "is full": () => {
    const full = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    IDBObjectStore.prototype.put = full;
    Cache.prototype.put = full;
    Cache.prototype.addAll = full;
    Storage.prototype.setItem = full;
  },
};

const open = (path: string, failure?: () => void) =>
  signedInPage(
    browser,
    ada,
    path,
    { ...WIDE, serviceWorkers: "allow" },
    (page) => failure && page.addInitScript(failure),
  );

describe.each(Object.entries(FAILURES))("a page whose storage %s", (what, failure) => {
  test("opens, reads and sends", async () => {
    const { page } = await open("/rooms/fireside", failure);
    await page.getByText("The kettle is on.").waitFor();
    await page.getByRole("textbox", { name: "Message #fireside" }).fill(`Storage: ${what}`);
    await page.keyboard.press("Enter");
    await messageRow(page, `Storage: ${what}`, "sent").waitFor();
    // The next load, and a screen that reads what other apps have shared.
    await page.reload();
    await page.getByText(`Storage: ${what}`).waitFor();
    await page.goto(`${world.service.address}/share`);
    await page.getByRole("heading", { name: "Nothing to share" }).waitFor();
  });
});

/** Before the script of the service worker: its cache does this once the page says so. */
const BREAK_CACHE = `
  let failure = null;
  const fail = { silence: () => new Promise(() => {}), fill: () => Promise.reject(new DOMException("", "QuotaExceededError")) };
  const broken = (owner, name, kinds) => {
    const { [name]: real } = owner;
    owner[name] = function (...args) {
      return kinds.includes(failure) ? fail[failure]() : real.apply(this, args);
    };
  };
  for (const name of ["match", "open", "has", "keys", "delete"]) broken(CacheStorage.prototype, name, ["silence"]);
  for (const name of ["put", "addAll"]) broken(Cache.prototype, name, ["fill"]);
  addEventListener("message", ({ data }) => { if (data in fail) failure = data; });
`;

describe("a page whose service worker has a cache that", () => {
  test.each([
    ["never answers", "silence"],
    ["is full", "fill"],
  ])("%s, opens and loads what it has not cached", async (_, failure) => {
    const { page, context } = await newPage(browser, {
      ...WIDE,
      serviceWorkers: "allow",
    });
    await signIn(context, ada);
    let isServed = false;
    await context.route("**/sw.js", async (route) => {
      const response = await route.fetch();
      isServed = true;
      await route.fulfill({ response, body: BREAK_CACHE + (await response.text()) });
    });
    await page.goto(`${world.service.address}/rooms/fireside`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(isServed).toBe(true);
    await page.evaluate((kind) => navigator.serviceWorker.controller?.postMessage(kind), failure);
    await page.reload();
    await page.getByText("The kettle is on.").waitFor();
    await page.goto(`${world.service.address}/profile/appearance`);
    await page.getByRole("heading", { name: "Appearance" }).waitFor();
  });
});
