import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  launchBrowser,
  newPage,
  PHONE,
  settle,
  signedInPage,
  signIn,
  walk,
  watchRequests,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let ada: Client;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace", isSiteAdmin: true });
  await world.room("engines", ada);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const SCREENS = [
  "/rooms/engines",
  "/rooms/engines?panel=pins",
  "/rooms/engines?q=engine",
  "/rooms/gone",
  "/activity",
  "/threads",
  "/later",
  "/drafts",
  "/direct",
  "/browse",
  "/search",
  "/share",
  ...["account", "appearance", "notifications", "security"].map((part) => `/profile/${part}`),
  ...["setup", "overview", "team", "people", "rooms", "invites", "bots"].map(
    (it) => `/admin/${it}`,
  ),
  ...["webhooks", "uploads", "signin", "email", "jobs", "audit"].map((it) => `/admin/${it}`),
];

test("a page of a list that did not load is requested again by the button alone", async () => {
  const { page, context } = await newPage(browser, WIDE);
  await signIn(context, ada);
  let requests = 0;
  await page.route("**/api/rooms/browse?*", async (route) => {
    if (new URL(route.request().url()).searchParams.has("cursor")) {
      requests++;
      return route.fulfill({ status: 500, json: {} });
    }
    const answer = await route.fetch();
    return route.fulfill({ json: { ...(await answer.json()), next: "more" } });
  });
  await page.goto(`${world.service.address}/browse`);
  await page.getByRole("alert").waitFor();
  // Painted twice: the end of the list has been reported as seen.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.getByRole("alert").waitFor();
  expect(requests).toBe(1);
  await Promise.all([
    page.waitForResponse(/cursor=/),
    page.getByRole("button", { name: "Try again" }).click(),
  ]);
  expect(requests).toBe(2);
});

test("a list that fails to load says so, also after one that was empty", async () => {
  const { page } = await signedInPage(browser, ada, "/browse");
  const field = page.getByLabel("Search rooms");
  await field.fill("zzzz");
  await page.getByText("No rooms match").waitFor();
  await page.route("**/api/rooms/browse?*", (route) => route.abort());
  await field.fill("engines");
  await page.getByRole("alert").getByText("Can't reach Snug.").waitFor();
  expect(await page.getByText("No rooms match").count()).toBe(0);
  await walk(page, "/later");
  await page.getByRole("heading", { name: "Nothing saved" }).waitFor();
  await page.route("**/api/saved?*", (route) => route.abort());
  await page.getByRole("link", { name: "Done" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("Can't reach Snug.").waitFor();
  expect(await page.getByText("Nothing done yet").count()).toBe(0);
  await page.unroute("**/api/saved?*");
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Nothing done yet").waitFor();
  const heading = page.getByRole("main").getByRole("heading", { level: 1 });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
});

describe("a request without a response leaves no unhandled rejection", () => {
  test.each([
    ["of the API", "**/api/**", WIDE],
    ["of the API or of code, on a phone", /\/(?:api\/|assets\/|chunks\.json)/, PHONE],
  ])("%s, on any screen", async (_, requests, options) => {
    const { page, context } = await newPage(browser, options);
    const underWay = watchRequests(page);
    await signIn(context, ada);
    await page.goto(`${world.service.address}/rooms/engines`);
    await page.getByRole("textbox", { name: "Message #engines" }).waitFor();
    const aborted = new Set<string>();
    await page.route(requests, (route) => {
      aborted.add(new URL(route.request().url()).pathname);
      return route.abort();
    });
    for (const path of SCREENS) {
      await walk(page, path);
      await settle(page, underWay);
    }
    // Each of these screens requests its list when it is opened, if its code has loaded.
    if (typeof requests === "string") {
      expect(aborted.size).toBeGreaterThan(10);
      const lists = ["activity", "saved", "direct", "admin/overview", "admin/jobs"];
      expect([...aborted]).toEqual(expect.arrayContaining(lists.map((it) => `/api/${it}`)));
    }
    expect(aborted.size).toBeGreaterThan(6);
  });

  test("on the sign-in page, and when it is left", async () => {
    const { page } = await newPage(browser);
    const underWay = watchRequests(page);
    await page.route("**/api/auth/passkey/options", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (it) => it.url().endsWith("/options"));
    // Passkeys work at a name only.
    await page.goto(`${world.service.address.replace("127.0.0.1", "localhost")}/signin`);
    await failed;
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await settle(page, underWay);
  });
});
