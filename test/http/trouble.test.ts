import { connectDatabase } from "../../src/database/connect.ts";
import type { Target } from "../../src/database/target.ts";
import { describe, expect, spyOn, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startService } from "../../src/service.ts";
import { Client, expectProblem } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { testConfig, World } from "../support/world.ts";
import { eventually } from "../support/wait.ts";

/** Kinds of job that a service queues by itself. */
const PERIODIC_JOBS = 10;

describe("an error inside", () => {
  test("is 500 and shows nothing of the inside; the log has it under the request's id", async () => {
    const world = await World.start();
    const ada = await world.person("ada");
    await world.database.sql`drop table memberships cascade`;
    const logged = spyOn(process.stderr, "write").mockImplementation(() => true);
    const answer = await ada.get("/api/rooms");
    const log = logged.mock.calls.join("\n");
    logged.mockRestore();
    expect(JSON.stringify(answer.body)).not.toMatch(/memberships|select|relation|\.ts|postgres/i);
    expectProblem(answer, 500, "internal");
    expect(log).toContain(answer.headers.get("x-request-id") ?? "no id");
    expect(log).toContain('relation "memberships" does not exist');
    // The parameters of a query: they can be messages or hashes of passwords.
    expect(log).not.toContain(ada.user.id);
    expect((await ada.get("/api/auth/me")).status).toBe(200);
    await world.stop();
  });
});

/** Stands between the service and its database, and can be taken away. */
class Between {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  private constructor(
    readonly folder: string,
    private readonly behind: string,
    readonly port: number,
  ) {}

  static async before(target: { host: string; port: number }): Promise<Between> {
    const folder = await mkdtemp(join(tmpdir(), "snug-between-"));
    const between = new Between(folder, join(target.host, `.s.PGSQL.${target.port}`), target.port);
    await between.open();
    return between;
  }

  async open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server = createServer((near) => {
      const far = connect(this.behind);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
      }
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
      near.pipe(far).pipe(near);
    });
    this.#server.listen(join(this.folder, `.s.PGSQL.${this.port}`), resolve);
    await promise;
  }

  async cut(): Promise<void> {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await rm(join(this.folder, `.s.PGSQL.${this.port}`), { force: true });
  }
}

async function makeJobsDue(target: Target): Promise<void> {
  const { sql, close } = connectDatabase(target, 1);
  await sql`delete from schedules`;
  await close();
}

/** Waits until what is queued at the start is done: this is about requests, not about jobs. */
async function untilQuiet(target: Target): Promise<void> {
  const { sql, close } = connectDatabase(target, 1);
  const isQuiet = async () => {
    const [row] = await sql<{ quiet: boolean }[]>`select (select count(*) from schedules) =
      ${PERIODIC_JOBS} and not exists (select from jobs) as quiet`;
    return row?.quiet === true;
  };
  await eventually(() => isQuiet());
  await close();
}

describe("a database that goes away", () => {
  test("is 503 with Retry-After, and all is well again once it is back", async () => {
    const target = (await freshDatabase()) as { host: string; port: number };
    await makeJobsDue(target);
    const between = await Between.before(target);
    const service: Service = await startService(testConfig(), { ...target, host: between.folder });
    const client = new Client(service.address, `snug_session=${"a".repeat(43)}`);
    try {
      expect((await client.get("/readyz")).status).toBe(200);
      await untilQuiet(target);
      await between.cut();
      for (const path of ["/api/auth/me", "/readyz"]) {
        const answer = await client.get(path);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(JSON.stringify(answer.body)).not.toContain(between.folder);
        expectProblem(answer, 503, "unavailable");
      }
      const login = await client.post("/api/auth/login", { username: "a", password: "b" });
      expectProblem(login, 503, "unavailable");
      expect((await client.get("/healthz")).status).toBe(200);
      expect((await client.get("/")).status).toBe(200);
      await between.open();
      let answer = await client.get("/readyz");
      await eventually(async () => {
        answer = await client.get("/readyz");
        return answer.status !== 503;
      });
      expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
      expectProblem(await client.get("/api/auth/me"), 401, "unauthenticated");
    } finally {
      await service.stop();
      await between.cut();
      await rm(between.folder, { recursive: true });
    }
  }, 240_000);
});

describe("a schema that is behind", () => {
  test("is not ready", async () => {
    const world = await World.start();
    expect((await world.anonymous.get("/readyz")).status).toBe(200);
    await world.database.sql`delete from drizzle.__drizzle_migrations`;
    expectProblem(await world.anonymous.get("/readyz"), 503, "unavailable");
    await world.stop();
  });
});
