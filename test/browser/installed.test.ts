import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { PushPayload } from "../../src/wire/push.ts";
import {
  launchBrowser,
  newPage,
  PHONE,
  readSnapshot,
  signedInPage,
  signIn,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
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
  await world.room("tea", ada);
  await bob.say(room, "The kettle is on.");
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options = WIDE) =>
  signedInPage(browser, ada, path, { ...options, serviceWorkers: "allow" });
const untilControlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** Waits until this text is in what the browser keeps for the next start. */
async function untilKept(page: Page, text: string) {
  await eventually(async () => Boolean((await readSnapshot(page))?.includes(text)));
}

describe("the installed app", () => {
  test("has a manifest with icons that exist", async () => {
    const { page, context } = await open("/");
    const session = await context.newCDPSession(page);
    const { errors, data } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? "{}");
    expect(manifest).toMatchObject({ name: "Snug", display: "standalone", id: "/" });
    expect(manifest.share_target.action).toBe("/share");
    for (const { src, sizes, type } of manifest.icons) {
      const answer = await fetch(world.service.address + src);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
      const size = await page.evaluate(async (address: string) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });

  test("opens offline with the last known state, and catches up when online", async () => {
    const { page, context } = await open("/rooms/fireside", PHONE);
    await page.getByText("The kettle is on.").waitFor();
    await untilControlled(page);
    await untilKept(page, "The kettle is on.");
    await context.setOffline(true);
    await page.reload();
    await page.getByText("The kettle is on.").waitFor();
    await page.getByText("You are offline.").waitFor();
    await page.getByLabel("Message #fireside").fill("Written without a network");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.screenshot({ path: join(SHOTS, "offline-phone.png") });
    await context.setOffline(false);
    await page.locator('[data-state="sent"]', { hasText: "Written without a network" }).waitFor();
    const { items } = (await ada.get(`/api/rooms/${room}/messages`)).body;
    expect(items.at(-1).content).toBe("Written without a network");
  });

  test("puts what another app shares into the chosen room", async () => {
    const { page } = await open("/", PHONE);
    await untilControlled(page);
    await page.evaluate(() => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = "/share";
      form.enctype = "multipart/form-data";
      const add = (name: string, type: string) => {
        const input = document.createElement("input");
        Object.assign(input, { name, type });
        form.append(input);
        return input;
      };
      add("title", "text").value = "A page";
      add("url", "text").value = "https://example.org/";
      const files = new DataTransfer();
      files.items.add(new File(["minutes"], "minutes.txt", { type: "text/plain" }));
      add("files", "file").files = files.files;
      document.body.append(form);
      form.submit();
    });
    await page.getByRole("heading", { name: "Share to a room" }).waitFor();
    await page.screenshot({ path: join(SHOTS, "share-phone.png") });
    await page.getByRole("main").getByRole("button", { name: "tea" }).click();
    await page.getByText("minutes.txt").waitFor();
    const draft = await page.getByLabel("Message #tea").inputValue();
    expect(draft).toBe("A page\nhttps://example.org/");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator('[data-state="sent"]', { hasText: "minutes.txt" }).waitFor();
  });

  test("refuses forms of other sites, and drops a share that was only viewed", async () => {
    const { page } = await open("/", PHONE);
    await untilControlled(page);
    const form = (policy: string) => `<!doctype html><meta name="referrer" content="${policy}">
      <form method="post" enctype="multipart/form-data" action="${world.service.address}/share">
      <input name="text" value="From elsewhere"></form>`;
    const elsewhere = Bun.serve({
      port: 0,
      hostname: "localhost",
      fetch: (request) =>
        new Response(form(new URL(request.url).searchParams.get("policy") ?? ""), {
          headers: { "content-type": "text/html" },
        }),
    });
    // Its site is another one than that of the service, whatever the port is.
    const site = `http://localhost:${elsewhere.port}`;
    const submit = async (policy: string) => {
      await page.goto(`${site}/?policy=${policy}`);
      await page.evaluate(() => document.forms[0]?.submit());
    };
    await submit("unsafe-url");
    await page.getByRole("heading", { name: "Nothing to share" }).waitFor();
    // One that hides itself is shown, as a share of the system is; leaving discards it.
    await submit("no-referrer");
    await page.getByText("From elsewhere").waitFor();
    await page.getByRole("link", { name: "Discard" }).click();
    await page.goto(`${world.service.address}/share`);
    await page.getByRole("heading", { name: "Nothing to share" }).waitFor();
    await elsewhere.stop(true);
  });
});

/** A headless browser shows none: what the system would do with them, in a worker. */
function playNotifications() {
  const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
  let all: Notification[] = [];
  registration.showNotification = async (title, options) => {
    const one = { ...options, title } as Notification;
    one.close = () => {
      all = all.filter((other) => other !== one);
    };
    all = [...all.filter(({ tag }) => tag !== one.tag), one];
  };
  registration.getNotifications = async ({ tag } = {}) =>
    all.filter((item) => tag === undefined || item.tag === tag);
}

describe("a notification", () => {
  const payload = (messageId: string, body: string): PushPayload => ({
    type: "message",
    title: "#fireside",
    body,
    path: `/rooms/fireside/m/${messageId}`,
    room_id: room,
    message_id: messageId,
    mention: false,
    created_at: new Date().toISOString(),
  });

  test("is shown, replaced by the room's next one, opens the room, and closes when the room is read", async () => {
    const { id } = await bob.say(room, "By the fire");
    const { page, context } = await open("/rooms/tea");
    await page.getByRole("heading", { name: "tea" }).first().waitFor();
    await untilControlled(page);
    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error("no worker");
    await worker.evaluate(playNotifications);
    const dispatch = (pushed: PushPayload) =>
      worker.evaluate((data) => {
        const { PushEvent } = self as unknown as { PushEvent: typeof Event };
        self.dispatchEvent(new PushEvent("push", { data } as EventInit));
      }, JSON.stringify(pushed));
    const push = (body: string) => dispatch(payload(id, body));
    const shown = () =>
      worker.evaluate(async () => {
        const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
        return (await registration.getNotifications()).map(({ title, body }) => [title, body]);
      });
    const untilShown = (expected: unknown) =>
      eventually(async () => JSON.stringify(await shown()) === JSON.stringify(expected));
    await push("Bob: one");
    await untilShown([["#fireside", "Bob: one"]]);
    await push("Bob: two");
    await untilShown([["#fireside (2)", "Bob: two"]]);
    await worker.evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
      const [notification] = await registration.getNotifications();
      self.dispatchEvent(
        Object.assign(new Event("notificationclick"), { notification, waitUntil() {} }),
      );
    });
    await untilShown([]);
    await page.waitForURL(`**/rooms/fireside/m/${id}`);
    await page.getByText("By the fire").waitFor();
    // Another one of a room that is then read.
    await page.goto(`${world.service.address}/rooms/tea`);
    const bobs = await world.signIn(bob.user);
    await push("Bob: three");
    await untilShown([["#fireside", "Bob: three"]]);
    await bobs.say(room, "Come in");
    await page.getByRole("link", { name: "fireside" }).click();
    await page.getByText("Come in").waitFor();
    await untilShown([]);
    // Two reminders are two notifications, and one that comes again is one.
    for (const topic of ["first", "second", "second"]) {
      await dispatch({ type: "reminder", title: "Snug", body: topic, path: "/later", topic });
    }
    await untilShown([
      ["Snug", "first"],
      ["Snug", "second"],
    ]);
  });

  test("is configured for each room, and switched and paused in the profile", async () => {
    const { page } = await open("/rooms/tea");
    await page.getByRole("button", { name: "Notifications for this room" }).click();
    await page.getByRole("menuitemradio", { name: "Mentions only" }).click();
    await page.getByText("You'll be notified when someone mentions you in #tea").waitFor();
    const rooms = (await ada.get("/api/rooms")).body.items;
    const tea = rooms.find(({ name }: { name: string }) => name === "tea");
    expect(tea.membership.notify).toBe("mentions");
    await page.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { value: "default" });
    });
    await page.goto(`${world.service.address}/profile/notifications`);
    await page.getByRole("switch", { name: /Notify me about messages/ }).waitFor();
    await page.getByRole("button", { name: "Until tomorrow" }).click();
    await page.getByText(/Paused on all devices until/).waitFor();
    await page.screenshot({ path: join(SHOTS, "notifications-wide.png") });
    const { push_paused_until } = (await ada.get("/api/auth/me")).body;
    expect(Date.parse(push_paused_until)).toBeGreaterThan(Date.now());
    await page.getByRole("button", { name: "Resume" }).click();
    await page
      .getByText("No notifications on any device. Unread rooms are still marked.")
      .waitFor();
    expect((await ada.get("/api/auth/me")).body.push_paused_until).toBeNull();
  });

  test("that the browser blocks is explained", async () => {
    const { page, context } = await newPage(browser, { ...PHONE, serviceWorkers: "allow" });
    await signIn(context, ada);
    await page.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { value: "denied" });
    });
    await page.goto(`${world.service.address}/profile/notifications`);
    await page.getByText(/Notifications are blocked/).waitFor();
    await page.screenshot({ path: join(SHOTS, "notifications-denied-phone.png") });
  });
});
