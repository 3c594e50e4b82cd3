import { afterAll, beforeAll, expect, test } from "bun:test";
import { setUserPassword } from "../../src/accounts/administer.ts";
import { hashPassword } from "../../src/sign-in/passwords.ts";
import type { Client } from "../support/client.ts";
import { repeats, seeded } from "../support/soak.ts";
import { PASSWORD, World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  // Each request from an address of its own, so that no limit is reached.
  world = await World.start({ TRUST_PROXY: "1" });
});
afterAll(() => world.stop());

let addresses = 0;
function login(username: string, password: string) {
  const address = `2001:db8:${(++addresses).toString(16)}::1`;
  const headers = { "x-forwarded-for": address };
  return world.anonymous.call("POST", "/api/auth/login", { username, password }, headers);
}

test(
  "no session of an old password is left after sign-ins, changes and resets at the same time",
  async () => {
    const random = seeded(20_261);
    for (let round = 0; round < repeats(2, 200); round++) {
      const username = `racer-${round}`;
      const client: Client = await world.person(username);
      const reset = `reset password ${round}`;
      const hash = await hashPassword(reset, []);
      const work: (() => Promise<unknown>)[] = [
        ...Array.from({ length: 6 }, () => () => login(username, PASSWORD)),
        ...Array.from(
          { length: 2 },
          (_, i) => () =>
            client.put("/api/auth/me/password", {
              current_password: PASSWORD,
              new_password: `changed password ${i}`,
            }),
        ),
      ];
      work.splice(Math.floor(random() * (work.length + 1)), 0, () =>
        world.administer(username, (tx, actor, user) => setUserPassword(tx, actor, user, hash)),
      );
      await Promise.all(work.map((start) => start()));
      const rows = await world.database.sql`
        select from sessions where user_id = ${client.user.id}`;
      expect({ round, left: rows.length }).toEqual({ round, left: 0 });
      expect((await login(username, reset)).status).toBe(200);
    }
  },
  { timeout: 3_600_000 },
);
