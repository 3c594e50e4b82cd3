import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { BackupSettings } from "../config.ts";
import type { Drizzle, SqlClient } from "../database/connect.ts";
import { schedules } from "../database/schema.ts";
import { randomToken } from "../platform/secrets/secrets.ts";
import { BackupError } from "./format.ts";
import { type BackupReport, type BackupSource, takeBackup } from "./take.ts";
import { UploadsFolder } from "./uploads.ts";

/** Names sort by creation time. */
const FILE_NAME = /^snug-\d{8}T\d{6}Z\.tar(?:\.age)?$/;
const PARTIAL_FILE_NAME = /^snug-\d{8}T\d{6}Z\.tar(?:\.age)?\.partial$/;
/** Uploads that were last needed this long before the oldest backup started are deleted. */
const MARGIN_MS = 60 * 60_000;

/**
 * Takes a backup into `folder`, with uploads stored beside the archives, then deletes all but the
 * newest backups, uploads that no remaining backup needs, and leftovers of interrupted runs.
 * @throws as `takeBackup`; older backups are deleted only after the new one is complete
 */
export async function takeAndRotate(
  source: BackupSource,
  { folder, keep, recipients }: Omit<BackupSettings, "everyHours">,
  signal?: AbortSignal,
): Promise<BackupReport & { deleted: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const file = join(folder, `snug-${time}.tar${recipients.length > 0 ? ".age" : ""}`);
  const uploads = join(folder, "uploads");
  const report = await takeBackup(source, file, { recipients, uploadsFolder: uploads, signal });

  const names = await readdir(folder);
  const backups = names.filter((name) => FILE_NAME.test(name)).sort();
  const oldBackups = backups.slice(0, -keep);
  const partial = names.filter((name) => PARTIAL_FILE_NAME.test(name));
  for (const name of [...oldBackups, ...partial]) await rm(join(folder, name), { force: true });
  const oldest = backups.slice(-keep)[0];
  if (oldest) {
    await new UploadsFolder(uploads, recipients).prune(new Date(startOf(oldest) - MARGIN_MS));
  }
  return { ...report, deleted: oldBackups.length };
}

/** The time at which the backup with this file name started, in milliseconds. */
function startOf(name: string): number {
  const [, y, mo, d, h, mi, s] =
    /^snug-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name)?.map(Number) ?? [];
  return Date.UTC(y ?? 0, (mo ?? 1) - 1, d, h, mi, s);
}

const SCHEDULE = "backup";

/** Records the time of a successful backup. If the periodic job has never run, it becomes due immediately. */
export async function recordBackup(db: Drizzle, createdAt: string): Promise<void> {
  const lastSuccessAt = new Date(createdAt);
  await db
    .insert(schedules)
    .values({ name: SCHEDULE, nextAt: lastSuccessAt, lastSuccessAt })
    .onConflictDoUpdate({
      target: schedules.name,
      set: { lastSuccessAt: sql`greatest(${schedules.lastSuccessAt}, excluded.last_success_at)` },
    });
}

/** Returns the time of the newest backup, scheduled or manual; null before the first. */
export async function readLastBackup(client: SqlClient): Promise<Date | null> {
  const [row] = await client<{ at: Date | null }[]>`
    select last_success_at as at from schedules where name = ${SCHEDULE}`;
  return row?.at ?? null;
}

/** Creates the folder if necessary. @throws BackupError if no backup could be written there */
export async function checkBackupFolder(folder: string): Promise<void> {
  const path = join(folder, `.${randomToken().slice(0, 8)}.partial`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(path, "wx", 0o600);
    await handle.close();
    await rm(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BackupError(
      `BACKUP_DIR ${folder} cannot be written (${code ?? message}): set it to a folder of yours.`,
    );
  }
}
