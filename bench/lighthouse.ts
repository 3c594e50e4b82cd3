/**
 * Lighthouse with its defaults (mobile, simulated throttling) on the sign-in page and in a full room;
 * and, with slow networks and a slow processor for real, the time until someone can write, and in which
 * the controls appear. Lighthouse is fetched from npm when this runs, because it is larger than all other
 * packages together. `bun bench/lighthouse.ts controls` measures without it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { launchBrowser, PHONE } from "../test/support/browser.ts";
import { Bed, type Person } from "./support/bed.ts";
import { spread } from "./support/stats.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
const ROUNDS = 3;
const CATEGORIES = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
const METRICS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "speed-index",
] as const;

type Conditions = { latency: number; kbps: number };
/** From Lighthouse's `constants.js`: the first delays each request, the second each round trip. */
const NETWORKS: Record<string, Conditions> = {
  "slow 4G (562 ms a request, 1.5 Mbit/s)": { latency: 562.5, kbps: 1_474.56 },
  "slow 4G of developer tools (150 ms a request, 1.6 Mbit/s)": { latency: 150, kbps: 1_562.5 },
  "4G (170 ms a request, 9 Mbit/s)": { latency: 170, kbps: 9_216 },
};

type Audit = {
  score: number | null;
  numericValue?: number;
  title: string;
  displayValue?: string;
  details?: { items?: object[] };
};
type Report = {
  categories: Record<
    keyof typeof CATEGORIES,
    { score: number; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, Audit>;
};

const bed = await Bed.make();
const { address } = await bed.start();
const people = await bed.people(12);
const [me] = people as [Person];
const roomId = await bed.room(people);
await fill();
const { name } = (await call(me, "GET", `/api/rooms/${roomId}`)) as { name: string };
const port = freePort();
const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
let isGood = true;
try {
  if (process.argv[2] !== "controls") {
    await audit("sign in", "/signin");
    await signIn(browser, me);
    await audit("a full room", `/rooms/${name}`);
  }
  for (const [network, conditions] of Object.entries(NETWORKS)) {
    await usable(network, conditions);
  }
} finally {
  await browser.close();
  await bed.clear();
}
process.exit(isGood ? 0 : 1);

/** A day of messages: code, a link, answers, a picture, reactions, a pin; and conversations. */
async function fill(): Promise<void> {
  const messages = `/api/rooms/${roomId}/messages`;
  for (let i = 0; i < 60; i++) {
    const person = people[(i * 7) % people.length] as Person;
    const code = i % 9 === 0 ? "\n\n```ts\nconst answer = 42;\n```" : "";
    const content = `Message ${i} of a day on which **much** was said and *little* done, see #${i}${code}`;
    const { id } = (await call(person, "POST", messages, { content })) as { id: string };
    if (i % 5 === 0) await call(me, "POST", `/api/messages/${id}/reactions`, { emoji: "👍" });
  }
  const create = { width: 1_600, height: 900, channels: 3 as const, background: "#a84c24" };
  const form = new FormData();
  form.append("file", new Blob([await sharp({ create }).jpeg().toBuffer()]), "picture.jpg");
  const answer = await fetch(`${address}/api/rooms/${roomId}/images`, {
    method: "POST",
    headers: { cookie: me.cookie, origin: address },
    body: form,
  });
  const { id } = (await answer.json()) as { id: string };
  const last = await call(me, "POST", messages, { content: "What it looked like", image_id: id });
  await call(me, "PUT", `/api/messages/${(last as { id: string }).id}/pin`, {});
  for (const { id: user } of people.slice(1, 6)) {
    const direct = (await call(me, "POST", "/api/direct", { user_ids: [user] })) as { id: string };
    await call(me, "POST", `/api/rooms/${direct.id}/messages`, { content: "Hello" });
  }
}

async function call(person: Person, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(address + path, {
    method,
    headers: { cookie: person.cookie, origin: address, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Sets the browser's cookies, which Lighthouse's tabs use. */
async function signIn(of: Browser, { cookie }: Person): Promise<void> {
  const [key = "", value = ""] = cookie.split("=");
  const session = await of.newBrowserCDPSession();
  await session.send("Storage.setCookies", { cookies: [{ name: key, value, url: address }] });
}

/** Runs it a few times and prints the median; the run fails below the targets. */
async function audit(what: string, path: string): Promise<void> {
  const reports: Report[] = [];
  for (let i = 0; i < ROUNDS; i++) reports.push(await lighthouse(address + path));
  console.log(`\n${what}`);
  for (const [category, reach] of Object.entries(CATEGORIES)) {
    const of = (report: Report) => report.categories[category as keyof typeof CATEGORIES];
    const { min, median, max } = spread(
      reports.map((report) => Math.round(of(report).score * 100)),
    );
    console.log(`  ${category} ${median} (${min} to ${max}; reach ${reach})`);
    if (median >= reach) continue;
    isGood = false;
    const [last] = reports.slice(-1) as [Report];
    for (const { id, weight } of of(last).auditRefs) {
      const { score, title, displayValue, details } = last.audits[id] as Audit;
      if (weight === 0 || score === null || score === 1) continue;
      console.log(`    ${id}: ${displayValue ?? title}`);
      for (const item of details?.items ?? []) console.log(`      ${JSON.stringify(item)}`);
    }
  }
  for (const id of METRICS) {
    const { median } = spread(reports.map(({ audits }) => audits[id]?.numericValue ?? 0));
    console.log(`  ${id} ${median < 1 ? median.toFixed(3) : `${Math.round(median)} ms`}`);
  }
}

async function lighthouse(url: string): Promise<Report> {
  const out = join(tmpdir(), `snug-lighthouse-${process.pid}.json`);
  const child = Bun.spawn(
    [
      ...[process.execPath, "x", "--bun", LIGHTHOUSE, url, `--port=${port}`, "--quiet"],
      ...["--output=json", `--output-path=${out}`],
      `--only-categories=${Object.keys(CATEGORIES).join()}`,
    ],
    { stdout: "ignore", stderr: "pipe", env: { ...process.env, CI: "1" } },
  );
  const [status, complaint] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (status !== 0) throw new Error(complaint);
  const report = (await Bun.file(out).json()) as Report;
  await Bun.file(out).delete();
  return report;
}

type FirstScreen = { composer: number; firstControl: number; lastControl: number; last: string };

/** Records in a page when the composer was first painted, and the first and the last of its controls. */
function recordFirstScreen(): void {
  const times: FirstScreen = { composer: 0, firstControl: 0, lastControl: 0, last: "" };
  const names = new Set<string>();
  const look = () => {
    for (const element of document.querySelectorAll("a, button, input, textarea")) {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
      // What messages offer comes with them, and what skips to a part of the page is clipped.
      const isOther = element.closest("[role=log], .skips") !== null;
      if (!isInView || isOther || !element.checkVisibility()) continue;
      const label = element.getAttribute("aria-label") ?? element.getAttribute("href");
      const name = `${element.nodeName} ${label ?? element.className}`;
      if (names.has(name)) continue;
      names.add(name);
      times.last = name;
      times.lastControl = performance.now();
      times.firstControl ||= times.lastControl;
      if (element.matches(".composer textarea")) times.composer = times.lastControl;
    }
    requestAnimationFrame(look);
  };
  look();
  Object.assign(globalThis, { firstScreen: times });
}

/** The first screen on the first and the next visit, with a processor a quarter as fast. */
async function usable(network: string, { latency, kbps }: Conditions): Promise<void> {
  const first: FirstScreen[] = [];
  const next: FirstScreen[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const context = await browser.newContext({ ...PHONE, serviceWorkers: "allow" });
    const [key = "", value = ""] = me.cookie.split("=");
    await context.addCookies([{ name: key, value, url: address }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const throughput = (kbps * 1_024) / 8;
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript(recordFirstScreen);
    for (const visits of [first, next]) {
      await page.goto(`${address}/rooms/${name}`, { waitUntil: "commit", timeout: 60_000 });
      await page.locator(".message").first().waitFor({ timeout: 60_000 });
      await page.waitForLoadState("networkidle");
      visits.push(
        await page.evaluate(
          () => (globalThis as unknown as { firstScreen: FirstScreen }).firstScreen,
        ),
      );
      // The next visit begins when the service worker has filled its cache.
      await page.evaluate(() => navigator.serviceWorker.ready);
    }
    await context.close();
  }
  console.log(`\n${network}, processor 4 times slower`);
  for (const [visit, screens] of Object.entries({ first, next })) {
    console.log(`  ${visit} visit: one can write after ${told(screens, (it) => it.composer)}`);
    const within = told(screens, (it) => it.lastControl - it.firstControl);
    const last = [...new Set(screens.map((screen) => screen.last))].join(", ");
    console.log(`    the controls appear within ${within}; last: ${last}`);
  }
}

function told(screens: FirstScreen[], read: (screen: FirstScreen) => number): string {
  const { min, median, max } = spread(screens.map((screen) => Math.round(read(screen))));
  return `${median} ms (${min} to ${max})`;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port: free } = server;
  void server.stop(true);
  if (!free) throw new Error("There is no free port.");
  return free;
}
