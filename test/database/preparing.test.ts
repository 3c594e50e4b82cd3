import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { connectDatabase, type Database } from "../../src/database/connect.ts";
import { uploadSettings, users } from "../../src/database/schema.ts";
import { freshDatabase } from "../support/database.ts";

let database: Database;
beforeAll(async () => {
  database = connectDatabase(await freshDatabase(), 1);
});
afterAll(() => database.close());

test("drizzle's queries are prepared, one by one and in transactions, with and without parameters", async () => {
  const { db } = database;
  await db.select({ id: users.id }).from(users).where(eq(users.username, "ada"));
  await db.select({ limit: uploadSettings.maxBytes }).from(uploadSettings);
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in row exclusive mode`);
    await tx.update(users).set({ displayName: "Ada" }).where(eq(users.username, "ada"));
    await tx.execute(sql`select count(*) from users where username = ${"ada"}`);
    await tx.transaction((inner) => inner.delete(users).where(eq(users.username, "ada")));
  });
  const prepared = await db.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements`,
  );
  const texts = prepared.map(({ statement }) => statement).join("\n");
  expect(texts).toContain('select "id" from "users"');
  expect(texts).toContain('select "max_bytes" from "upload_settings"');
  expect(texts).toContain('update "users"');
  expect(texts).toContain('delete from "users"');
  expect(texts).toContain("select count(*) from users where username = $1");
});
