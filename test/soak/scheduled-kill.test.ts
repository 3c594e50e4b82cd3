import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../src/embedded-postgres/start.ts";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import type { Saved } from "../../src/wire/saved-messages.ts";
import { Client } from "../support/client.ts";
import { Running } from "../support/process.ts";
import { repeats } from "../support/soak.ts";

const TIMEOUT = 900_000;
/** A killed process holds its jobs for half a minute, so the suite does without. */
const KILLS = repeats(0, 5);
const MESSAGES = 90;
const REMINDERS = 30;
/** Longer than a lease. */
const PATIENCE_MS = 90_000;

let home: string;
let env: { DATA_DIR: string };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "snug-scheduled-kill-"));
  env = { DATA_DIR: join(home, "data") };
});
afterAll(async () => {
  if (KILLS > 0) await (await startEmbedded(env.DATA_DIR)).release();
  await rm(home, { recursive: true });
}, TIMEOUT);

test.skipIf(KILLS === 0)(
  "what is planned goes out once and in order, and reminders come once, whichever instance is killed",
  async () => {
    const running = [await Running.start(env)];
    const first = running[0] as Running;
    const token = first.signupLink.split("#token=")[1] ?? "";
    const ada = { token, username: "ada", email: "ada@example.org", password: "a good password" };
    const signedUp = await new Client(first.address).post("/api/signup", ada);
    const cookie = signedUp.headers.get("set-cookie")?.split(";")[0] ?? "";
    running.push(await Running.start(env));
    const postgres = await startEmbedded(env.DATA_DIR);
    const database: Database = connectDatabase(postgres.connection, 2);
    const { sql } = database;
    const client = () => new Client((running[0] as Running).address, cookie);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { id } = (await client().post("/api/rooms", { name: `room-${kill}`, privacy: "open" }))
        .body;
      const send_at = new Date(Date.now() + 3_600_000).toISOString();
      for (let n = 0; n < MESSAGES; n++) {
        const body = { room_id: id, content: `${n}`, send_at, zone: "UTC" };
        expect((await client().post("/api/scheduled", body)).status).toBe(201);
      }
      const saved: string[] = [];
      for (let n = 0; n < REMINDERS; n++) {
        const message = await client().say(id, `r${n}`);
        await client().put(`/api/saved/${message.id}`, { remind_at: send_at });
        saved.push(message.id);
      }
      // A few are due at a time, so that a kill meets the middle of them.
      await sql`update scheduled_messages set send_at = now() + content::int * interval '20 milliseconds'
        where room_id = ${id}`;
      await sql`update saved_messages set remind_at = now() + random() * interval '2 seconds'
        where reminded_at is null`;
      await sql`update jobs set run_at = now() - interval '1 second' where kind in ('send_scheduled', 'remind')`;
      await sql`select pg_notify('snug_jobs', '')`;
      await Bun.sleep(300 + Math.random() * 1_500);
      const victim = kill % 2;
      await (running[victim] as Running).kill();
      running[victim] = await Running.start(env);
      const deadline = performance.now() + PATIENCE_MS;
      const isDone = async () => {
        const [row] = await sql<{ left: number }[]>`
          select (select count(*) from scheduled_messages where state = 'waiting')::int
            + (select count(*) from saved_messages where reminded_at is null)::int as left`;
        return row?.left === 0;
      };
      while (!(await isDone()) && performance.now() < deadline) await Bun.sleep(200);
      const rows = await sql<{ content: string }[]>`
        select content from messages where room_id = ${id} and content not like 'r%' order by seq`;
      expect(rows.map(({ content }) => Number(content))).toEqual(
        Array.from({ length: MESSAGES }, (_, n) => n),
      );
      const due: Saved[] = (await client().get("/api/saved?filter=due&limit=200")).body.items;
      const came = due.filter(({ message }) => saved.includes(message.id));
      expect(came).toHaveLength(REMINDERS);
      const pushes = await sql<{ id: string; count: number }[]>`
        select payload ->> 'messageId' as id, count(*)::int as count from jobs
        where kind = 'push_self' group by 1 having count(*) > 1`;
      expect([...pushes]).toEqual([]);
    }
    await database.close();
    await postgres.release();
    for (const one of running) await one.stop();
  },
  TIMEOUT,
);
