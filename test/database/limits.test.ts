import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "../../src/authentication/sessions.ts";
import { insertUser } from "../../src/users/create-user.ts";
import { prepareUser } from "../../src/accounts/create-account.ts";
import {
  connectDatabase,
  type Database,
  type Limits,
  REQUEST_LIMITS,
  type SqlClient,
} from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { isUnavailable } from "../../src/database/errors.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { type Service, startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";
import { testConfig } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

const LIMITS: Limits = {
  statementSeconds: 0.5,
  lockSeconds: 0.2,
  idleInTransactionSeconds: 0.2,
  answerSeconds: 0.8,
};

let target: Target & object;
let proxy: StallingProxy;
let direct: Database;
beforeAll(async () => {
  target = await freshDatabase();
  proxy = new StallingProxy(target);
  direct = connectDatabase(target, 2);
});
afterAll(async () => {
  await direct.close();
  proxy.close();
});

/** Only silence is short: on a busy machine what the service asks may take its time. */
const SILENT: Limits = {
  statementSeconds: 5,
  lockSeconds: 5,
  idleInTransactionSeconds: 4,
  answerSeconds: 1.5,
};

const errorOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe("a pool", () => {
  test.each<[string, (sql: SqlClient) => Promise<unknown>]>([
    ["a statement", (sql) => sql`select 1`],
    ["a transaction", (sql) => sql.begin((tx) => tx`select 1`)],
  ])("replaces a connection that has gone silent during %s", async (_, query) => {
    const database = connectDatabase(proxy.target, 3, LIMITS);
    await Promise.all([1, 2, 3].map(() => database.sql`select pg_sleep(0.05)`));
    await database.db.execute("select 1");
    proxy.stall();
    expect(isUnavailable(await errorOf(query(database.sql)))).toBe(true);
    // The others of both pools idled on the dead network, too, and are not tried.
    expect(await Promise.all([1, 2, 3].map(() => database.sql`select 1 as one`))).toHaveLength(3);
    await database.db.execute("select 1");
    await database.close();
  });

  test("keeps a connection with a slow answer", async () => {
    const database = connectDatabase(proxy.target, 1, {
      ...LIMITS,
      answerSeconds: 0.2,
      statementSeconds: 9,
    });
    const rows = database.sql`select pg_sleep(0.03) from generate_series(1, 15)`;
    expect(isUnavailable(await errorOf(rows))).toBe(true);
    // Rows that come one after the other are an answer.
    const fed = database.sql`select repeat('x', 9000), pg_sleep(0.03) from generate_series(1, 15)`;
    expect(await fed).toHaveLength(15);
    await database.close();
  });

  test.each([
    ["a statement", "select pg_sleep(5)", "57014"],
    ["a wait for a lock", "lock table rooms", "55P03"],
  ])("has PostgreSQL end %s that takes too long", async (_, statement, code) => {
    // The driver would give up on a silent connection much later.
    const database = connectDatabase(target, 1, { ...LIMITS, answerSeconds: 20 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const holder = direct.sql.begin(async (tx) => {
      await tx`lock table rooms in access share mode`;
      lock();
      await released;
    });
    await locked;
    const error = await errorOf(database.sql.begin((tx) => tx.unsafe(statement)));
    expect([(error as { code?: string }).code, isUnavailable(error)]).toEqual([code, true]);
    release();
    await holder;
    await database.close();
  });

  test("ends a transaction that stops between two statements, and releases its locks", async () => {
    const database = connectDatabase(target, 1, LIMITS);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const idle = errorOf(
      database.sql.begin(async (tx) => {
        await tx`lock table rooms`;
        lock();
        await over;
      }),
    );
    await locked;
    await direct.sql`select count(*) from rooms`;
    end();
    expect(isUnavailable(await idle)).toBe(true);
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }] as never);
    await database.close();
  });

  test("runs no statement of a lost transaction on the new connection", async () => {
    const database = connectDatabase(target, 1, LIMITS);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let after: unknown;
    const lost = errorOf(
      database.sql.begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await direct.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
        await over;
        after = await errorOf(tx`select 1`);
      }),
    );
    expect(isUnavailable(await lost)).toBe(true);
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }] as never);
    end();
    await over;
    await database.sql`select 1`;
    expect(isUnavailable(after)).toBe(true);
    await database.close();
  });
});

describe("where PostgreSQL takes fewer connections than a pool wants", () => {
  const role = `limited_${process.pid}`;
  beforeAll(async () => {
    await direct.sql.unsafe(`create role ${role} login connection limit 2`);
  });
  afterAll(async () => {
    await direct.sql.unsafe(`drop role ${role}`);
  });

  test("queries wait for an open connection", async () => {
    const { sql, close } = connectDatabase({ ...target, username: role } as Target, 5);
    const asked = Array.from({ length: 20 }, () => sql.begin((tx) => tx`select pg_sleep(0.01)`));
    expect(await Promise.all(asked)).toHaveLength(20);
    await close();
  });

  test("queries wait for a free connection", async () => {
    const limited = { ...target, username: role } as Target;
    const taken = connectDatabase(limited, 2);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holders: Promise<unknown>[] = [];
    for (let i = 0; i < 2; i++) {
      await new Promise<void>((begun) => {
        const hold = () => {
          begun();
          return released;
        };
        holders.push(taken.sql.begin(hold));
      });
    }
    const { sql, close } = connectDatabase(limited, 5);
    const rows = sql`select 1 as one`;
    release();
    await Promise.all(holders);
    await taken.close();
    expect(await rows).toEqual([{ one: 1 }] as never);
    await close();
  });
});

describe("a service whose database connections all go silent", () => {
  let service: Service;
  let ada: Client;
  let roomId: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "snug-limits-"));
    const config = testConfig({ DATA_DIR: folder });
    service = await startService(config, proxy.target, { limits: SILENT });
    const password = "correct horse battery";
    const values = { username: "ada", email: "ada@example.org", password };
    const user = await insertUser(direct.db, await prepareUser(values));
    roomId = await createRoom(direct.db, user.id, { name: "steady", privacy: "open" });
    const token = await direct.db.transaction((tx) =>
      createSession(tx, user.id, { address: "", userAgent: null }),
    );
    ada = new Client(service.address, `snug_session=${token}`, user);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  test("answers 503 within its limit and recovers by itself", async () => {
    const ask = async () => {
      const content = crypto.randomUUID();
      const post = { content, client_id: content };
      return Promise.all([
        ada.post(`/api/rooms/${roomId}/messages`, post),
        ada.get("/api/rooms"),
        ada.patch(`/api/rooms/${roomId}`, { description: content }),
      ]);
    };
    expect((await ask()).map(({ status }) => status)).toEqual([201, 200, 200]);
    proxy.stall();
    const started = performance.now();
    const answers = await ask();
    // The one whose statement was under way; the others go on over a new connection.
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    for (const { status } of answers) expect([200, 201, 503]).toContain(status);
    // By itself a connection is given up after ten seconds.
    expect(performance.now() - started).toBeLessThan(REQUEST_LIMITS.answerSeconds * 1_000);
    // What was under way on another dead connection may hold a lock until PostgreSQL ends it.
    let later = await ask();
    await eventually(async () => {
      if (later.some(({ status }) => status === 503)) later = await ask();
      return later.every(({ status }) => status !== 503);
    });
    expect(later.map(({ status }) => status)).toEqual([201, 200, 200]);
  });
});
