import type { SqlClient } from "../../src/database/connect.ts";
import { TOKENS_VERSION } from "../../src/search/tokens.ts";
import { cpuSeconds } from "./cpu.ts";
import type { Row } from "./report.ts";
import { Latencies } from "./stats.ts";

/** Who posts, and where. */
export type Writer = { address: string; token: string; rooms: string[]; pid: number };

const POSTS_AT_ONCE = 16;
const CONTENT = "the slow part was never the query, it was the connection";
/** A rate that leaves the machine idle most of the time. */
const STEADY_PER_SECOND = 100;
/** A version of tokens that is not this service's: it leaves such rooms to a newer one. */
const FOREIGN_VERSION = 999;

/** @returns whether it was taken */
export async function postOne({ address, token, rooms }: Writer, n: number, content = CONTENT) {
  const answer = await fetch(`${address}/api/rooms/${rooms[n % rooms.length]}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ content }),
  });
  await answer.arrayBuffer();
  return answer.status === 201;
}

/** Posts, many at once, for some seconds; returns posts a second. */
export async function postFlat(writer: Writer, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const one = async (n: number) => {
    for (let i = n; performance.now() < until; i += 1) if (await postOne(writer, i)) count += 1;
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, (_, n) => one(n)));
  return count / seconds;
}

/** Posts at a steady rate; returns how long each took. */
async function postSteadily(writer: Writer, seconds: number): Promise<Latencies> {
  const times = new Latencies();
  const posts: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < seconds * STEADY_PER_SECOND; n += 1) {
    await Bun.sleep(Math.max(0, started + (n * 1_000) / STEADY_PER_SECOND - performance.now()));
    const at = performance.now();
    posts.push(postOne(writer, n).then(() => times.add(performance.now() - at)));
  }
  await Promise.all(posts);
  return times;
}

/** Lets the service index what is posted from now on, or not; it has nothing to make up for. */
async function setIndexing(sql: SqlClient, isOn: boolean): Promise<void> {
  await sql`update search_rooms s set after_seq = r.last_seq, version = ${isOn ? TOKENS_VERSION : FOREIGN_VERSION}
    from rooms r where r.id = s.room_id`;
}

/** Waits until all that was posted is indexed; returns after how many seconds. */
async function catchUp(sql: SqlClient): Promise<number> {
  const started = performance.now();
  for (;;) {
    const [row] = await sql<{ lag: number }[]>`
      select coalesce(sum(r.last_seq - s.after_seq), 0)::int as lag
      from rooms r join search_rooms s on s.room_id = r.id`;
    if (row?.lag === 0) return (performance.now() - started) / 1_000;
    await Bun.sleep(50);
  }
}

type Half = { rate: number; p50: number; p99: number; cpu: number; behind: number };

async function measureHalf(sql: SqlClient, writer: Writer, seconds: number, isOn: boolean) {
  await setIndexing(sql, isOn);
  const before = cpuSeconds(writer.pid);
  const times = await postSteadily(writer, seconds);
  const cpu = ((cpuSeconds(writer.pid) - before) / times.count) * 1e6;
  const rate = await postFlat(writer, seconds);
  const behind = isOn ? await catchUp(sql) : 0;
  return { rate, p50: times.p(0.5), p99: times.p(0.99), cpu, behind } satisfies Half;
}

/**
 * What indexing costs those who post, by turns with it and without it, each first in every other round:
 * how long a post takes at a steady rate, and how many are taken of 16 clients that never wait.
 */
export async function comparePosting(
  sql: SqlClient,
  writer: Writer,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[][]> {
  const steady: Row[] = [];
  const flat: Row[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const halves = new Map<boolean, Half>();
    for (const isOn of round % 2 === 0 ? [false, true] : [true, false]) {
      halves.set(isOn, await measureHalf(sql, writer, seconds, isOn));
    }
    const [on, off] = [halves.get(true), halves.get(false)];
    if (!on || !off) continue;
    steady.push({
      scenario: `posting while indexing, ${STEADY_PER_SECOND} a second: the median of a post against without indexing`,
      ours: on.p50,
      anchor: off.p50,
      unit: "ms",
      less: true,
      reach: "0.95",
      notes: `p99 ${on.p99.toFixed(1)} against ${off.p99.toFixed(1)} ms; service CPU a message ${on.cpu.toFixed(0)} against ${off.cpu.toFixed(0)} µs`,
    });
    flat.push({
      scenario: `posting while indexing, ${POSTS_AT_ONCE} clients that never wait: against without indexing`,
      ours: on.rate,
      anchor: off.rate,
      unit: "posts/s",
      reach: "0.95",
      notes: `the index caught up ${on.behind.toFixed(1)} s after the last post`,
    });
  }
  await setIndexing(sql, true);
  return [steady, flat];
}
