import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser, newPage, WIDE } from "../support/browser.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(60_000);

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Opens the sign-in page in a browser that a script has changed before the page's own. */
async function open(script: string, locale = "en") {
  const opened = await newPage(browser, { ...WIDE, locale });
  await opened.page.addInitScript(script);
  await opened.page.goto(`${world.service.address}/signin`);
  return opened;
}

test.each([
  ["en", "delete Promise.withResolvers", "Snug needs a newer browser"],
  ["de", "delete Set.prototype.union", "Snug braucht einen neueren Browser"],
  ["es", "delete Map.groupBy", "Snug necesita un navegador más reciente"],
  ["en", "delete AbortSignal.any", "Snug needs a newer browser"],
])("in %s, after %s, the page says that it needs a newer browser", async (locale, script, text) => {
  const { page, context } = await open(script, locale);
  const alert = page.getByRole("alert");
  await alert.getByText(text).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await alert.isVisible()).toBe(true);
  expect(await page.locator("#app").textContent()).toBe("");
  await context.close();
});

test.each([
  ["en", "Snug needs cookies"],
  ["de", "Snug braucht Cookies"],
  ["es", "Snug necesita cookies"],
])("in %s, without cookies, the page says that it needs them", async (locale, text) => {
  const script = "Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })";
  const { page, context } = await open(script, locale);
  await page.getByRole("alert").getByText(text).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("button").count()).toBe(0);
  await context.close();
});

const blocked = (body: string) =>
  `for (const name of ["localStorage", "sessionStorage"])
     Object.defineProperty(window, name, { get() { ${body} } });`;
test.each([
  ["is null", blocked("return null")],
  ["throws", blocked("throw new DOMException('', 'SecurityError')")],
  [
    "is full",
    "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }",
  ],
  ["is there without URLPattern", "delete globalThis.URLPattern"],
])(
  "where the storage %s, the sign-in page is there, and one reads and writes",
  async (name, script) => {
    const login = name.replaceAll(" ", "-").slice(0, 12).toLowerCase();
    const person = await world.person(login, { displayName: "Ada" });
    const roomId = await world.room(`room-${login}`, person);
    await person.say(roomId, "Read this");
    const { page, context } = await open(script);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const [cookie = "", value = ""] = (person.cookie ?? "").split("=");
    await page.getByRole("button", { name: "Sign in" }).first().waitFor();
    await context.addCookies([{ name: cookie, value, url: world.service.address }]);
    await page.goto(`${world.service.address}/rooms/room-${login}`);
    await page.getByRole("log").getByText("Read this").waitFor();
    await page.locator(".composer textarea").fill("Written here");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Written here").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  },
);
