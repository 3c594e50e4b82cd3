import { baseUrlOf } from "../config.ts";
import { countKnownMigrations } from "../database/migrate.ts";
import { type OpenDatabase, withDatabase } from "../database/open.ts";
import { VERSION } from "../wire/version.ts";
import { type Command, formatCount, type Result } from "./command.ts";
import { doctor } from "./doctor.ts";

const migrate: Command = {
  name: "migrate",
  summary: "apply pending database migrations",
  effect: "operate",
  async run({ config }) {
    const report = async (_: unknown, { migrated, schema }: OpenDatabase): Promise<Result> => {
      const text =
        migrated === 0
          ? "The schema is up to date."
          : `Applied ${formatCount(migrated, "migration")}.`;
      return { json: { applied: migrated, total: schema.applied }, text };
    };
    return withDatabase(config, report, { schema: "migrate" });
  },
};

const version: Command = {
  name: "version",
  summary: "print the version of Snug and of Bun; --version does the same",
  effect: "read",
  async run() {
    const json = { version: VERSION, bun: Bun.version, migrations: countKnownMigrations() };
    return { json, text: `Snug ${VERSION} (Bun ${Bun.version})` };
  },
};

const demo: Command = {
  name: "demo",
  summary: "fill an empty service with example people, rooms and messages",
  effect: "operate",
  async run({ config }) {
    // Imported here because it loads the whole service, which would slow other commands down.
    const { createDemo } = await import("./demo/create.ts");
    const { usernames, password } = await createDemo(config);
    const text = `Sign in at ${baseUrlOf(config)} as ${usernames.join(", ")}. ada is the administrator.\nPassword of all accounts (shown once): ${password}`;
    return { json: { usernames, password }, text };
  },
};

export const operateCommands: Command[] = [migrate, doctor, version, demo];
