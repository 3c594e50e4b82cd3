/**
 * How soon a typed key is on the screen, in a room of 2,000 members whose list is open: from the key until
 * the frame after it is painted, with the processor as it is and four times slower.
 *
 * `bun bench/typing.ts`
 */
import { loadavg } from "node:os";
import { launchBrowser, WIDE } from "../test/support/browser.ts";
import { Bed } from "./support/bed.ts";
import { spread } from "./support/stats.ts";

const MEMBERS = 2_000;
const KEYS = 120;
/** Someone who types fast: ten keys a second. */
const KEY_MS = 100;
const MAX_MEDIAN_MS = 50;

const bed = await Bed.make();
const [me] = await bed.people(1);
if (!me) throw new Error("There is nobody.");
const room = await bed.room([me]);
const { sql } = bed.database;
await sql`insert into users (id, username, email)
  select gen_random_uuid(), 'member-' || n, n || '@members.example.org'
  from generate_series(2, ${MEMBERS}::int) n`;
await sql`insert into memberships (room_id, user_id, role)
  select ${room}, id, 'member' from users where username like 'member-%' on conflict do nothing`;
await sql`update rooms set member_count = (select count(*) from memberships where room_id = ${room})
  where id = ${room}`;
await sql`vacuum analyze`;
const [{ name } = { name: "" }] = await sql<
  { name: string }[]
>`select name from rooms where id = ${room}`;
const { address } = await bed.start();
const browser = await launchBrowser();
let isFast = true;
try {
  const context = await browser.newContext({ ...WIDE, serviceWorkers: "block" });
  const [cookie = "", value = ""] = me.cookie.split("=");
  await context.addCookies([{ name: cookie, value, url: address }]);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(`${address}/rooms/${name}`);
  await page.getByRole("button", { name: /^Offline/ }).click();
  await page.locator(".room-panel .who").nth(10).waitFor();
  const area = page.locator(".composer textarea");
  for (const rate of [1, 4]) {
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    await area.fill("");
    await page.evaluate(() => {
      const times: number[] = [];
      Object.assign(globalThis, { times });
      document.querySelector(".composer textarea")?.addEventListener("keydown", () => {
        const pressed = performance.now();
        // A message is handled after the frame is painted.
        const painted = new MessageChannel();
        painted.port1.onmessage = () => times.push(performance.now() - pressed);
        requestAnimationFrame(() => painted.port2.postMessage(null));
      });
    });
    await area.focus();
    await page.keyboard.type("the kettle is on, and so it goes. ".repeat(9).slice(0, KEYS), {
      delay: KEY_MS,
    });
    const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
    const { median } = spread(times);
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
    console.log(
      `${rate === 1 ? "processor as it is" : `${rate} times slower`}: ${times.length} keys, median ${median.toFixed(1)} ms, ` +
        `p95 ${p95.toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms; load ${loadavg()[0]?.toFixed(1)}`,
    );
    isFast &&= median < MAX_MEDIAN_MS;
  }
} finally {
  await browser.close();
  await bed.clear();
}
process.exit(isFast ? 0 : 1);
