import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, createServer, type Server } from "node:net";
import postgres from "postgres";
import { directOf } from "../../src/database/target.ts";
import { emptyDatabase } from "../support/database.ts";

/** How the driver looks for the primary among several hosts. */

const CONNECT_SECONDS = 0.4;
let closing: Server;
let closed = 0;
let closingPort: number;
beforeAll(async () => {
  closing = createServer((socket) => {
    closed += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
  closingPort = (closing.address() as { port: number }).port;
});
afterAll(() => closing.close());

function pool(hosts: string[], ports: number[], more: object = {}) {
  return postgres({
    host: hosts,
    port: ports,
    max: 1,
    connect_timeout: CONNECT_SECONDS,
    backoff: (round: number) => 0.02 * 2 ** round,
    target_session_attrs: "primary",
    ...more,
  } as never);
}

test("a query fails where no host takes it, after few tries with pauses", async () => {
  const sql = pool(["127.0.0.1", "127.0.0.1"], [closingPort, closingPort]);
  const error = await sql`select 1`.then(() => null).catch(({ code }) => code as string);
  expect(error).toBe("CONNECTION_CLOSED");
  // Rounds of two with pauses of 40, 80, 160 and 320 ms.
  expect(closed).toBeWithin(2, 13);
  const before = closed;
  const again = await sql`select 1`.then(() => null).catch(({ code }) => code as string);
  expect(again).toBe("CONNECTION_CLOSED");
  expect(closed - before).toBeWithin(2, 13);
  await sql.end({ timeout: 1 });
});

test("a query waits until a host that was away is there", async () => {
  const { host, port, ...rest } = directOf(await emptyDatabase()) as {
    host: string;
    port: number;
    database: string;
  };
  const path = `${host}/.s.PGSQL.${port}`;
  let passes = 0;
  const late = createServer((near) => {
    passes += 1;
    if (passes < 3) return void near.destroy();
    const far = connect(path);
    near.pipe(far).pipe(near);
    for (const one of [near, far]) one.on("error", () => {});
  });
  await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
  const { port: latePort } = late.address() as { port: number };
  const sql = pool(["127.0.0.1", "127.0.0.1"], [closingPort, latePort], {
    ...rest,
    connect_timeout: 20,
  });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }] as never);
  expect(passes).toBe(3);
  await sql.end({ timeout: 1 });
  late.close();
});
