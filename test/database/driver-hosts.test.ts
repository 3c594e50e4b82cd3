import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { openClient } from "../../src/database/connect.ts";
import { directOf } from "../../src/database/target.ts";
import { emptyDatabase } from "../support/database.ts";

/** How a client looks for the primary among several hosts. */

let closing: Server;
let closed = 0;
let closingPort: number;
beforeAll(async () => {
  closing = createServer((socket) => {
    closed += 1;
    socket.destroy();
  });
  closingPort = await listen(closing);
});
afterAll(() => closing.close());

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

/** A way to PostgreSQL by TCP, which closes the first connections. */
async function passTo(target: object, closings: number) {
  const { host, port, database, username } = target as Record<string, string>;
  const passes = { count: 0 };
  const server = createServer((near) => {
    passes.count += 1;
    if (passes.count <= closings) return void near.destroy();
    const far = connect(`${host}/.s.PGSQL.${port}`);
    near.pipe(far).pipe(near);
    for (const side of [near, far]) side.on("error", () => {});
  });
  const address = `127.0.0.1:${await listen(server)}`;
  return { server, passes, address, path: `${database}`, username };
}

test("a query fails where no host takes it, after few tries with pauses", async () => {
  const address = `127.0.0.1:${closingPort}`;
  const sql = openClient(`postgres://ada@${address},${address}/snug`, 1);
  const error = await sql`select 1`.then(() => null).catch(({ code }) => code as string);
  expect(error).toBe("CONNECTION_CLOSED");
  // Two in each round, with pauses of 20, 40, 80, 160 and 320 ms, then of half a second, for 5 seconds.
  expect(closed).toBeWithin(6, 31);
  const before = closed;
  const secondError = await sql`select 1`.then(() => null).catch(({ code }) => code as string);
  expect(secondError).toBe("CONNECTION_CLOSED");
  expect(closed - before).toBeWithin(6, 31);
  await sql.end({ timeout: 1 });
});

test("a query waits until a host that was away is there", async () => {
  const { server, passes, address, path, username } = await passTo(
    directOf(await emptyDatabase()) as object,
    2,
  );
  const url = `postgres://${username}@127.0.0.1:${closingPort},${address}/${path}`;
  const sql = openClient(url, 1);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }] as never);
  // The third finds out that this is the primary, the fourth queries it.
  expect(passes.count).toBe(4);
  await sql.end({ timeout: 1 });
  server.close();
});

test("a query waits for a free connection of a full host no longer than of a single host", async () => {
  // `ErrorResponse` (PostgreSQL 18, 54.7): too_many_connections.
  const refusal = Buffer.from("E\0\0\0\x13SFATAL\0C53300\0\0");
  const full = createServer((socket) => socket.once("data", () => socket.end(refusal)));
  const address = `127.0.0.1:${await listen(full)}`;
  const sql = openClient(`postgres://ada@127.0.0.1:${closingPort},${address}/snug`, 1);
  const begun = performance.now();
  const error = await sql`select 1`.then(() => null).catch(({ code }) => code as string);
  expect(error).toBe("53300");
  expect(performance.now() - begun).toBeWithin(5_000, 9_000);
  await sql.end({ timeout: 1 });
  full.close();
});

test("a client that ends during the search opens no connection", async () => {
  const { server, passes, address, path, username } = await passTo(
    directOf(await emptyDatabase()) as object,
    1,
  );
  const sql = openClient(`postgres://${username}@127.0.0.1:${closingPort},${address}/${path}`, 1);
  const outcome = sql`select 1`.catch(({ code }) => code as string);
  const probe = await new Promise<Socket>((resolve) => {
    server.on("connection", (socket) => void (passes.count === 2 && resolve(socket)));
  });
  await sql.end({ timeout: 0 });
  expect(await outcome).toBe("CONNECTION_DESTROYED");
  // The search goes on, and finds the primary.
  await new Promise((resolve) => probe.once("close", resolve));
  const later = openClient(`postgres://${username}@127.0.0.1:${closingPort},${address}/${path}`, 1);
  expect(await later`select 1 as one`).toEqual([{ one: 1 }] as never);
  expect(passes.count).toBe(4);
  await later.end({ timeout: 1 });
  server.close();
});

test("a query does not wait for a host that says nothing", async () => {
  const silent = createServer(() => {});
  const silentAddress = `127.0.0.1:${await listen(silent)}`;
  const { server, address, path, username } = await passTo(
    directOf(await emptyDatabase()) as object,
    0,
  );
  const sql = openClient(`postgres://${username}@${silentAddress},${address}/${path}`, 4);
  const begun = performance.now();
  const rows = await Promise.all(Array.from({ length: 8 }, () => sql`select 1 as one`));
  expect(rows.flat()).toHaveLength(8);
  expect(performance.now() - begun).toBeLessThan(2_000);
  await sql.end({ timeout: 1 });
  for (const each of [silent, server]) each.close();
});
