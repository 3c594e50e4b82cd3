import { recordBackup, takeAndRotate } from "../src/backup/scheduled.ts";
import { keysToSave } from "../src/backup/keys.ts";
import type { Config } from "../src/config.ts";
import type { Database } from "../src/database/connect.ts";
import type { Target } from "../src/database/target.ts";
import type { Jobs } from "../src/jobs-queue/job.ts";
import { getLogger } from "../src/platform/log.ts";
import type { Store } from "../src/platform/storage/open.ts";

const log = getLogger("backup");
const HOUR_MINUTES = 60;
/** A running backup renews its lease; after this time it is aborted and fails. */
const TIMEOUT_SECONDS = 24 * 3_600;

export type BackupDeps = {
  config: Pick<Config, "backup" | "dataDir" | "secretKey">;
  target: Target;
  database: Pick<Database, "db">;
  store: Store;
};

/** Creates the periodic backup job, in processes with a backup folder. */
export function createBackupJob(deps: BackupDeps): Pick<Jobs, "backup"> {
  const { config, target, database, store } = deps;
  const { backup } = config;
  if (!backup) return {};
  return {
    backup: {
      concurrency: 1,
      timeoutSeconds: TIMEOUT_SECONDS,
      everyMinutes: backup.everyHours * HOUR_MINUTES,
      async run(_, { signal }) {
        const source = { target, storage: store.storage, secretKeys: await keysToSave(config) };
        const summary = await takeAndRotate(source, backup, signal);
        const { bytes, rows, uploads, missing } = summary;
        await recordBackup(database.db, summary.created_at);
        log.info("A backup was taken.", { bytes, rows, uploads });
        if (missing.length > 0) {
          log.warn("The storage lacks uploads that messages show.", { count: missing.length });
        }
      },
    },
  };
}
