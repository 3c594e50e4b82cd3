import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, newPage, PHONE, readSnapshot, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { quarters } from "../support/images.ts";
import { eventually } from "../support/wait.ts";
import { PASSWORD, World } from "../support/world.ts";

const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

let world: World;
let browser: Browser;
let address: string;
let image: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  address = world.service.address;
  await world.person("mallory", { displayName: "Mallory" });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What is in each thing that is stored, so that it can be looked for. */
const WORD = /zanzibar/i;

/** Everything that pages of this browser can read, as texts. */
function dumpStorage(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const matches = [localStorage, sessionStorage].flatMap((item) =>
      Object.entries(item).map(([key, value]) => `${key}: ${value}`),
    );
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        matches.push(`${name}: ${JSON.stringify(await ask(objects.getAll()))}`);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        matches.push(`${request.url}: ${await (await cache.match(request))?.text()}`);
      }
    }
    return [...matches, document.cookie, document.title, document.body.textContent ?? ""];
  });
}

const wordsIn = async (page: Page) =>
  (await dumpStorage(page)).filter((text) => WORD.test(text)).map((text) => text.slice(0, 300));

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Username or email").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const signedOut = (page: Page) => page.getByRole("heading", { name: "Sign in" }).waitFor();

async function turnDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
}

let people = 0;
/** Someone uses everything that a browser stores, in a private room. */
async function useEverything(view = WIDE) {
  const name = `person-${++people}`;
  const ada = await world.person(name, { displayName: `Ada Zanzibar ${people}` });
  const bob = await world.person(`other-${people}`, { displayName: "Bob" });
  const place = `zanzibar-${people}`;
  const room = await world.room(place, ada, [bob]);
  const other = await world.room(`zanzibar-other-${people}`, ada, []);
  await bob.say(room, "Zanzibar is what another person wrote");
  const png = await quarters(300, 200).png().toBuffer();
  const { body } = await bob.upload(`/api/rooms/${room}/images`, png, "zanzibar.png");
  image = body.url;
  await bob.say(room, "A picture", { image_id: body.id });
  const draft = { room_id: other, content: "Zanzibar, never typed in this browser" };
  await ada.put("/api/drafts", { ...draft, base_version: 0, device: "phone" });

  const opened = await newPage(browser, { ...view, serviceWorkers: "allow" });
  const { page } = opened;
  await page.goto(`${address}/rooms/${place}`);
  await signIn(page, name);
  const box = page.getByRole("textbox", { name: `Message #${place}` });
  const picture = page.getByRole("log").locator("img").last();
  await picture.waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(async () => {
    // What another app has shared waits for a room.
    await (await caches.open("shared")).put("/share/text", new Response("zanzibar was shared"));
  });
  await box.fill("Zanzibar is typed here");
  // Both are on the service, and here.
  await page.waitForFunction(
    () =>
      Object.values(localStorage).some((value) => /never typed/.test(value)) &&
      Object.entries(localStorage).some(
        ([key, value]) =>
          key.startsWith("snug.drafts.") && /base":{"content":"Zanzibar is/.test(value),
      ),
  );
  await page.evaluate((id) => {
    localStorage.setItem(`snug.searches.${id}`, '["zanzibar price"]');
    localStorage.setItem(`snug.quote.${id}.room`, '{"excerpt":"zanzibar"}');
  }, ada.user.id);
  await eventually(async () =>
    Boolean((await readSnapshot(page))?.includes("Zanzibar is what another")),
  );
  return { ...opened, ada, room, place };
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${address}/profile/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}

/** A message that the service has refused. */
const putUnsent = (page: Page, ada: Client, room: string) =>
  page.evaluate(
    ([userId, room_id]) => {
      const entry = {
        client_id: crypto.randomUUID(),
        room_id,
        content: "Zanzibar was not sent",
        written_at: new Date().toISOString(),
        order: 1,
        attempts: 1,
        is_refused: true,
        problem: { code: "forbidden", detail: "" },
        image: null,
        file: null,
      };
      localStorage.setItem(`snug.outbox.${userId}.${entry.client_id}`, JSON.stringify(entry));
    },
    [ada.user.id, room] as const,
  );

describe("a browser that several people use", () => {
  test("has nothing of someone who has signed out, nor shows it to the next", async () => {
    const { page, ada, place } = await useEverything();
    // The control: there is something to be found.
    expect((await wordsIn(page)).length).toBeGreaterThan(5);
    await signOut(page);
    await signedOut(page);
    expect(await wordsIn(page)).toEqual([]);
    const stored = await page.evaluate(() => Object.keys(localStorage).sort());
    expect(stored.filter((key) => !["snug.team", "snug.theme"].includes(key))).toEqual([]);

    // The picture is asked for, and not shown.
    const answers = await page.evaluate(async (url) => {
      const image = new Image();
      const isShown = new Promise((resolve) => {
        image.onload = () => resolve(true);
        image.onerror = () => resolve(false);
      });
      image.src = url;
      return [(await fetch(url)).status, await isShown];
    }, `${image}?size=thumb`);
    expect(answers).toEqual([401, false]);

    // Nor has the page itself, which is loaded again.
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    await signIn(page, "mallory");
    await page.waitForFunction(() => !("isSame" in globalThis));
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    await page.goto(`${address}/rooms/${place}`);
    await page
      .getByText(`You are not in #${place}`)
      .or(page.getByText("not found"))
      .first()
      .waitFor();
    await page.goto(`${address}/profile/account`);
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    const matches = (await wordsIn(page)).filter((text) => !text.includes(place));
    expect(matches).toEqual([]);

    // Their drafts are where they were, for them.
    const drafts: { content: string }[] = (await ada.get("/api/drafts")).body.items;
    expect(drafts.map(({ content }) => content).sort()).toEqual([
      "Zanzibar is typed here",
      "Zanzibar, never typed in this browser",
    ]);
  });

  test("asks what becomes of a message that was not sent, and keeps it", async () => {
    const { page, ada, room, place } = await useEverything();
    await putUnsent(page, ada, room);
    await signOut(page);
    const dialog = page.getByRole("dialog", { name: "Keep what wasn't sent?" });
    await dialog.getByText("One message or draft of yours").waitFor();
    await page.screenshot({ path: join(SHOTS, "sign-out-question-wide.png") });
    await turnDark(page);
    await page.screenshot({ path: join(SHOTS, "sign-out-question-wide-dark.png") });
    await page.emulateMedia({ colorScheme: "light" });
    await dialog.getByRole("button", { name: "Keep and sign out" }).click();
    await signedOut(page);
    expect(await wordsIn(page)).toEqual([expect.stringContaining("Zanzibar was not sent")]);
    await page.getByText("A message or draft that someone wrote here").waitFor();
    await page.screenshot({ path: join(SHOTS, "left-here-wide.png") });

    // Another person sees none of it; its author finds it again.
    await signIn(page, "mallory");
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    expect(await page.locator("body").textContent()).not.toMatch(WORD);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await signedOut(page);
    await signIn(page, ada.user.username);
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    await page.goto(`${address}/rooms/${place}`);
    await page.getByText("Zanzibar was not sent").waitFor();
  });

  test("deletes what was not sent, if they want it", async () => {
    const { page, ada, room } = await useEverything(PHONE);
    await putUnsent(page, ada, room);
    await signOut(page);
    await page.getByRole("dialog").getByText("One message or draft of yours").waitFor();
    await page.screenshot({ path: join(SHOTS, "sign-out-question.png") });
    await page.getByRole("button", { name: "Delete and sign out" }).click();
    await signedOut(page);
    expect(await wordsIn(page)).toEqual([]);
  });

  test.each([
    [
      "was ended on another device",
      (ada: Client) => ada.post("/api/auth/logout", { everywhere: true }),
    ],
    ["ended with the account", async (ada: Client) => deactivate(ada)],
  ] as const)("has nothing of someone whose session %s", async (_, end) => {
    const { page, ada, room } = await useEverything(PHONE);
    await putUnsent(page, ada, room);
    await end(ada);
    await signedOut(page);
    expect(await wordsIn(page)).toEqual([expect.stringContaining("Zanzibar was not sent")]);
    await page.getByText("A message or draft that someone wrote here").waitFor();
    await page.screenshot({ path: join(SHOTS, "left-here-phone.png") });
    await turnDark(page);
    await page.screenshot({ path: join(SHOTS, "left-here-phone-dark.png") });
    await page.getByRole("button", { name: "Delete from this browser" }).click();
    const question = page.getByRole("dialog", { name: "Delete what wasn't sent?" });
    await question.getByRole("button", { name: "Delete from this browser" }).click();
    await question.waitFor({ state: "detached" });
    expect(await wordsIn(page)).toEqual([]);
  });

  test("has nothing of someone whose session ended while no page was open", async () => {
    const { page, context, ada, room } = await useEverything();
    await page.evaluate((room_id) => {
      const numbers = { saved: true, drafts: true, count: 1, due: 3, failed: 2 };
      const failed = { room_id, room: { id: room_id, name: "zanzibar" }, state: "failed" };
      const stored = { numbers, saved: [], late: [], upcoming: [failed] };
      localStorage.setItem("snug.kept", JSON.stringify(stored));
    }, room);
    await page.goto("about:blank");
    await ada.post("/api/auth/logout", { everywhere: true });
    await page.goto(`${address}/signin`);
    await signedOut(page);
    const matches = (await wordsIn(page)).filter((text) => !text.includes("zanzibar was shared"));
    expect(matches).toEqual([]);
    expect(await page.title()).not.toMatch(/^\(/);

    // The next person has none of it either, before their own lists are there.
    for (const list of ["saved/ids", "scheduled"]) {
      await context.route(`**/api/${list}*`, () => {});
    }
    await signIn(page, "mallory");
    await page.getByRole("button", { name: /^You,.*Mallory/ }).waitFor();
    expect(await page.title()).not.toMatch(/^\(/);
  });
});

async function deactivate(ada: Client): Promise<void> {
  const admin = await world.person(`admin-${people}`, { isSiteAdmin: true });
  const { status } = await admin.post(`/api/admin/users/${ada.user.id}/deactivate`);
  expect(status).toBeLessThan(300);
}
