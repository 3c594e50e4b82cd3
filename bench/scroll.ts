/**
 * How smoothly a room of ten thousand messages and a thread of as many replies scroll, and how soon a typed
 * key appears there. Anchor: a static page with the same rows and no script, in the same browser, scrolled the
 * same way.
 */
import type { CDPSession, Locator, Page } from "playwright-core";
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
const [roomId, threadRoomId] = await bed.rooms([people, people]);
if (!me || !roomId || !threadRoomId) throw new Error("There is nobody, or no room.");
const { sql } = bed.database;
await sql`create temporary table seat as
  select user_id, row_number() over (order by user_id) - 1 as n from memberships where room_id = ${roomId}`;
const long = "The slow part was *never* the query, it was the `connection`, see #engines. ".repeat(
  3,
);
const rootId = Bun.randomUUIDv7();
await fill(roomId, null);
await fill(threadRoomId, rootId);
await sql`insert into threads
    (message_id, room_id, reply_count, last_reply_seq, last_reply_at, last_author_ids)
  select ${rootId}, ${threadRoomId}, ${MESSAGES} - 1, ${MESSAGES}, clock_timestamp(), array_agg(user_id) from seat`;
await sql`insert into thread_follows (user_id, thread_id, room_id, read_seq)
  select user_id, ${rootId}, ${threadRoomId}, ${MESSAGES} from seat`;
await sql`update rooms set last_seq = ${MESSAGES}, last_message_at = clock_timestamp()`;
await sql`update memberships set last_read_seq = ${MESSAGES}, last_read_at = clock_timestamp()`;
await sql`vacuum analyze`;
const rooms = await sql<{ id: string; name: string }[]>`select id, name from rooms`;
const nameOf = (id: string) => rooms.find((room) => room.id === id)?.name;
const PLACES = [
  { what: "a room", path: `/rooms/${nameOf(roomId)}`, pane: ".pane" },
  {
    what: "a thread, beside its room",
    path: `/rooms/${nameOf(threadRoomId)}/t/${rootId}`,
    pane: ".thread-pane",
  },
];
const { address } = await bed.start();
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ ...WIDE, serviceWorkers: "block" });
  const [name = "", value = ""] = me.cookie.split("=");
  await context.addCookies([{ name, value, url: address }]);
  for (const slowdown of [1, 4]) {
    console.log(`\nprocessor ${slowdown === 1 ? "as it is" : `${slowdown} times slower`}`);
    for (const { what, path, pane } of PLACES) {
      const ours: Frames[] = [];
      const still: Frames[] = [];
      const keys: Frames[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await page.goto(address + path);
        const within = page.locator(pane);
        await within.getByText(`Line ${MESSAGES}`, { exact: true }).waitFor();
        ours.push(await slowed(session, slowdown, () => scrolled(page, within)));
        keys.push(await slowed(session, slowdown, () => typed(page, within)));
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
        still.push(await slowed(session, slowdown, () => scrolled(page, within)));
        await page.close();
      }
      print(`${what}: scrolling up, 6,000 px/s`, ours);
      print(`${what}: the same rows standing still`, still);
      print(`${what}: typing there`, keys);
    }
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

/** @param rootId of the thread that all but the first are in; null for a room without threads */
async function fill(room: string, rootId: string | null): Promise<void> {
  await sql`insert into messages
      (id, room_id, seq, author_id, content, thread_id, has_embeds, created_at)
    select case when s = 1 then coalesce(${rootId}::uuid, gen_random_uuid()) else gen_random_uuid() end,
      ${room}, s, seat.user_id, 'Line ' || s || case when s % 3 = 0 then E'\n\n' || ${long}::text else '' end,
      case when s > 1 then ${rootId}::uuid end, ${rootId}::uuid is not null,
      clock_timestamp() - (${MESSAGES} - s) * interval '1 minute'
    from generate_series(1, ${MESSAGES}::int) s join seat on seat.n = (s / 3) % 5 order by s`;
}

function scrolled(page: Page, within: Locator): Promise<Frames> {
  return framesOf(page, async () => {
    await within.locator(".timeline").hover();
    for (let turn = 0; turn < TURNS; turn++) {
      await page.mouse.wheel(0, -TURN_PX);
      await Bun.sleep(FRAME_MS);
    }
  });
}

function typed(page: Page, within: Locator): Promise<Frames> {
  return framesOf(page, async () => {
    await within.locator(".composer textarea").focus();
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
