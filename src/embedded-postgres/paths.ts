import { constants, statSync } from "node:fs";
import { chmod, lchown, lstat, mkdir, open, readdir, realpath, rmdir } from "node:fs/promises";
import { join } from "node:path";

import { chooseAccount, ownAccount, type Account } from "./account.ts";
import { codeOf, EmbeddedPostgresError, messageOf } from "./error.ts";

export const PORT = 5432;

/*
 * DATA_DIR/postgres      ours (0700; as root 0711, so that PostgreSQL's user may pass through)
 *   cluster/             PGDATA, 0700, PostgreSQL's user
 *   run/                 the socket, 0700, PostgreSQL's user
 *   server.log(.1)       PostgreSQL's log
 *   change.lock          held to start or stop the server
 *   users.lock           held, shared, by everyone who uses it
 *
 * As root, nothing in a folder that PostgreSQL's user can write to is opened for writing or gets another
 * owner or mode: with a link there, that user could make root do it to any other file.
 */

export type Paths = {
  home: string;
  cluster: string;
  /** The folder of the socket, which is also the `host` of a connection. */
  socketDir: string;
  /** The same folder, as the server's settings name it: relative to `cluster`. */
  socketSetting: string;
  log: string;
  changeLock: string;
  usersLock: string;
  account: Account;
};

// sun_path holds 104 bytes on macOS and 108 on Linux, including the terminating zero.
const MAX_SOCKET_PATH = 103;

/** Whether a data folder has a PostgreSQL cluster; also true if this user cannot tell. */
export function hasCluster(dataDir: string): boolean {
  try {
    statSync(join(dataDir, "postgres/cluster"));
    return true;
  } catch (error) {
    return codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR";
  }
}

/**
 * Creates the folders and files under `${dataDir}/postgres` that need no lock. Several processes may
 * call this at once.
 * @throws EmbeddedPostgresError if a folder belongs to another user or is not writable
 */
export async function preparePaths(dataDir: string): Promise<Paths> {
  try {
    await mkdir(join(dataDir, "postgres"), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot create ${join(dataDir, "postgres")} (${messageOf(error)}): set DATA_DIR to a folder that you can write to.`,
    );
  }
  const home = await realpath(join(dataDir, "postgres"));
  const cluster = join(home, "cluster");
  const homeOwner = await lstat(home);
  const clusterOwner = await lstat(cluster).catch(() => null);
  const account = chooseAccount(clusterOwner ? [clusterOwner, homeOwner] : [homeOwner], home);
  await chmod(home, homeOwner.uid === 0 && account.isSwitched ? 0o711 : 0o700);
  if (clusterOwner !== null && clusterOwner.uid !== account.uid) await chownTree(cluster, account);

  const changeLock = join(home, "change.lock");
  const usersLock = join(home, "users.lock");
  for (const file of [changeLock, usersLock]) await createFor(homeOwner, file);

  const socketDir = await prepareSocketDir(home, account);
  const socketSetting = socketDir === join(home, "run") ? "../run" : socketDir;
  const log = join(home, "server.log");
  return { home, cluster, socketDir, socketSetting, log, changeLock, usersLock, account };
}

/**
 * Creates the folder for the socket. It is in the data folder, unless that path is too long for a
 * socket or contains a character that separates hosts in a connection string; then it is in /tmp, with
 * a name derived from the data folder. $TMPDIR is not used, since it often differs between a service
 * and a shell.
 */
async function prepareSocketDir(home: string, account: Account): Promise<string> {
  const near = join(home, "run");
  const fits = Buffer.byteLength(`${near}/.s.PGSQL.${PORT}`) <= MAX_SOCKET_PATH;
  if (fits && !/[,:]/.test(near)) return await privateFolder(near, account);
  const name = new Bun.CryptoHasher("sha256").update(home).digest("hex").slice(0, 24);
  return await privateFolder(`/tmp/snug-${name}`, account);
}

async function privateFolder(path: string, account: Account): Promise<string> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  let stats = await lstat(path);
  if (stats.isDirectory() && stats.uid === ownAccount().uid && account.isSwitched) {
    await lchown(path, account.uid, account.gid);
    stats = await lstat(path);
  }
  if (!stats.isDirectory() || stats.uid !== account.uid) {
    // Anyone can create a folder with this name in /tmp, and would then own the socket.
    throw new EmbeddedPostgresError(
      `${path}, for PostgreSQL's socket, belongs to user ${stats.uid} and not to user ${account.uid}: remove it, or choose a shorter DATA_DIR.`,
    );
  }
  if ((stats.mode & 0o777) !== 0o700) {
    if (account.isSwitched) {
      throw new EmbeddedPostgresError(
        `${path}, for PostgreSQL's socket, is open to others: remove it.`,
      );
    }
    await chmod(path, 0o700);
  }
  return path;
}

/** Removes the socket folder if it is in /tmp. The server must be stopped and the change lock held. */
export async function removeSocketDir(paths: Paths): Promise<void> {
  if (paths.socketDir === paths.socketSetting) await rmdir(paths.socketDir).catch(() => {});
}

/** Creates the socket folder again, since the process that stopped the server may have removed it. */
export async function restoreSocketDir(paths: Paths): Promise<void> {
  await privateFolder(paths.socketDir, paths.account);
}

/** Creates an empty file owned by the owner of its folder; does not open an existing one. */
async function createFor(owner: { uid: number; gid: number }, file: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  try {
    const handle = await open(file, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    if (owner.uid !== ownAccount().uid) await handle.chown(owner.uid, owner.gid);
    await handle.close();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Changes the owner of a backup that root unpacked to the server's user. */
async function chownTree(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), account.uid, account.gid);
  }
  await lchown(folder, account.uid, account.gid);
}
