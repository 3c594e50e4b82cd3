import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { randomToken } from "../platform/secrets.ts";
import { BackupError } from "./format.ts";

/**
 * Creates the folder for backups, and a file in it.
 * @throws BackupError where a backup would fail
 */
export async function tryFolder(folder: string): Promise<void> {
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
