import { generatePassword } from "../../sign-in/passwords.ts";
import { hasAccount, insertUser, lockFirstAccount } from "../../users/create-user.ts";
import { prepareUser } from "../../accounts/create-account.ts";
import type { Config } from "../../config.ts";
import type { Database, Drizzle } from "../../database/connect.ts";
import type { Target } from "../../database/target.ts";
import { withDatabase } from "../../database/open.ts";
import { configureLog } from "../../platform/log.ts";
import { Refusal } from "../../platform/refusal.ts";
import { startService } from "../../service.ts";
import { dateIds } from "./backdate.ts";
import { tellStory } from "./tell-story.ts";
import { PEOPLE } from "./story.ts";

/** @throws Refusal `forbidden` if an account exists */
export function createDemo(config: Config): Promise<{ usernames: string[]; password: string }> {
  const work = async (database: Database, { target }: { target: Target }) => {
    // Hundreds of request log lines would hide the relevant ones.
    configureLog({ ...config.log, level: "warn" });
    const password = generatePassword();
    await createPeople(database.db, password);
    // Uses a free loopback port, since a service may be running.
    const service = await startService({ ...config, host: "127.0.0.1", port: 0 }, target);
    try {
      await tellStory(database.db, service.address, password);
    } finally {
      await service.stop();
    }
    await dateIds(database.db);
    return { usernames: PEOPLE.map(({ username }) => username), password };
  };
  return withDatabase(config, work, { schema: "migrate", creates: true });
}

/** @throws Refusal `forbidden` if an account exists, so that example people are not mixed with real ones */
async function createPeople(db: Drizzle, password: string): Promise<void> {
  const accounts = await Promise.all(
    PEOPLE.map(async ({ username, name: displayName, timeZone }) => {
      const email = `${username}@example.org`;
      const isSiteAdmin = username === "ada";
      const user = await prepareUser({ username, email, password, displayName, isSiteAdmin });
      return { ...user, timeZone };
    }),
  );
  await db.transaction(async (tx) => {
    await lockFirstAccount(tx);
    if (await hasAccount(tx)) {
      throw new Refusal(
        "forbidden",
        "This Snug already has accounts. The demo needs an empty one.",
      );
    }
    for (const account of accounts) await insertUser(tx, account);
  });
}
