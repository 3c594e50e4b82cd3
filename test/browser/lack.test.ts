import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "acorn";
import type { Browser, Route } from "playwright-core";
import { launchBrowser, newPage, signIn, WIDE } from "../support/browser.ts";
import { allowComplaints } from "../support/complaints.ts";
import { World } from "../support/world.ts";

setDefaultTimeout(120_000);

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
  allowComplaints(/is not a function/);
  const { page } = await open(script, locale);
  const alert = page.getByRole("alert");
  await alert.getByText(text).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await alert.isVisible()).toBe(true);
  expect(await page.locator("#app").textContent()).toBe("");
});

test.each([
  ["en", "Snug needs cookies"],
  ["de", "Snug braucht Cookies"],
  ["es", "Snug necesita cookies"],
])("in %s, without cookies, the page says that it needs them", async (locale, text) => {
  const script = "Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })";
  const { page } = await open(script, locale);
  await page.getByRole("alert").getByText(text).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("button").count()).toBe(0);
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
    await page.getByRole("button", { name: "Sign in" }).first().waitFor();
    await signIn(context, person);
    await page.goto(`${world.service.address}/rooms/room-${login}`);
    await page.getByRole("log").getByText("Read this").waitFor();
    await page.getByRole("textbox", { name: /^Message / }).fill("Written here");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Written here").waitFor();
    expect(errors).toEqual([]);
  },
);

test.each([
  ["does not load", (route: Route) => route.abort()],
  [
    "does not parse",
    (route: Route) => route.fulfill({ body: "let let = ;", contentType: "text/javascript" }),
  ],
])("where the client's script %s, the page says so", async (_, answer) => {
  allowComplaints(/SyntaxError/);
  const { page } = await newPage(browser, { ...WIDE, locale: "de" });
  await page.route("**/assets/*.js", answer);
  await page.goto(`${world.service.address}/signin`);
  await page.getByRole("alert").getByText("Snug wurde nicht geladen").waitFor();
});

test("the sentence is in the language that was chosen here, without scripts in all", async () => {
  const { page, context } = await open(
    "localStorage.setItem('snug.language', 'es'); delete Map.groupBy",
  );
  await page.getByRole("alert").getByText("Snug necesita un navegador más reciente").waitFor();
  await context.close();
  const plain = await newPage(browser, { ...WIDE, javaScriptEnabled: false });
  await plain.page.goto(`${world.service.address}/signin`);
  // Playwright does not see elements of a page without scripts as the reader does.
  expect(await plain.page.locator("noscript p").allInnerTexts()).toHaveLength(3);
});

test("the script that says it runs in browsers of ECMAScript 5", async () => {
  const page = await (await fetch(`${world.service.address}/signin`)).text();
  const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
  expect(script).toContain("Firefox 128");
  expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow();
});
