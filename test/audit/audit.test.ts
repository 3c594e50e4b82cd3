import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeAudit } from "../../src/audit/write.ts";
import { World } from "../support/world.ts";

const NO_TARGET = { id: null, name: null };
let world: World;
beforeAll(async () => {
  world = await World.start();
  const { user } = await world.person("ada", { isSiteAdmin: true });
  const actor = { actorId: user.id, ip: "127.0.0.1" };
  await world.database.db.transaction((tx) => writeAudit(tx, actor, "user.promote", NO_TARGET));
});
afterAll(() => world.stop());

test.each([
  "update admin_audit_log set details = '{}'",
  "update admin_audit_log set details = '{}' where false",
  "delete from admin_audit_log",
  "truncate admin_audit_log",
])("the database refuses: %s", async (statement) => {
  const done = world.database.sql.unsafe(statement);
  await expect(done).rejects.toMatchObject({ code: "23001" });
  expect(await world.database.sql`select from admin_audit_log`).toHaveLength(1);
});

test("a row is rolled back with its transaction", async () => {
  const [row] = await world.database.sql`select actor_id from admin_audit_log`;
  const done = world.database.db.transaction(async (tx) => {
    await writeAudit(tx, { actorId: row?.actor_id, ip: "-" }, "user.demote", NO_TARGET);
    throw new Error("taken back");
  });
  await expect(done).rejects.toThrow("taken back");
  expect(await world.database.sql`select from admin_audit_log`).toHaveLength(1);
});
