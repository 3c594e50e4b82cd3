import { chmodSync, constants, existsSync, lstatSync } from "node:fs";
import { copyFile, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { canReach, ownAccount, type Account } from "./account.ts";
import { EmbeddedPostgresError, messageOf } from "./error.ts";

type CopyRequest = {
  /** The package's folder of programs and libraries. */
  native: string;
  /** The copy's name, with its version in it, so that an upgrade makes another. */
  name: string;
  account: Account;
  home: string;
  log: (line: string) => void;
};

/**
 * Copies PostgreSQL's programs (about 60 MB) to a folder from which `account` can run them: the project
 * may be below a private home, which the user that root switches to cannot enter, or be read-only
 * without its library links. Once per version, for all data folders of the machine.
 * @param complete adds the library links to the copy before it is put in place.
 * @returns the folder with bin/, lib/ and share/.
 * @throws EmbeddedPostgresError if no such folder is available.
 */
export async function copyOut(
  request: CopyRequest,
  complete: (folder: string) => Promise<unknown>,
): Promise<string> {
  const { account, home, name, log } = request;
  const parents = account.switched ? ["/var/cache/snug", home] : [home];
  const failures: string[] = [];
  for (const parent of parents) {
    const folder = join(parent, name);
    try {
      if (existsSync(folder)) {
        checkOwner(folder);
      } else {
        await mkdir(parent, { recursive: true, mode: 0o755 });
        // The server runs as another user; a strict umask may have made the folder private by accident.
        if (parent !== home) chmodSync(parent, 0o755);
        if (!canReach(parent, account))
          throw new Error(`user ${account.uid} cannot enter ${parent}`);
        log(`Copying PostgreSQL's programs to ${folder}, where user ${account.uid} can run them.`);
        await copyTo(request.native, folder, complete);
      }
      return folder;
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new EmbeddedPostgresError(
    `User ${account.uid} cannot run PostgreSQL from ${dirname(request.native)}, nor could it be copied (${failures.join("; ")}): move Snug to a folder that everyone can enter, such as /opt, or set DATABASE_URL.`,
  );
}

async function copyTo(
  native: string,
  folder: string,
  complete: (folder: string) => Promise<unknown>,
): Promise<void> {
  await removeLeftovers(folder);
  const temporary = `${folder}.${process.pid}-${crypto.randomUUID()}`;
  try {
    await copyTree(native, temporary);
    await complete(temporary);
    // A process that comes second finds the folder filled, and uses that.
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o755 });
  chmodSync(to, 0o755);
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      // Only needed for compiling; a quarter of the files.
      if (/^(pgxs|pkgconfig)$|\.a$/.test(entry.name)) return;
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return await copyTree(source, target);
      if (!entry.isFile()) return;
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      const handle = await open(target, "r+");
      // Modes may come from a strict umask. Without the flush, a power failure soon after would leave
      // a folder that looks complete and has empty libraries.
      await handle.chmod((await lstat(source)).mode & 0o111 ? 0o755 : 0o644);
      await handle.sync();
      await handle.close();
    }),
  );
}

/** Removes copies that were killed half-way; one in progress is younger than an hour. */
async function removeLeftovers(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (!path.startsWith(`${folder}.`)) continue;
    const { mtimeMs } = lstatSync(path);
    if (Date.now() - mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true });
  }
}

function checkOwner(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (uid !== ownAccount().uid || (mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(`${folder} can be changed by others: remove it.`);
  }
}
