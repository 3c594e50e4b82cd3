import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./error.ts";

export type Account = {
  uid: number;
  gid: number;
  /** True if the account differs from this process's user, so that programs must be spawned with its uid. */
  isSwitched: boolean;
};

export function ownAccount(): Account {
  return { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1, isSwitched: false };
}

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. Without root it is the current user.
 * As root it is the owner of the existing folders, so that a `postgres` user installed later (or with
 * another uid) does not lock the server out of its data; otherwise `postgres`, otherwise `nobody`.
 * @param owners uids and gids of the cluster folder and its parent, as far as they exist
 * @throws EmbeddedPostgresError if the folders belong to another user, or no such user exists
 */
export function chooseAccount(owners: { uid: number; gid: number }[], folder: string): Account {
  const account = ownAccount();
  if (account.uid !== 0) {
    const otherOwner = owners.find((owner) => owner.uid !== account.uid);
    if (otherOwner === undefined) return account;
    throw new EmbeddedPostgresError(
      `${folder} belongs to user ${otherOwner.uid}, and this process is user ${account.uid}: run Snug as the user that owns it, or choose another DATA_DIR.`,
    );
  }
  const owner = owners.find((candidate) => candidate.uid !== 0);
  if (owner !== undefined) return { uid: owner.uid, gid: owner.gid, isSwitched: true };
  // macOS calls its user _postgres.
  for (const name of ["postgres", "_postgres", "nobody"]) {
    const entry = passwd().find((fields) => fields[0] === name);
    const uid = Number(entry?.[2]);
    const gid = Number(entry?.[3]);
    // On macOS the uid of nobody is -2, which spawn rejects.
    if (uid > 0 && gid > 0) return { uid, gid, isSwitched: true };
  }
  throw new EmbeddedPostgresError(
    "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as: run Snug as an ordinary user, or set DATABASE_URL.",
  );
}

/**
 * Whether `account` can reach `path`: each parent folder is searchable, and `path` itself is searchable
 * or executable. Ignores ACLs; a wrong "no" only costs a copy.
 */
export function canReach(path: string, account: Account): boolean {
  if (!account.isSwitched) return true;
  const { uid, gid, mode } = statSync(path);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return dirname(path) === path || canReach(dirname(path), account);
}

function passwd(): string[][] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
