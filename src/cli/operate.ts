import { type OpenDatabase, withDatabase } from "../database/open.ts";
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

export const operateCommands: Command[] = [migrate, doctor];
