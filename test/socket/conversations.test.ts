import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { SqlClient } from "../../src/database/connect.ts";
import { configureLog } from "../../src/platform/log.ts";
import type { ConnectionRegistry } from "../../src/socket/connection-registry.ts";
import { Conversations } from "../../src/socket/conversations.ts";
import { eventually } from "../support/wait.ts";

let written: ReturnType<typeof spyOn>;
beforeEach(() => {
  written = spyOn(process.stderr, "write").mockImplementation(() => true);
  configureLog({ level: "info", format: "json" });
});
afterEach(() => {
  written.mockRestore();
  configureLog({ level: process.env.LOG_LEVEL === "debug" ? "debug" : "error", format: "pretty" });
});

/** Conversations of an instance with one connected person, whose statements are `statements` and fail. */
function failing(statements: string[][]): Conversations {
  const sql = async (_: TemplateStringsArray, ...values: unknown[]) => {
    statements.push(values.at(-1) as string[]);
    throw new Error("the database is away");
  };
  const connections = { people: new Map([["ada", {}]]), conversations: new Map() };
  return new Conversations(
    sql as unknown as SqlClient,
    connections as unknown as ConnectionRegistry,
    { untilPublished: async () => {} },
  );
}

const lines = () => written.mock.calls.map(([line]: unknown[]) => JSON.parse(String(line)));

test("a statement that fails for many conversations is logged once, with their number", async () => {
  const statements: string[][] = [];
  const conversations = failing(statements);
  for (let i = 0; i < 40; i++) conversations.onGrowth(Bun.randomUUIDv7(), 1, "direct");
  await eventually(() => lines().length > 0);
  expect(statements.map((ids) => ids.length)).toEqual([40]);
  expect(lines()).toMatchObject([
    { message: "Reading conversations failed; the next sweep retries.", conversations: 40 },
  ]);
  // The next failure has a warning of its own.
  conversations.onGrowth(Bun.randomUUIDv7(), 1, "direct");
  await eventually(() => lines().length > 1);
  expect(lines()[1]).toMatchObject({ conversations: 1 });
});

test("a hint of a room costs no statement; one without a kind may be of a conversation", async () => {
  const statements: string[][] = [];
  const conversations = failing(statements);
  const [direct, unknown] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  conversations.onGrowth(Bun.randomUUIDv7(), 1, "room");
  conversations.onGrowth(direct, 1, "direct");
  conversations.onGrowth(unknown, 1, null);
  await eventually(() => lines().length > 0);
  expect(statements).toEqual([[direct, unknown]]);
});
