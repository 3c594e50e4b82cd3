import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import postgres from "postgres";
import { isUnavailable } from "../../src/database/errors.ts";

/** Messages of PostgreSQL (18, 54.7): `AuthenticationOk`, `ReadyForQuery` and `CommandComplete`. */
const OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const ready = (state: string) => Buffer.from([0x5a, 0, 0, 0, 5, state.charCodeAt(0)]);
const complete = (tag: string) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(tag.length + 5);
  return Buffer.concat([Buffer.from("C"), length, Buffer.from(`${tag}\0`)]);
};

let server: Server;
let port: number;
beforeAll(async () => {
  // Has lost what was written in the transaction, and says so in the tag of the commit alone.
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(Buffer.concat([OK, ready("I")]));
      socket.on("data", (bytes) => {
        const isBegin = bytes.includes("begin");
        const tag = isBegin ? "BEGIN" : bytes.includes("commit") ? "ROLLBACK" : "INSERT 0 1";
        socket.write(Buffer.concat([complete(tag), ready(tag === "ROLLBACK" ? "I" : "T")]));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => void server.close());

test("a transaction whose commit is answered with ROLLBACK has failed, and may be retried", async () => {
  const sql = postgres({ host: "127.0.0.1", port, username: "ada", max: 1, fetch_types: false });
  const outcome = await sql
    .begin((tx) => tx`insert into rooms default values`.simple())
    .catch((error: unknown) => error);
  expect(outcome).toMatchObject({ code: "TRANSACTION_ROLLED_BACK" });
  expect(isUnavailable(outcome)).toBe(true);
  await sql.end({ timeout: 0 });
});
