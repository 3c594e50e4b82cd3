import { afterAll, beforeAll, expect, test } from "bun:test";
import { audit } from "../../src/audit/audit.ts";
import { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
  const { user } = await world.person("ada", { isSiteAdmin: true });
  const by = { actorId: user.id, ip: "127.0.0.1" };
  const what = { action: "user.promote", targetType: "user", targetId: null, targetName: null };
  await world.database.db.transaction((tx) => audit(tx, { ...by, ...what }));
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

test("a row goes with its transaction", async () => {
  const [row] = await world.database.sql`select actor_id from admin_audit_log`;
  const what = { action: "x.y", targetType: "user", targetId: null, targetName: null };
  const done = world.database.db.transaction(async (tx) => {
    await audit(tx, { actorId: row?.actor_id, ip: "-", ...what });
    throw new Error("taken back");
  });
  await expect(done).rejects.toThrow("taken back");
  expect(await world.database.sql`select from admin_audit_log`).toHaveLength(1);
});
