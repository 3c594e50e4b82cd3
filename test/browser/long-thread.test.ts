import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page, Request } from "playwright-core";
import { launchBrowser, settle, signedInPage, watchRequests, WIDE } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

/** A room in which nearly everything is said in one thread. */

setDefaultTimeout(120_000);
const REPLIES = 700;

let world: World;
let browser: Browser;
let ada: Client;
let rootId: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), launchBrowser()]);
  ada = await world.person("ada");
  const grace = await world.person("grace");
  const room = await world.room("general", ada, [grace]);
  await ada.say(room, "Good morning");
  rootId = (await ada.say(room, "The root")).id;
  await grace.say(room, "Reply 1", { thread_id: rootId });
  const { sql } = world.database;
  await sql`insert into messages (id, room_id, seq, author_id, content, thread_id, has_embeds)
    select gen_random_uuid(), ${room}, r.last_seq + n - 1, ${grace.user.id}, 'Reply ' || n
      || case when n % 7 = 0 then repeat(' It was the connection, and never the query.', 9) else '' end,
      ${rootId}, true
    from rooms r, generate_series(2, ${REPLIES}::int) n where r.id = ${room}`;
  await sql`update rooms set last_seq = last_seq + ${REPLIES} - 1 where id = ${room}`;
  await sql`update threads set reply_count = ${REPLIES}, last_reply_seq = r.last_seq
    from rooms r where r.id = ${room} and message_id = ${rootId}`;
  await sql`update thread_follows set read_seq = r.last_seq from rooms r where r.id = ${room}`;
  await sql`update memberships set last_read_seq = r.last_seq from rooms r where r.id = ${room}`;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(path: string) {
  const asked: string[] = [];
  const tab = await signedInPage(browser, ada, path, WIDE, (page) =>
    page.on("request", (request) => asked.push(new URL(request.url()).pathname)),
  );
  return {
    ...tab,
    pages: () => asked.filter((each) => /\/rooms\/[^/]+\/messages$/.test(each)).length,
  };
}

test("does not load the whole room where thousands of replies are one line", async () => {
  const { page, pages } = await open("/rooms/general");
  const log = page.getByRole("log");
  await log.getByRole("button", { name: "Show earlier messages" }).waitFor();
  expect(pages()).toBeLessThan(13);
  expect(await log.getByText("Good morning").count()).toBe(0);
  await log.getByRole("button", { name: "Show earlier messages" }).click();
  await log.getByText("Good morning").waitFor();
  await log.getByText(`${REPLIES} replies`).first().waitFor();
  expect(await log.getByRole("button", { name: "Show earlier messages" }).count()).toBe(0);
});

/** Turns the wheel over the thread, and waits until the list rests and nothing is being loaded. */
async function turn(page: Page, list: Locator, by: number): Promise<void> {
  await list.hover();
  await page.mouse.wheel(0, by);
  await rest(list);
}

/** Waits until the list has neither moved nor grown for four frames. */
function rest(list: Locator): Promise<void> {
  return list.evaluate(async (box) => {
    const frame = () => new Promise(requestAnimationFrame);
    const state = () => `${box.scrollTop} ${box.scrollHeight}`;
    for (let still = 0, was = state(); still < 4;) {
      await frame();
      still = state() === was ? still + 1 : 0;
      was = state();
    }
  });
}

/** How far the row under the pointer moves by itself, while more is loaded and rendered around it. */
async function drift(page: Page, list: Locator, underWay: Set<Request>): Promise<number> {
  const id = await list.evaluate((box) => {
    const { left, top, width, height } = box.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return at?.closest<HTMLElement>("[data-message-id]")?.dataset.messageId ?? "";
  });
  if (!id) return 0;
  const row = list.locator(`[data-message-id="${id}"]`);
  const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  await settle(page, underWay);
  await rest(list);
  return Math.abs((await top()) - before);
}

test("a thread is scrolled up to its first reply and back without a jump", async () => {
  const { page } = await open(`/rooms/general/t/${rootId}`);
  const list = page.getByRole("region", { name: "Thread" }).getByRole("log");
  const reply = (n: number) => list.getByText(new RegExp(`^Reply ${n}( It|$)`));
  await reply(REPLIES).waitFor();
  const underWay = watchRequests(page);
  for (const [by, aim] of [
    [-4_000, reply(1)],
    [4_000, reply(REPLIES)],
  ] as const) {
    for (let n = 0; n < 60 && !(await aim.isVisible()); n += 1) {
      await turn(page, list, by);
      expect(await drift(page, list, underWay)).toBeLessThanOrEqual(1);
      expect(await list.locator("[data-message-id]").count()).toBeLessThan(450);
    }
    await aim.waitFor();
  }
});
