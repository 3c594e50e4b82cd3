import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateUser, demoteUser } from "../../src/accounts/administer.ts";
import { lockUser } from "../../src/users/users.ts";
import type { Client } from "../support/client.ts";
import { World } from "../support/world.ts";

let world: World;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person("ada", { isSiteAdmin: true });
  bob = await world.person("bob", { isSiteAdmin: true });
});
afterAll(() => world.stop());

const act = (work: typeof deactivateUser, by: Client, on: Client) =>
  world.database.db.transaction(async (tx) =>
    work(tx, { actorId: by.user.id, ip: "-" }, await lockUser(tx, { id: on.user.id })),
  );
const rows = async () => (await world.database.sql`select from admin_audit_log`).length;

describe("an administrator", () => {
  test.each([deactivateUser, demoteUser])("cannot %p their own account", async (work) => {
    await expect(act(work, ada, ada)).rejects.toMatchObject({ code: "self_lockout" });
    expect(await rows()).toBe(0);
  });

  test("remains when two deactivate or demote each other concurrently", async () => {
    const done = await Promise.allSettled([
      act(deactivateUser, ada, bob),
      act(demoteUser, bob, ada),
    ]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const match = done.find((item) => item.status === "rejected");
    expect(match).toMatchObject({ reason: { code: "last_admin" } });
    expect(await rows()).toBe(1);
  });
});
