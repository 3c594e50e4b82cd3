import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser, messageRow, newPage, restLoaded, signIn } from "../support/browser.ts";
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
let roomId: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  roomId = await world.room("hall", ada, [bob]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const composer = (page: Page) => page.getByRole("textbox", { name: "Message #hall" });
/**
 * A message in the log. What another tab has sent may be there twice for some milliseconds: the socket brings
 * it before the storage tells that it no longer waits.
 */
const inLog = (page: Page, text: string) =>
  page.getByRole("log").getByText(text, { exact: true }).first();
const pending = (page: Page) => page.locator("[data-state]:not([data-state=sent])");

async function openTwo(
  line?: Line,
): Promise<{ first: Page; second: Page; context: BrowserContext }> {
  const { page: first, context } = await newPage(browser);
  await signIn(context, await world.signIn(ada.user));
  await line?.route(context);
  const second = await context.newPage();
  for (const page of [first, second]) {
    await page.goto(`${world.service.address}/rooms/hall`);
    await composer(page).waitFor();
    await page.locator("[data-connection=open]").waitFor();
  }
  return { first, second, context };
}

async function contents(): Promise<string[]> {
  const { body } = await ada.call("GET", `/api/rooms/${roomId}/messages`);
  return (body.items as { content: string }[]).map(({ content }) => content);
}

test("a draft that one tab sends is not offered again in the other", async () => {
  const { first, second } = await openTwo();
  await composer(first).fill("said once");
  await second.waitForFunction(() => document.querySelector("textarea")?.value === "said once");
  await composer(second).press("Enter");
  await inLog(first, "said once").waitFor();
  await first.waitForFunction(() => document.querySelector("textarea")?.value === "");
  await composer(first).press("Enter");
  await composer(first).fill("and then this");
  await composer(first).press("Enter");
  await inLog(second, "and then this").waitFor();
  await second.locator("[data-state=pending]").first().waitFor({ state: "detached" });
  expect(await contents()).toEqual(["said once", "and then this"]);
});

/** Stands between a context's pages and the service: holds posts back, or refuses some. */
class Line {
  isHeld = false;
  readonly held: (() => void)[] = [];
  /** The contents of all posts that the pages sent, by page. */
  readonly posts: string[] = [];

  async route(context: BrowserContext): Promise<void> {
    await context.routeWebSocket(/\/ws\/chat/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((data) => {
        const frame = JSON.parse(String(data));
        if (frame.type !== "message") return server.send(data);
        this.posts.push(frame.content);
        if (frame.content === "poison") {
          const { client_id } = frame;
          socket.send(
            JSON.stringify({ type: "error", code: "internal", detail: "No.", client_id }),
          );
        } else if (this.isHeld) this.held.push(() => server.send(data));
        else server.send(data);
      });
    });
  }

  release(): void {
    this.isHeld = false;
    for (const send of this.held.splice(0)) send();
  }
}

test("messages that wait in two tabs are sent once, in order, by the remaining tab", async () => {
  const line = new Line();
  const { first, second } = await openTwo(line);
  const before = await contents();
  line.isHeld = true;
  await composer(first).fill("from the first");
  await composer(first).press("Enter");
  await pending(second).getByText("from the first").waitFor();
  await composer(second).fill("from the second");
  await composer(second).press("Enter");
  await pending(first).getByText("from the second").waitFor();
  expect(await pending(first).count()).toBe(2);
  line.isHeld = false;
  // Its frames are lost with it: nothing of them had reached the service.
  await second.close();
  await pending(first).first().waitFor({ state: "detached" });
  await inLog(first, "from the second").waitFor();
  expect(await contents()).toEqual([...before, "from the first", "from the second"]);
});

test("a message that the service fails to store holds up no other room, and can be discarded", async () => {
  await world.room("tea-room", ada);
  const line = new Line();
  const { page, context } = await newPage(browser);
  await page.clock.install();
  await line.route(context);
  await signIn(context, ada);
  await page.goto(`${world.service.address}/rooms/hall`);
  await page.locator("[data-connection=open]").waitFor();
  for (const text of ["poison", "behind it"]) {
    await composer(page).fill(text);
    await composer(page).press("Enter");
  }
  // Above the composer may be one for a draft of another device.
  const discard = page.getByRole("log").getByRole("button", { name: "Discard" });
  await eventually(async () => {
    await page.clock.fastForward(4_000);
    return (await discard.count()) > 0;
  });
  await page.screenshot({ path: join(SHOTS, "outbox-still-trying-wide.png") });
  await page.getByRole("link", { name: "tea-room" }).click();
  const other = page.getByRole("textbox", { name: "Message #tea-room" });
  await other.fill("tea is ready");
  await other.press("Enter");
  await page.locator("[data-state=sent]").getByText("tea is ready").waitFor();
  await page.getByRole("link", { name: "hall" }).click();
  expect(line.posts).not.toContain("behind it");
  await discard.click();
  await page.locator("[data-state=sent]").getByText("behind it").waitFor();
  expect(await pending(page).count()).toBe(0);
});

test("a waiting row is as high as the stored row that replaces it", async () => {
  const line = new Line();
  const { page, context } = await newPage(browser);
  await line.route(context);
  await signIn(context, bob);
  await page.goto(`${world.service.address}/rooms/hall`);
  await page.locator("[data-connection=open]").waitFor();
  const heights = async (text: string) => {
    line.isHeld = true;
    await composer(page).fill(text);
    await composer(page).press("Enter");
    const row = messageRow(page, text);
    const height = () => row.evaluate((element) => element.getBoundingClientRect().height);
    await pending(page).getByText(text).waitFor();
    const before = await height();
    await row.getByText("sending…").waitFor();
    await page.screenshot({ path: join(SHOTS, `outbox-${text.split(" ")[0]}-wide.png`) });
    line.release();
    await page.locator("[data-state=sent]", { hasText: text }).waitFor();
    return [before, await height()];
  };
  for (const text of ["first of a group", "second of it"]) {
    const [before = 0, after = 0] = await heights(text);
    expect([text, before, after]).toEqual([text, Math.round(after), Math.round(after)]);
  }
});

test("a tab stops and says so when another person signs in in another tab", async () => {
  // Someone who has no draft of an earlier test.
  const carol = await world.person("carol", { displayName: "Carol Shaw" });
  await ada.post(`/api/rooms/${roomId}/members`, { user_id: carol.user.id });
  const { first, second, context } = await openTwo();
  await composer(first).fill("a draft of Ada's");
  await context.clearCookies();
  await signIn(context, carol);
  await second.reload();
  await second.getByRole("button", { name: /^You,.*Carol Shaw/ }).waitFor();
  await first.getByRole("heading", { name: "Signed in to another account" }).waitFor();
  await first.screenshot({ path: join(SHOTS, "replaced-wide.png") });
  expect(await composer(second).inputValue()).toBe("");
  await first.getByRole("button", { name: "Continue with that account" }).click();
  await composer(first).waitFor();
  expect(await composer(first).inputValue()).toBe("");
});

/** How many drafts the service was asked to save, and has saved or refused. */
async function countDraftSaves(): Promise<number> {
  const { body } = await world.anonymous.get("/metrics");
  const lines = String(body)
    .split("\n")
    .filter((line) => /^snug_http_request_seconds_count\{.*"PUT".*"\/api\/drafts"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("what is typed in a tab is not saved for the person who has signed in beside it", async () => {
  const dora = await world.person("dora", { displayName: "Dora Marsden" });
  await ada.post(`/api/rooms/${roomId}/members`, { user_id: dora.user.id });
  const drafts = async () => (await dora.get("/api/drafts")).body.items;
  const endings = {
    "typed and left open": (page: Page) =>
      page.getByRole("heading", { name: "Signed in to another account" }).waitFor(),
    "typed and closed": (page: Page) => page.goto("about:blank"),
  };
  for (const [text, end] of Object.entries(endings)) {
    const { first, context } = await openTwo();
    await restLoaded(first);
    // Another response would also tell the tab who is signed in.
    await first.waitForLoadState("networkidle");
    await signIn(context, dora);
    const before = await countDraftSaves();
    await composer(first).fill(text);
    await end(first);
    await eventually(async () => (await countDraftSaves()) > before);
    expect(await drafts()).toEqual([]);
    await context.close();
  }
});
