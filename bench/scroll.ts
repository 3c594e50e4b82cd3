/**
 * How smoothly a room of ten thousand messages scrolls, and how soon a typed key appears there. Anchor: a
 * static page with the same rows and no script, in the same browser, scrolled the same way.
 */
import type { CDPSession, Page } from "playwright-core";
import { launchBrowser, WIDE } from "../test/support/browser.ts";
import { Bed } from "./support/bed.ts";
import { spread } from "./support/stats.ts";

const MESSAGES = 10_000;
const ROUNDS = 3;
/** Turns of the wheel, one a frame: 6,000 px a second. */
const TURNS = 120;
const TURN_PX = 100;
const FRAME_MS = 1_000 / 60;
const KEYS = 60;

const bed = await Bed.make();
const people = await bed.people(5);
const [me] = people;
const [roomId] = await bed.rooms([people]);
if (!me || !roomId) throw new Error("There is nobody, or no room.");
const { sql } = bed.database;
await sql`create temporary table seat as
  select user_id, row_number() over (order by user_id) - 1 as n from memberships`;
const long = "The slow part was *never* the query, it was the `connection`, see #engines. ".repeat(
  3,
);
await sql`insert into messages (id, room_id, seq, author_id, content, has_embeds, created_at)
  select gen_random_uuid(), ${roomId}, s, seat.user_id,
    'Line ' || s || case when s % 3 = 0 then E'\n\n' || ${long}::text else '' end, false,
    clock_timestamp() - (${MESSAGES} - s) * interval '1 minute'
  from generate_series(1, ${MESSAGES}::int) s join seat on seat.n = (s / 3) % 5 order by s`;
await sql`update rooms set last_seq = ${MESSAGES}, last_message_at = clock_timestamp()`;
await sql`update memberships set last_read_seq = ${MESSAGES}, last_read_at = clock_timestamp()`;
await sql`vacuum analyze`;
const [room] = await sql<{ name: string }[]>`select name from rooms`;
const { address } = await bed.start();
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ ...WIDE, serviceWorkers: "block" });
  const [name = "", value = ""] = me.cookie.split("=");
  await context.addCookies([{ name, value, url: address }]);
  for (const slowdown of [1, 4]) {
    const ours: Frames[] = [];
    const still: Frames[] = [];
    const keys: Frames[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await page.goto(`${address}/rooms/${room?.name}`);
      await page.getByText(`Line ${MESSAGES}`, { exact: true }).waitFor();
      ours.push(await slowed(session, slowdown, () => scrolled(page)));
      keys.push(await slowed(session, slowdown, () => typed(page)));
      // The rendered rows, without the script.
      const html = await page.evaluate(() => {
        for (const script of document.querySelectorAll("script")) script.remove();
        return document.documentElement.outerHTML;
      });
      await page.goto("about:blank");
      await page.route(`${address}/still`, (route) =>
        route.fulfill({ body: html, contentType: "text/html;charset=utf-8" }),
      );
      await page.goto(`${address}/still`);
      still.push(await slowed(session, slowdown, () => scrolled(page)));
      await page.close();
    }
    console.log(`\nprocessor ${slowdown === 1 ? "as it is" : `${slowdown} times slower`}`);
    print("scrolling up, 6,000 px/s", ours);
    print("the same rows standing still", still);
    print("typing there", keys);
  }
} finally {
  await browser.close();
  await bed.clear();
}
process.exit(0);

/** How long frames took, in ms. */
type Frames = { late: number; p95: number; longest: number };

async function slowed(session: CDPSession, rate: number, run: () => Promise<Frames>) {
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  const frames = await run();
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return frames;
}

function scrolled(page: Page): Promise<Frames> {
  return framesOf(page, async () => {
    await page.locator(".timeline").hover();
    for (let turn = 0; turn < TURNS; turn++) {
      await page.mouse.wheel(0, -TURN_PX);
      await Bun.sleep(FRAME_MS);
    }
  });
}

function typed(page: Page): Promise<Frames> {
  return framesOf(page, async () => {
    await page.locator(".composer textarea").focus();
    for (let key = 0; key < KEYS; key++) await page.keyboard.press("a", { delay: FRAME_MS });
  });
}

async function framesOf(page: Page, run: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const kept = { frames: [] as number[], goes: true };
    Object.assign(window, { kept });
    let last = performance.now();
    const frame = (now: number) => {
      kept.frames.push(now - last);
      last = now;
      if (kept.goes) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await run();
  const frames = await page.evaluate(() => {
    const { kept } = window as unknown as { kept: { frames: number[]; goes: boolean } };
    kept.goes = false;
    return kept.frames.slice(1).sort((a, b) => a - b);
  });
  const late = frames.filter((ms) => ms > 1.5 * FRAME_MS).length / frames.length;
  return { late, p95: frames[Math.floor(frames.length * 0.95)] ?? 0, longest: frames.at(-1) ?? 0 };
}

function print(what: string, rounds: Frames[]): void {
  const of = (part: keyof Frames) => spread(rounds.map((round) => round[part])).median;
  console.log(
    `  ${what}: ${(of("late") * 100).toFixed(1)} % of frames late, p95 ${of("p95").toFixed(1)} ms, ` +
      `longest ${of("longest").toFixed(0)} ms`,
  );
}
