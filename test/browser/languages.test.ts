import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { Language } from "../../public/app/words/language.ts";
import {
  allLoaded,
  launchBrowser,
  newPage,
  PHONE,
  signIn,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { findEnglishTexts } from "../words/english-texts.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

/** Messages are not translated, so they are not in the catalogue. */
const FULL_NAME = "Ágnes Őri";

/** The main screens, and what is there once one is drawn. */
const SCREENS = [
  ["/rooms/raum", "[data-message-id]"],
  ["/rooms/raum?panel=about", "aside dl"],
  ["/rooms/raum?panel=files", "aside div h2"],
  ["/browse", "main ul"],
  ["/nirgends", "main h2 + p"],
  ["/rooms/nirgends", "main h2 + p"],
  ...["account", "appearance", "notifications", "security"].map((part) => [
    `/profile/${part}`,
    "dialog section, main section section",
  ]),
  ...["people", "rooms", "invites", "bots", "webhooks", "uploads", "email", "jobs", "audit"].map(
    (part) => [`/admin/${part}`, "main nav + div h2, main header + div h2"],
  ),
] as [path: string, drawn: string][];

let world: World;
let browser: Browser;
let agnes: Client;
let sentAt: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  agnes = await world.person("agnes", { isSiteAdmin: true, displayName: FULL_NAME });
  const roomId = await world.room("raum", agnes, [], "open");
  const { body } = await agnes.post(`/api/rooms/${roomId}/messages`, { content: "@agnes" });
  sentAt = body.created_at;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Goes there, and comes back when all that is asked for has been drawn. */
async function show(page: Page, [path, drawn]: [string, string]): Promise<void> {
  if (page.url() === "about:blank") await page.goto(world.service.address + path);
  else await walk(page, path);
  await page.locator(drawn).first().waitFor({ state: "attached" });
  await allLoaded(page);
}

/** All texts that are shown, read aloud or in a tooltip. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement?.closest("script, noscript"))
        texts.push(walker.currentNode.textContent ?? "");
    }
    for (const element of document.querySelectorAll("*")) {
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        texts.push(element.getAttribute(name) ?? "");
    }
    return texts.map((text) => text.trim()).filter((text) => text !== "");
  });
}

async function expectNoEnglish(page: Page, spoken: Language): Promise<void> {
  const texts = await textsOf(page);
  expect(texts.length).toBeGreaterThan(3);
  expect([page.url(), ...(await findEnglishTexts(texts, spoken))]).toEqual([page.url()]);
}

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

test("a German browser shows German from the first paint", async () => {
  const { page } = await newPage(browser, { ...WIDE, locale: "de-DE" });
  const entry = /src="(\/assets\/[^"]+\.js)"/.exec(
    await (await fetch(world.service.address)).text(),
  );
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    if (
      !route
        .request()
        .url()
        .endsWith(entry?.[1] ?? "")
    ) {
      ask();
      await held;
    }
    await route.continue();
  });
  await page.goto(world.service.address);
  await asked;
  expect(await page.locator("#app").evaluate((app) => app.childNodes.length)).toBe(0);
  letGo();
  await page.getByRole("heading", { name: "Anmelden" }).waitFor();
  expect(await languageOf(page)).toBe("de");
  await expectNoEnglish(page, "de");
  await page.getByLabel("Benutzername oder E-Mail").fill("agnes");
  await page.getByLabel("Passwort").fill("a wrong one");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByText("Benutzername oder Passwort ist falsch.").waitFor();
});

test("the way to a new password covers no label, however long the words are", async () => {
  const { page } = await newPage(browser, {
    viewport: { width: 320, height: 640 },
    locale: "es-ES",
  });
  await page.goto(world.service.address);
  const link = page.getByRole("link", { name: "¿Olvidaste" });
  await link.waitFor();
  const boxOf = (locator: Locator) => locator.evaluate((e) => e.getBoundingClientRect().toJSON());
  const label = await boxOf(page.locator("label", { hasText: "Contraseña" }));
  const box = await boxOf(link);
  expect(box.height).toBeGreaterThanOrEqual(24);
  const isBeside = label.right <= box.left || box.right <= label.left;
  expect(isBeside || label.bottom <= box.top || box.bottom <= label.top).toBe(true);
});

test.each([
  ["de", "de-DE"],
  ["es", "es-ES"],
] as const)("no English is left on the screens in %s, and dates follow", async (spoken, locale) => {
  const { page, context } = await newPage(browser, { ...WIDE, locale });
  const phone = await newPage(browser, { ...PHONE, locale });
  await Promise.all([signIn(context, agnes), signIn(phone.context, agnes)]);
  for (const screen of SCREENS) {
    await Promise.all([show(page, screen), show(phone.page, screen)]);
    await expectNoEnglish(page, spoken);
    await expectNoEnglish(phone.page, spoken);
    await phone.page.screenshot({ path: shotOf(spoken, screen[0], "phone") });
    await page.screenshot({ path: shotOf(spoken, screen[0], "wide") });
  }
  await show(page, ["/rooms/raum", "[data-message-id]"]);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
  const shown = await page.locator("[data-message-id] time").first().getAttribute("data-tooltip");
  expect(shown).toBe(format.format(new Date(sentAt)));
});

test("no English is left in the dialogs either", async () => {
  const { page, context } = await newPage(browser, { ...WIDE, locale: "de-DE" });
  await signIn(context, agnes);
  const look = async (name: string) => {
    await allLoaded(page);
    await expectNoEnglish(page, "de");
    await page.screenshot({ path: shotOf("de", `/dialog/${name}`, "wide") });
  };
  const press = (name: string | RegExp) => page.getByRole("button", { name }).last().click();
  const isThere = (name: string) => page.getByRole("heading", { name }).last().waitFor();

  await show(page, ["/rooms/raum?panel=members", "[data-message-id]"]);
  await page.getByRole("complementary", { name: "Mitglieder" }).getByText(FULL_NAME).waitFor();
  await page.locator("[data-message-id]").first().hover();
  await look("room");
  await press("Reagieren");
  await page.getByText("Smileys und Gefühle").waitFor();
  expect(await page.getByRole("dialog", { name: "Emoji wählen" }).count()).toBe(1);
  await page.keyboard.press("Escape");
  await press("Raum erstellen");
  await isThere("Raum erstellen");
  await look("create-room");
  await press("Abbrechen");
  await page.keyboard.press("Control+k");
  await isThere("Gehe zu");
  await page.getByLabel("Raum, Person oder Aktion").fill("Tast");
  await page.getByRole("option", { name: "Tastenkürzel" }).waitFor();
  await look("switcher");
  await page.keyboard.press("Enter");
  await isThere("Tastenkürzel");
  await look("shortcuts");
  await page.keyboard.press("Escape");
  const members = page.getByRole("complementary", { name: "Mitglieder" });
  // The dot on the picture is read aloud before the name.
  await members.getByRole("button", { name: `online ${FULL_NAME}`, exact: true }).click();
  await page.getByRole("dialog", { name: FULL_NAME }).waitFor();
  await look("person");
  await page.keyboard.press("Escape");
  await press("Mitglied hinzufügen");
  await isThere("Zu #raum hinzufügen");
  await look("add-member");
  await page.keyboard.press("Escape");
  await press("Benachrichtigungen für diesen Raum");
  await page.getByRole("menuitemradio", { name: "Nur Erwähnungen" }).waitFor();
  await look("notify");
  await page.keyboard.press("Escape");
  await press("Raumeinstellungen");
  await page.getByText("Webhooks", { exact: true }).click();
  await isThere("Ausgehende Webhooks");
  await isThere("Eingehende Webhooks");
  await look("settings");
  await press("URL erzeugen");
  await isThere("Neuer eingehender Webhook");
  await look("incoming");
  await page.keyboard.press("Escape");
  await press("Webhook hinzufügen");
  await isThere("Webhook hinzufügen");
  await look("outgoing");
  await page.keyboard.press("Escape");
  await press("Raum löschen");
  await isThere("#raum löschen?");
  await look("delete-room");

  await show(page, ["/profile/appearance", "dialog nav + div section"]);
  await press("Neues Schema");
  await isThere("Neues Schema");
  await page.getByLabel("Gedämpfter Text").fill("#c9bfb4");
  await page.getByText(/^Gedämpfter Text auf Hintergrund: 1,\d zu 1$/).waitFor();
  await look("theme");

  await show(page, ["/admin/bots", "main nav + div h2, main header + div h2"]);
  await page.getByLabel("Benutzername des neuen Bots").fill("glocke");
  await press("Bot erstellen");
  await page.getByRole("heading", { name: "Tokens" }).waitFor();
  await page.getByText("So wird er benutzt").click();
  await look("bot");
});

const shotOf = (spoken: string, path: string, size: string) =>
  join(SHOTS, `${spoken}${path.replaceAll("/", "-")}-${size}.png`);

test("Spanish is chosen, shown at once in every tab, kept after a reload, and reset", async () => {
  const { page, context } = await newPage(browser, WIDE);
  await signIn(context, agnes);
  const other = await context.newPage();
  await show(other, ["/rooms/raum", "[data-message-id]"]);
  await show(page, ["/profile/appearance", "dialog nav + div section"]);
  // What looks for English finds it where it is.
  expect((await findEnglishTexts(await textsOf(page), "es")).length).toBeGreaterThan(10);
  await page.getByLabel("Language").selectOption("Español");
  await page.getByRole("heading", { name: "Apariencia" }).waitFor();
  await expectNoEnglish(page, "es");
  await other.getByRole("button", { name: "Ajustes de la sala" }).waitFor();
  await expectNoEnglish(other, "es");
  await page.reload();
  await page.getByRole("heading", { name: "Apariencia" }).waitFor();
  expect(await languageOf(page)).toBe("es");

  await page.getByLabel("Idioma").selectOption({ value: "" });
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
  expect(await languageOf(page)).toBe("en");
});

test("English is shown if the words of another language cannot be loaded", async () => {
  const { page } = await newPage(browser, { ...WIDE, locale: "de-DE" });
  await page.route("**/assets/*.js", async (route) => {
    const answer = await route.fetch();
    // A file of German words; the screens themselves come.
    return /Anmelden|Schließen/.test(await answer.text()) ? route.abort() : route.continue();
  });
  await page.goto(world.service.address);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await languageOf(page)).toBe("en");
  // A file that is loaded meanwhile is still answered.
  await page.unrouteAll({ behavior: "wait" });
});
