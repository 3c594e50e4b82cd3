import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import type { RoomEvent } from "../../src/wire/events.ts";
import { Client } from "../support/client.ts";
import { Running } from "../support/process.ts";

const TIMEOUT = 60_000;
const PASSWORD = "a good password";
const WRITERS = 8;
const ENOUGH = 100;

let home: string;
let env: { DATA_DIR: string };
let cookie: string;
let roomId: string;
let running: Running;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-crash-"));
  env = { DATA_DIR: join(home, "data") };
  running = await Running.start(env);
  const anonymous = new Client(running.address);
  const token = running.signupLink.split("#token=")[1] ?? "";
  const ada = { token, username: "ada", email: "ada@example.org", password: PASSWORD };
  const answer = await anonymous.post("/api/signup", ada);
  expect(answer.status).toBe(201);
  cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const room = await client().post("/api/rooms", { name: "stream", privacy: "open" });
  roomId = room.body.id;
}, TIMEOUT);
afterAll(async () => {
  await running.stop();
  // Also after a failure: nothing keeps running.
  await (await startEmbedded(env.DATA_DIR)).release();
  await rm(home, { recursive: true });
}, TIMEOUT);

const client = () => new Client(running.address, cookie);
const post = (clientId: string) =>
  client().post(`/api/rooms/${roomId}/messages`, { content: clientId, client_id: clientId });

type Stream = { acknowledged: Set<string>; open: Set<string> };

/** Posts without a pause until the service is gone, and notes what it has acknowledged. */
async function write(stream: Stream, enough: () => void): Promise<void> {
  for (;;) {
    const clientId = crypto.randomUUID();
    stream.open.add(clientId);
    const answer = await post(clientId).catch(() => null);
    if (answer?.status !== 201) return;
    stream.open.delete(clientId);
    stream.acknowledged.add(clientId);
    if (stream.acknowledged.size === ENOUGH) enough();
  }
}

async function streamUntil(kill: () => Promise<unknown>): Promise<Stream> {
  const stream: Stream = { acknowledged: new Set(), open: new Set() };
  const { promise, resolve } = Promise.withResolvers<void>();
  const writers = Array.from({ length: WRITERS }, () => write(stream, resolve));
  await promise;
  await kill();
  await Promise.all(writers);
  return stream;
}

/** All that happened in the room. */
async function changes(): Promise<RoomEvent[]> {
  const events: RoomEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const { status, body } = await client().get(
      `/api/rooms/${roomId}/changes?after=${after}&limit=500`,
    );
    expect(status).toBe(200);
    events.push(...body.items);
    if (!body.has_more) return events;
  }
}

async function contents(): Promise<string[]> {
  const messages = (await changes()).flatMap((event) =>
    event.type === "message" ? [event.message.content ?? ""] : [],
  );
  return messages;
}

async function killAll(): Promise<void> {
  const file = join(env.DATA_DIR, "postgres/cluster/postmaster.pid");
  const postmaster = Number((await readFile(file, "utf8")).split("\n")[0]);
  expect(postmaster).toBeGreaterThan(1);
  const gone = running.kill();
  process.kill(postmaster, "SIGKILL");
  await gone;
}

describe("after a kill -9 in the middle of a stream of posts", () => {
  test.each([
    ["of the service", () => running.kill()],
    ["of the service and its PostgreSQL", killAll],
  ])(
    "%s, the next start has every acknowledged message once, and the numbers have no gap",
    async (_, kill) => {
      const { acknowledged, open } = await streamUntil(kill);
      expect(acknowledged.size).toBeGreaterThanOrEqual(ENOUGH);
      running = await Running.start(env);

      const seqs = (await changes()).map((event) => event.seq);
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
      const kept = await contents();
      expect(new Set(kept).size).toBe(kept.length);
      expect([...acknowledged].filter((id) => !kept.includes(id))).toEqual([]);

      // What was not acknowledged may be there or not; sent again, it is there once.
      for (const id of open) expect([200, 201]).toContain((await post(id)).status);
      const all = await contents();
      expect(new Set(all).size).toBe(all.length);
      expect([...open].filter((id) => !all.includes(id))).toEqual([]);
    },
    TIMEOUT,
  );
});
