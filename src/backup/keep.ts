import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BackupReport, type BackupSource, takeBackup } from "./take.ts";
import { UploadsFolder } from "./uploads.ts";

/** Where backups are kept, how many, and for whom they are encrypted. */
export type BackupSettings = {
  folder: string;
  keep: number;
  recipients: readonly string[];
};

/** A name that sorts by time. */
const NAME = /^snug-\d{8}T\d{6}Z\.tar(?:\.age)?$/;
const PARTIAL = /^snug-\d{8}T\d{6}Z\.tar(?:\.age)?\.partial$/;
/** The uploads of a backup are copied, or marked as needed, before its archive gets its name. */
const MARGIN_MS = 60 * 60_000;

/**
 * Takes a backup into a folder of several, with the uploads beside it, and deletes all but the newest
 * of them, the uploads that only those had, and what an interrupted one has left.
 * @throws as `takeBackup`; older backups are deleted only after a new one
 */
export async function takeAndRotate(
  source: BackupSource,
  { folder, keep, recipients }: BackupSettings,
  signal?: AbortSignal,
): Promise<BackupReport & { deleted: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const file = join(folder, `snug-${time}.tar${recipients.length > 0 ? ".age" : ""}`);
  const uploads = join(folder, "uploads");
  const report = await takeBackup(source, file, { recipients, uploadsFolder: uploads, signal });

  const names = await readdir(folder);
  const backups = names.filter((name) => NAME.test(name)).sort();
  const old = backups.slice(0, -keep);
  const left = names.filter((name) => PARTIAL.test(name));
  for (const name of [...old, ...left]) await rm(join(folder, name), { force: true });
  const oldest = backups.slice(-keep)[0];
  if (oldest) {
    await new UploadsFolder(uploads, recipients).prune(new Date(startOf(oldest) - MARGIN_MS));
  }
  return { ...report, deleted: old.length };
}

/** When the backup of this name was begun. */
function startOf(name: string): number {
  const [, y, mo, d, h, mi, s] =
    /^snug-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name)?.map(Number) ?? [];
  return Date.UTC(y ?? 0, (mo ?? 1) - 1, d, h, mi, s);
}
