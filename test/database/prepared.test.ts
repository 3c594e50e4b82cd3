import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { connect, type Database } from "../../src/database/connect.ts";
import { type Params, prepareQuery } from "../../src/database/prepared.ts";
import { users } from "../../src/database/schema.ts";
import { freshDatabase } from "../support/database.ts";

let database: Database;
const CREATED_AT = new Date("2026-01-02T03:04:05.678Z");
const [ADA, BEN] = ["ada", "ben"].map((username) => ({
  id: Bun.randomUUIDv7(),
  username,
  email: `${username}@example.org`,
  passwordHash: "",
  createdAt: CREATED_AT,
})) as [typeof users.$inferInsert & { id: string }, typeof users.$inferInsert & { id: string }];

beforeAll(async () => {
  database = connect(await freshDatabase(), 1);
  await database.db.insert(users).values([ADA, BEN]);
});
afterAll(() => database.close());

let builds = 0;
const findUser = prepareQuery("find_user", (db, params: Params<{ id: string }>) => {
  builds += 1;
  return db.select({ username: users.username }).from(users).where(eq(users.id, params.id));
});

test("a query is built once per client and prepared once per connection", async () => {
  const { db } = database;
  builds = 0;
  expect(await findUser(db, { id: ADA.id })).toEqual([{ username: "ada" }]);
  expect(await findUser(db, { id: BEN.id })).toEqual([{ username: "ben" }]);
  expect(await findUser(db, { id: Bun.randomUUIDv7() })).toEqual([]);
  expect(builds).toBe(1);
  const prepared = await db.execute(
    sql`select 1 from pg_prepared_statements where statement like 'select "username" from "users"%'`,
  );
  expect(prepared).toHaveLength(1);
});

test("a query sees what its transaction has written", async () => {
  await database.db.transaction(async (tx) => {
    await tx.update(users).set({ username: "ada2" }).where(eq(users.id, ADA.id));
    expect(await findUser(tx, { id: ADA.id })).toEqual([{ username: "ada2" }]);
    await tx.update(users).set({ username: "ada" }).where(eq(users.id, ADA.id));
    expect(await findUser(tx, { id: ADA.id })).toEqual([{ username: "ada" }]);
  });
});

test("a parameter can be a list, or a Date that its column encodes", async () => {
  const findUsers = prepareQuery("find_users", (db, params: Params<{ ids: string[]; at: Date }>) =>
    db
      .select({ username: users.username, createdAt: users.createdAt })
      .from(users)
      .where(
        sql`${users.id} = any(${params.ids}) and ${users.createdAt} = ${sql.param(params.at, users.createdAt)}`,
      ),
  );
  expect(await findUsers(database.db, { ids: [BEN.id], at: CREATED_AT })).toEqual([
    { username: "ben", createdAt: CREATED_AT },
  ]);
  expect(await findUsers(database.db, { ids: [], at: CREATED_AT })).toEqual([]);
});

test("a query declares its placeholders by itself where no types are wanted", async () => {
  const findByName = prepareQuery("find_by_name", (db) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.username, sql.placeholder("username"))),
  );
  expect(await findByName(database.db, { username: "ben" })).toEqual([{ id: BEN.id }]);
});
