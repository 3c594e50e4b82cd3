import { countKnownMigrations } from "../database/migrate.ts";
import { VERSION } from "../wire/version.ts";
import type { Command } from "./command.ts";

export const version: Command = {
  name: "version",
  summary: "print the version of Snug and of Bun; --version does the same",
  effect: "read",
  async run() {
    const json = { version: VERSION, bun: Bun.version, migrations: countKnownMigrations() };
    return { json, text: `Snug ${VERSION} (Bun ${Bun.version})` };
  },
};
