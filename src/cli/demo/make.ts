import { generatePassword } from "../../accounts/passwords.ts";
import { createUser } from "../../accounts/create-user.ts";
import type { Config } from "../../config.ts";
import type { Drizzle } from "../../database/connect.ts";
import { withDatabase } from "../../database/open.ts";
import { hasAccount, lockFirstAccount } from "../../accounts/first-account.ts";
import { configureLog } from "../../platform/log.ts";
import { Refusal } from "../../platform/refusal.ts";
import { startService } from "../../service.ts";
import { fill } from "./fill.ts";
import { PEOPLE } from "./story.ts";

/**
 * Fills an empty service by using it: whatever works in the demo works.
 * @returns who was made, and the password of all
 * @throws Refusal `forbidden` where anyone has an account
 */
export function makeDemo(config: Config): Promise<{ usernames: string[]; password: string }> {
  return withDatabase(config, async (database, { target }) => {
    // Hundreds of lines about requests would hide the few that matter.
    configureLog({ ...config.log, level: "warn" });
    const password = generatePassword();
    await makePeople(database.db, password);
    // Beside one that may be running: on a port of its own, on loopback.
    const service = await startService({ ...config, host: "127.0.0.1", port: 0 }, target);
    try {
      await fill(database.sql, service.address, password);
    } finally {
      await service.stop();
    }
    return { usernames: PEOPLE.map(({ username }) => username), password };
  });
}

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
