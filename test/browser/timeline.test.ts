import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page, Request } from "playwright-core";
import {
  firstNew,
  launchBrowser,
  newLine,
  PHONE,
  signedInPage,
  walk,
  WIDE,
} from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";
import { eventually, expectSoon } from "../support/wait.ts";

/** Pictures of what was seen, to look at. */
const SHOTS = join(import.meta.dir, "../output");
mkdirSync(SHOTS, { recursive: true });
setDefaultTimeout(120_000);

const MESSAGES = 10_000;
/** One is a minute after the other, so that the room is a week old. */
const BEGAN = Date.parse("2026-03-02T08:00:00Z");
const at = (line: number) => new Date(BEGAN + line * 60_000);

let world: World;
let browser: Browser;
let ada: Client;
let bob: Client;
let roomId: string;
let page: Page;
let context: BrowserContext;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada", { displayName: "Ada Lovelace" });
  bob = await world.person("bob", { displayName: "Bob Noyce" });
  roomId = await world.room("archive", ada, [bob]);
  await world.room("tea-room", ada, [bob]);
  const { sql } = world.database;
  const first = new Date(BEGAN);
  const long = "The slow part was never the query, it was the connection. ".repeat(6);
  await sql`insert into messages (id, room_id, seq, author_id, content, has_embeds, created_at)
    select gen_random_uuid(), ${roomId}, r.last_seq + n,
      case when n % 5 < 3 then ${ada.user.id}::uuid else ${bob.user.id}::uuid end,
      'Line ' || n || case when n % 7 = 0 then E'\n\n' || ${long}::text else '' end, false,
      ${first}::timestamptz + n * interval '1 minute'
    from rooms r, generate_series(1, ${MESSAGES}::int) n where r.id = ${roomId}`;
  await sql`update rooms set last_seq = last_seq + ${MESSAGES}, last_message_at = ${at(MESSAGES)}
    where id = ${roomId}`;
  await sql`update memberships set last_read_at = ${at(MESSAGES)}, last_read_seq = ${MESSAGES + 2} where room_id = ${roomId}`;
  ({ page, context } = await open("/rooms/archive"));
  await line(MESSAGES).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = (path: string, options = WIDE) =>
  signedInPage(browser, ada, path, { timezoneId: "UTC", ...options });

const line = (n: number) => page.getByRole("log").getByText(new RegExp(`^Line ${n}$`));
const rows = () => page.locator("[data-message-id]").count();
const list = () => page.getByRole("log");
const heightOf = (n: number) => line(n).evaluate((row) => row.getBoundingClientRect().top);
const latest = () => page.getByRole("button", { name: "Jump to latest" });

/** The id of the message in the middle of the list. */
const middle = () =>
  page.evaluate(() => {
    const row = document.elementFromPoint(600, 400)?.closest<HTMLElement>("[data-message-id]");
    return row?.dataset.messageId ?? "";
  });

/**
 * Turns the wheel until what is in the middle has moved: at the end of what is loaded a turn moves nothing,
 * and what then comes leaves the place as it is.
 */
async function wheel(by: number): Promise<void> {
  await list().hover();
  const before = await middle();
  const moved = (was: string) => {
    const row = document.elementFromPoint(600, 400)?.closest<HTMLElement>("[data-message-id]");
    return row !== undefined && row !== null && row.dataset.messageId !== was;
  };
  await eventually(async () => {
    await page.mouse.wheel(0, by);
    return page.waitForFunction(moved, before, { timeout: 500 }).then(
      () => true,
      () => false,
    );
  });
  // A turn goes on for some frames.
  await page.waitForFunction(async () => {
    const box = document.querySelector("[role=log]");
    const frame = () => new Promise(requestAnimationFrame);
    const was = box?.scrollTop;
    for (let i = 0; i < 4; i++) await frame();
    return box?.scrollTop === was;
  });
}

/** The names of the days in the list. */
const days = () => page.locator('button[data-tooltip="Jump to a day"]');

/** Goes to a day by the dialog that any day of the history opens. */
async function jumpTo(day: string): Promise<void> {
  await days().last().click();
  await page.getByLabel("Day", { exact: true }).fill(day);
  await page.getByRole("button", { name: "Jump", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describe("a room of ten thousand messages", () => {
  test("renders a few screens of them, however far one scrolls; the row under the pointer keeps its position", async () => {
    expect(await rows()).toBeLessThanOrEqual(50);
    const seen = new Set<number>();
    for (let turn = 0; turn < 25; turn++) {
      await wheel(-3000);
      seen.add(await rows());
      expect(await rows()).toBeLessThan(450);
    }
    // It did grow, and let go of what was far.
    expect(seen.size).toBeGreaterThan(3);
    expect(await line(MESSAGES).count()).toBe(0);
    await latest().click();
    await line(MESSAGES).waitFor();
    await latest().waitFor({ state: "detached" });
    expect(await list().evaluate((box) => box.scrollTop)).toBe(0);
  });

  test("keeps the scroll position when older messages load, a row above grows, and the window is resized", async () => {
    await wheel(-1500);
    const target = await list().evaluate((box) => {
      const { top, height } = box.getBoundingClientRect();
      const row = document.elementsFromPoint(600, top + height / 2)[0]?.closest("li");
      return row?.dataset.messageId ?? "";
    });
    const row = page.locator(`[data-message-id="${target}"]`);
    const box = await row.boundingBox();
    if (!box) throw new Error("There is no row in the middle.");
    await page.mouse.move(600, box.y + 2);
    const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.evaluate((id) => {
      const here = document.querySelector(`[data-message-id="${id}"]`);
      for (const one of [here?.previousElementSibling, here?.nextElementSibling]) {
        (one as HTMLElement).style.paddingBottom = "200px";
      }
    }, target);
    // A frame, in which what has grown is seen and corrected.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
    await page.setViewportSize(WIDE.viewport);
  });

  test("keeps the scroll position when it is measured between a growth and its correction", async () => {
    await wheel(-1500);
    const target = await middle();
    const row = page.locator(`[data-message-id="${target}"]`);
    const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.mouse.move(600, before + 2);
    for (const event of ["scroll", "pointermove"]) {
      await row.evaluate(async (here, type) => {
        const next = here.nextElementSibling as HTMLElement;
        next.style.marginBottom = `${parseFloat(getComputedStyle(next).marginBottom) + 130}px`;
        const { top } = here.getBoundingClientRect();
        const at = { clientY: top + 132, pointerType: "mouse" };
        const sent = type === "scroll" ? new Event(type) : new PointerEvent(type, at);
        document.querySelector("[role=log]")?.dispatchEvent(sent);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      }, event);
      expect([event, Math.round((await top()) - before)]).toEqual([event, 0]);
    }
  });

  test("does not drift while messages arrive below", async () => {
    await wheel(-1500);
    const target = await middle();
    const row = page.locator(`[data-message-id="${target}"]`);
    const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
    await page.mouse.move(600, (await top()) + 2);
    const before = await top();
    // As rows with a picture or code in them are, which may end within a pixel.
    await row.evaluate(async (here) => {
      const next = here.nextElementSibling as HTMLElement;
      for (let turn = 1; turn <= 20; turn++) {
        next.style.paddingBottom = `${turn * 20.5}px`;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      }
    });
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  });

  test("shows a date that covers messages only while it scrolls, and under the pointer", async () => {
    await jumpTo("2026-03-05");
    await line(at0("2026-03-05")).waitFor();
    await wheel(-300);
    const covering = list().getByRole("button", { name: "Wednesday 4 March" });
    const inPlace = list().getByRole("button", { name: "Thursday 5 March" });
    const opacityOf = (date: Locator) =>
      date.evaluate((button) => getComputedStyle(button).opacity);
    await expectSoon(() => opacityOf(covering), "0");
    expect(await opacityOf(inPlace)).toBe("1");
    const whileScrolling = await covering.evaluate(async (date) => {
      const box = date.closest("[role=log]");
      const scrolled = new Promise((done) => box?.addEventListener("scroll", done, { once: true }));
      box?.dispatchEvent(new WheelEvent("wheel"));
      box?.scrollBy(0, -10);
      await scrolled;
      await Promise.all(date.getAnimations().map(({ finished }) => finished));
      return getComputedStyle(date).opacity;
    });
    expect(whileScrolling).toBe("1");
    await expectSoon(() => opacityOf(covering), "0");
    await covering.hover();
    await expectSoon(() => opacityOf(covering), "1");
    // Nor is the rule of a day ever a second line at the edge of the list.
    const ruleWithDayAt = (top: number) =>
      inPlace.evaluate(async (date, top) => {
        const [day, box] = [date.closest("li"), date.closest("[role=log]")];
        if (!day || !box) return "";
        const scrolled = new Promise((done) =>
          box.addEventListener("scroll", done, { once: true }),
        );
        box.scrollBy(0, day.getBoundingClientRect().top - box.getBoundingClientRect().top - top);
        await scrolled;
        return getComputedStyle(day, "::after").content;
      }, top);
    expect(await ruleWithDayAt(0)).toBe('""');
    expect(await ruleWithDayAt(-11)).toBe("none");
  });

  test("shows a date in its own place, also after the message box has moved it to the edge and back", async () => {
    const id = await world.room("two-days", ada, [bob]);
    const { sql } = world.database;
    const texts = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
    for (const text of texts) await bob.say(id, text);
    await sql`update messages set created_at = created_at - interval '1 day'
      where room_id = ${id} and content not in ${sql(texts.slice(-17))}`;
    await sql`update memberships set last_read_at = now() where room_id = ${id}`;
    await walk(page, "/rooms/two-days");
    await line(39).waitFor();
    const today = list().getByRole("button", { name: "Today" });
    const opacity = () => today.evaluate((button) => getComputedStyle(button).opacity);
    const distance = () =>
      today.evaluate((button) => {
        const box = button.closest("[role=log]")?.getBoundingClientRect();
        return button.getBoundingClientRect().top - (box?.top ?? 0);
      });
    expect(await distance()).toBeWithin(50, 200);
    const area = page.getByRole("textbox", { name: "Message #two-days" });
    // A date under the pointer is shown.
    await area.hover();
    await area.fill("\n".repeat(30));
    await eventually(async () => (await distance()) < 10);
    await expectSoon(opacity, "0");
    await area.fill("");
    await eventually(async () => (await distance()) > 50);
    await expectSoon(opacity, "1");
    await walk(page, "/rooms/archive");
  });

  test("keeps its scroll position while another room is open", async () => {
    await jumpTo("2026-03-05");
    await line(at0("2026-03-05")).waitFor();
    const before = await heightOf(at0("2026-03-05"));
    await page.getByRole("link", { name: "tea-room" }).click();
    await page.getByLabel("Message #tea-room").waitFor();
    await page.getByRole("link", { name: "archive" }).click();
    await line(at0("2026-03-05")).waitFor();
    expect(Math.abs((await heightOf(at0("2026-03-05"))) - before)).toBeLessThan(2);
  });

  test("jumps to a day, to the beginning, and back to the newest message", async () => {
    await jumpTo("2026-03-04");
    const first = line(at0("2026-03-04"));
    await first.waitFor();
    const box = await first.boundingBox();
    const frame = await list().boundingBox();
    // At the upper edge, below the day's name.
    expect((box?.y ?? 0) - (frame?.y ?? 0)).toBeLessThan(120);
    await page.getByRole("button", { name: "Wednesday 4 March" }).waitFor();
    await page.screenshot({ path: join(SHOTS, "timeline-day-wide.png") });
    await days().last().click();
    await page.getByRole("button", { name: "Beginning" }).waitFor();
    await page.screenshot({ path: join(SHOTS, "timeline-jump-wide.png") });
    await page.getByRole("button", { name: "Beginning" }).click();
    await page.getByRole("heading", { name: "archive", level: 2 }).waitFor();
    await line(1).waitFor();
    await latest().click();
    await line(MESSAGES).waitFor();
  });

  test("counts new messages without scrolling to them while the reader is further up", async () => {
    await wheel(-2500);
    const place = await list().evaluate((box) => box.querySelector("ol")?.clientHeight);
    expect(place).toBeGreaterThan(0);
    for (const content of ["First of two", "Second of two"]) {
      const response = await bob.call("POST", `/api/rooms/${roomId}/messages`, { content });
      expect(response.status).toBe(201);
    }
    await page.getByRole("button", { name: "2 new" }).click();
    const last = page.getByRole("log").getByText("Second of two");
    await last.waitFor();
    await page.getByRole("button", { name: "2 new" }).waitFor({ state: "detached" });
  });

  test("opens at the first unread message, and jumps to the newest", async () => {
    const { sql } = world.database;
    // What was read just now is on its way: no mark of this page may arrive after the one below.
    const marks = new Set<Request>();
    const isMark = (request: Request) => request.url().endsWith("/read");
    page.on("request", (request) => isMark(request) && marks.add(request));
    page.on("requestfinished", (request) => marks.delete(request));
    page.on("requestfailed", (request) => marks.delete(request));
    const isRead = async () => {
      const [row] = await sql`select last_read_seq = last_seq as is_read from memberships m
        join rooms r on r.id = m.room_id where r.id = ${roomId} and user_id = ${ada.user.id}`;
      return row?.is_read === true;
    };
    await eventually(() => isRead());
    await page.route("**/api/rooms/*/read", (route) => route.abort());
    await eventually(() => marks.size === 0);
    await context.close();
    await sql`update memberships set last_read_at = ${at(5_000)}, last_read_seq = 5000
      where room_id = ${roomId} and user_id = ${ada.user.id}`;
    ({ page, context } = await open("/rooms/archive"));
    // Ada wrote 5001 and 5002 herself: the first that is new to her is Bob's.
    await line(5_003).waitFor();
    const divider = newLine(page);
    expect(await firstNew(page).textContent()).toContain("Line 5003");
    await page.screenshot({ path: join(SHOTS, "timeline-unread-wide.png") });
    await latest().click();
    await page.getByText("Second of two").waitFor();
    const pill = page.getByRole("button", { name: /new since/i });
    await pill.click();
    await page.getByText("Second of two").waitFor({ state: "detached" });
    await divider.waitFor();
  });

  test("shows an error when more messages did not load, and retries", async () => {
    ({ page, context } = await open("/rooms/archive", PHONE));
    await newLine(page).waitFor();
    await page.route("**/messages?limit=50&before=*", (route) => route.abort());
    await list().evaluate((box) => box.scrollTo(0, -box.scrollHeight));
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await again.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(SHOTS, "timeline-stuck-phone.png") });
    await page.unroute("**/messages?limit=50&before=*");
    const before = await rows();
    await again.click();
    await page.waitForFunction(
      (n) => document.querySelectorAll("[data-message-id]").length > n,
      before,
    );
  });
});

test("a link to a message opens around it, and marks it", async () => {
  const history = await ada.call("GET", `/api/rooms/${roomId}/messages?at=${at(40).toISOString()}`);
  const { items } = history.body as { items: { id: string; content: string }[] };
  const id = items.find((item) => item.content === "Line 40")?.id;
  ({ page, context } = await open(`/rooms/archive/m/${id}`));
  await page.locator(`[data-message-id="${id}"][aria-current]`).waitFor();
  await page.waitForFunction((id) => {
    const box = document.querySelector(`[data-message-id="${id}"]`)?.getBoundingClientRect();
    return box !== undefined && box.top > 0 && box.bottom < innerHeight;
  }, id);
});

/** The number of the first line of a day. */
function at0(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - BEGAN) / 60_000;
}
