import { makePassword } from "../../accounts/passwords.ts";
import { createUser } from "../../accounts/users.ts";
import { baseUrlOf } from "../../config.ts";
import type { Drizzle } from "../../database/connect.ts";
import { withDatabase } from "../../database/open.ts";
import { hasAccount, lockFirstAccount } from "../../accounts/first-account.ts";
import { configureLog } from "../../platform/log.ts";
import { Refusal } from "../../platform/refusal.ts";
import { startService } from "../../service.ts";
import type { Command } from "../command.ts";
import { fill } from "./fill.ts";
import { PEOPLE } from "./story.ts";

/** Fills an empty service by using it: whatever works in the demo works. */
export const demo: Command = {
  name: "demo",
  usage: "",
  summary: "fill an empty service with people, rooms and messages to look around in",
  words: 0,
  run: ({ config }) =>
    withDatabase(config, async (database, { target }) => {
      // Hundreds of lines about requests would hide the few that matter.
      configureLog({ ...config.log, level: "warn" });
      const password = makePassword();
      await makePeople(database.db, password);
      // Beside one that may be running: on a port of its own, on loopback.
      const service = await startService({ ...config, host: "127.0.0.1", port: 0 }, target);
      try {
        await fill(database.sql, service.address, password);
      } finally {
        await service.stop();
      }
      const usernames = PEOPLE.map(({ username }) => username);
      const text = `Sign in at ${baseUrlOf(config)} as ${usernames.join(", ")}. ada is the administrator.\nPassword of all (shown once): ${password}`;
      return { json: { usernames, password }, text };
    }),
};

/** @throws Refusal where anyone has an account: real people are not mixed with made-up ones */
function makePeople(db: Drizzle, password: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    if (await hasAccount(tx)) {
      throw new Refusal("forbidden", "This Snug is in use. The demo needs an empty one.");
    }
    for (const { username, name } of PEOPLE) {
      await createUser(tx, {
        username,
        email: `${username}@example.org`,
        password,
        displayName: name,
        isSiteAdmin: username === "ada",
      });
    }
  });
}
