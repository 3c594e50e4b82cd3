import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startService } from "../../src/service.ts";
import { writeBundle } from "../support/bundle.ts";
import { Client } from "../support/client.ts";
import { emptyDatabase, urlOf } from "../support/database.ts";
import { hasPgBouncer, PgBouncer } from "../support/pgbouncer.ts";
import { Running } from "../support/process.ts";
import { PASSWORD, testConfig, World } from "../support/world.ts";

describe.skipIf(!hasPgBouncer)(
  "behind PgBouncer, which gives connections for a transaction",
  () => {
    let world: World;
    let folder: string;
    let file: string;
    let bouncer: PgBouncer;
    let pooled: Service;
    /** Of the instance behind the pooler, and of one that connects directly. */
    let ada: Client;
    let grace: Client;
    let roomId: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "snug-pooler-"));
      file = join(folder, "snug.tar");
      world = await World.start();
      bouncer = await PgBouncer.start(world.target);
      pooled = await startService(testConfig(world.settings), bouncer.target);
      const [one, two] = [await world.person("ada"), await world.person("grace")];
      roomId = await world.room("hall", one, [two]);
      ada = await world.signIn(one.user, pooled);
      grace = two;
    });
    afterAll(async () => {
      await pooled?.stop();
      await bouncer?.close();
      await world?.stop();
      await rm(folder, { recursive: true });
    });

    const contentIs = (text: string) => (event: { type: string; message?: { content: string } }) =>
      event.type === "message" && event.message?.content === text;

    test("two people chat, over an instance that connects directly too", async () => {
      const [near, far] = [await ada.socket(), await grace.socket()];
      near.send({ type: "join", room_id: roomId });
      far.send({ type: "join", room_id: roomId });
      await Promise.all([near.next("joined"), far.next("joined")]);
      await ada.say(roomId, "to there");
      await far.next(contentIs("to there"));
      await grace.say(roomId, "and back");
      await near.next(contentIs("and back"));
      near.close();
      far.close();
    });

    test("transactions, lists and searches work, at more callers than connections", async () => {
      const names = Array.from({ length: 30 }, (_, i) => `room-${i}`);
      const results = await Promise.all(
        names.map((name) => ada.post("/api/rooms", { name, privacy: "open" })),
      );
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
      expect((await ada.get("/api/rooms?all=true")).body.items).toHaveLength(31);
      expect((await ada.patch("/api/auth/me", { display_name: "Ada L." })).status).toBe(200);
      expect((await ada.get(`/api/search/messages?q=back`)).status).toBe(200);
    });

    test("without the address of PostgreSQL itself, commands say what to set", async () => {
      const { pooler } = bouncer.target;
      const { status, err } = await Running.cli(["backup", file], { DATABASE_URL: pooler });
      expect([status, err]).toEqual([
        1,
        expect.stringContaining("pooler such as PgBouncer: set DATABASE_LISTEN_URL"),
      ]);
    });

    test("a pooler that loses prepared statements is refused by the start and by doctor", async () => {
      const { pooler, direct } = bouncer.target;
      const env = { DATABASE_URL: pooler, DATABASE_LISTEN_URL: direct, DATA_DIR: folder };
      const doctor = await Running.cli(["doctor"], env);
      expect([doctor.status, doctor.out]).toEqual([
        1,
        expect.stringMatching(/WRONG +database .*set DATABASE_PREPARE=false/),
      ]);
      const started = Running.spawn(env, await writeBundle());
      expect(await started.process.exited).toBe(1);
      expect(started.output).toContain("set DATABASE_PREPARE=false");
    });

    test("through a pooler that loses prepared statements, no sign-in is answered 200 and not stored", async () => {
      const losing = await startService(testConfig(world.settings), {
        ...bouncer.target,
        prepares: true,
      });
      const body = { username: "ada", password: PASSWORD };
      const answers = await Promise.all(
        Array.from({ length: 18 }, () => new Client(losing.address).post("/api/auth/login", body)),
      );
      // One that is answered with an error may be stored: its transaction was, and what follows was not.
      const cookies = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => headers.get("set-cookie")?.split(";")[0] ?? "");
      const sessions = await Promise.all(
        cookies.map((cookie) => new Client(world.service.address, cookie).get("/api/auth/me")),
      );
      expect(sessions.map(({ status }) => status)).toEqual(cookies.map(() => 200));
      await losing.stop();
    });

    test("doctor fails while a pooler's statements have no time limit", async () => {
      const { pooler, direct } = bouncer.target;
      const env = { DATABASE_URL: pooler, DATABASE_LISTEN_URL: direct, DATABASE_PREPARE: "false" };
      // Durable, as the tests' cluster is not.
      const { status, out } = await Running.cli(["doctor"], { ...env, DATA_DIR: folder });
      expect([status, out]).toEqual([
        1,
        expect.stringMatching(/WRONG +database .*statement_timeout is 0/),
      ]);
    });

    test("a backup and a restore connect directly: they need no pooler that runs", async () => {
      await bouncer.kill();
      const { pooler, direct } = bouncer.target;
      const env = { DATABASE_URL: pooler, DATABASE_PREPARE: "false", DATA_DIR: folder };
      const saved = await Running.cli(["backup", file], { ...env, DATABASE_LISTEN_URL: direct });
      expect([saved.status, saved.err]).toEqual([0, ""]);
      const other = urlOf(await emptyDatabase());
      const restored = await Running.cli(["restore", file], { ...env, DATABASE_LISTEN_URL: other });
      expect([restored.status, restored.err]).toEqual([0, ""]);
      expect(/\d+ rows/.exec(restored.out)?.[0]).toBe(/\d+ rows/.exec(saved.out)?.[0] ?? "");
      await bouncer.open();
    });

    test("what is acknowledged while it is killed is stored, once", async () => {
      const acknowledged: string[] = [];
      const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
      /** As clients do: a post without an answer is sent again with its `client_id`. */
      const send = async (client_id: string) => {
        for (;;) {
          const body = { content: client_id, client_id };
          const answer = await ada.post(`/api/rooms/${roomId}/messages`, body);
          if (answer.status === 201 || answer.status === 200) return acknowledged.push(client_id);
          expect(answer.status).toBe(503);
        }
      };
      const sending = Promise.all(ids.map(send));
      await bouncer.kill();
      await bouncer.open();
      await sending;
      expect(acknowledged.sort()).toEqual(ids.sort());
      const rows = await world.database.sql<{ content: string }[]>`
      select content from messages where client_id is not null`;
      expect(rows.map(({ content }) => content).sort()).toEqual(ids);
    });
  },
);
