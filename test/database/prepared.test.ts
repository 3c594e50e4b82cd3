import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { connectDatabase, type Database, type Query } from "../../src/database/connect.ts";
import { type Params, prepareQuery } from "../../src/database/prepared.ts";
import { customThemes, users } from "../../src/database/schema.ts";
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
  database = connectDatabase(await freshDatabase(), 1);
  await database.db.insert(users).values([ADA, BEN]);
});
afterAll(() => database.close());

let builds = 0;
const findUser = prepareQuery("find_user", (db, params: Params<{ id: string }>) => {
  builds += 1;
  return db.select({ username: users.username }).from(users).where(eq(users.id, params.id));
});

test("a query is built once and prepared once per connection, in transactions too", async () => {
  const { db } = database;
  builds = 0;
  expect(await findUser(db, { id: ADA.id })).toEqual([{ username: "ada" }]);
  expect(await findUser(db, { id: BEN.id })).toEqual([{ username: "ben" }]);
  expect(await findUser(db, { id: Bun.randomUUIDv7() })).toEqual([]);
  await db.transaction(async (tx) => {
    expect(await findUser(tx, { id: ADA.id })).toEqual([{ username: "ada" }]);
  });
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

test("rows are mapped as drizzle does: decoded, nested, and null where a join finds nothing", async () => {
  const { db } = database;
  const at = new Date("2026-01-02T03:04:05.600Z");
  await db.update(users).set({ lastSeenAt: at }).where(eq(users.id, ADA.id));
  const find = (tx: Query) =>
    tx
      .select({
        name: users.username,
        user: { id: users.id, lastSeenAt: users.lastSeenAt, quietHours: users.quietHours },
        theme: customThemes,
        count: sql<number>`(select count(*) from users)`.mapWith(Number),
        at: sql<Date>`timestamptz '2026-01-02 03:04:05.678+00'`.mapWith(users.createdAt),
      })
      .from(users)
      .leftJoin(customThemes, eq(customThemes.id, users.activeCustomThemeId))
      .orderBy(users.username);
  const expected = [
    {
      ...{ name: "ada", theme: null, count: 2, at: CREATED_AT },
      user: { id: ADA.id, lastSeenAt: at, quietHours: null },
    },
    {
      ...{ name: "ben", theme: null, count: 2, at: CREATED_AT },
      user: { id: BEN.id, lastSeenAt: null, quietHours: null },
    },
  ];
  expect(await find(db)).toEqual(expected as never);
  // Other than in UTC PostgreSQL writes the zone's offset.
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local timezone = 'Asia/Kolkata'`);
    expect(await find(tx)).toEqual(expected as never);
  });
  const [theme] = await db
    .insert(customThemes)
    .values({
      id: Bun.randomUUIDv7(),
      userId: ADA.id,
      name: "x",
      colors: {} as never,
      isDark: true,
    })
    .returning();
  await db.update(users).set({ activeCustomThemeId: theme?.id }).where(eq(users.id, ADA.id));
  expect((await find(db))[0]?.theme).toEqual(theme as never);
});
