import { expect, test } from "bun:test";
import { connectDatabase } from "../../src/database/connect.ts";
import {
  countAppliedMigrations,
  countKnownMigrations,
  migrateDatabase,
} from "../../src/database/migrate.ts";
import { enqueueJob } from "../../src/jobs-queue/enqueue.ts";
import { freshDatabase } from "../support/database.ts";

test("instances that migrate an empty database at once make one queue", async () => {
  const target = await freshDatabase();
  const database = connectDatabase(target, 2);
  await database.sql`drop schema public, drizzle cascade`;
  await database.sql`create schema public`;
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(target)));
  expect(applied.sort()).toEqual([0, 0, 0, countKnownMigrations()]);
  expect(await countAppliedMigrations(database.sql)).toBe(countKnownMigrations());
  expect(await enqueueJob(database.db, { kind: "sweep", payload: {} })).toBe(true);
  await database.close();
});
