import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import postgres from "postgres";

/** What is left of the driver's own queries when a connection ends. */

/** `AuthenticationOk` and `ReadyForQuery` (PostgreSQL 18, 54.7). */
const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

let server: Server;
let port: number;
let asked: Promise<string>;
beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  asked = promise;
  // Greets, and answers nothing that it is asked.
  server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(GREETING);
      socket.once("data", (bytes) => resolve(bytes.toString()));
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
});
afterEach(() => void server.close());

test.each([
  ["which types there are", {}, "typarray"],
  ["which server is the primary", { target_session_attrs: "primary" }, "transaction_read_only"],
])(
  "a client that ends while it asks %s fails its query, and nothing else",
  async (_, more, part) => {
    const sql = postgres({ host: "127.0.0.1", port, username: "ada", max: 1, ...more } as never);
    const outcome = sql`select 1`.then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect(await asked).toContain(part);
    await sql.end({ timeout: 0 });
    expect(await outcome).toBe("CONNECTION_DESTROYED");
  },
);
