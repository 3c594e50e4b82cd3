import { Database } from "bun:sqlite";

import { codeOf, EmbeddedPostgresError, messageOf } from "./error.ts";

/**
 * Interprocess locks held by the kernel: they end with their process, so no lock is ever stale. Bun has
 * no flock(2), but SQLite takes shared and exclusive POSIX locks on the file that it opens (on Linux
 * and macOS). Nothing is ever written to the file.
 *
 * A process loses a POSIX lock as soon as it closes any descriptor of the file. SQLite tracks its own
 * descriptors; no other code may open these files (creating them with O_EXCL is fine).
 */

// Prevents garbage collection of the databases, which would release their locks.
const openDatabases = new Set<Database>();

/** A shared lock on a file, held by every process that uses the server. */
export type Lease = {
  /** True if there is no other lease. Reliable only while new leases are prevented. */
  alone(): boolean;
  close(): void;
};

type WaitOptions = {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called once if the lock is not available within two seconds. */
  onWait?: () => void;
};

/**
 * Runs `work` while holding an exclusive lock on `file`, across processes and within this one.
 * @throws EmbeddedPostgresError if the lock times out or the file system does not support locks; the
 * signal's reason when aborted; errors of `work`
 */
export async function withLock<T>(
  file: string,
  options: WaitOptions,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  let hasLogged = false;
  let lock = tryExclusive(file);
  while (lock === null) {
    options.signal?.throwIfAborted();
    const waitedMs = performance.now() - began;
    if (waitedMs > options.timeoutMs) {
      throw new EmbeddedPostgresError(
        `Another process holds ${file} for more than ${Math.round(waitedMs / 1000)} s: end the Snug process that hangs, then start again.`,
      );
    }
    if (waitedMs > 2000 && !hasLogged) {
      hasLogged = true;
      options.onWait?.();
    }
    await Bun.sleep(waitedMs < 1000 ? 4 : 25);
    lock = tryExclusive(file);
  }
  try {
    return await work();
  } finally {
    close(lock);
  }
}

/** @throws EmbeddedPostgresError if the file system does not support locks */
export function takeLease(file: string): Lease {
  let lease: Database | null = share(file);
  return {
    alone() {
      if (lease !== null) close(lease);
      const exclusive = tryExclusive(file);
      if (exclusive !== null) close(exclusive);
      lease = lease === null ? null : share(file);
      return exclusive !== null;
    },
    close() {
      if (lease !== null) close(lease);
      lease = null;
    },
  };
}

function share(file: string): Database {
  const database = open(file);
  try {
    database.run("BEGIN");
    // SQLite takes the shared lock at the first read, not at BEGIN.
    database.query("SELECT count(*) FROM sqlite_master").get();
    return database;
  } catch (error) {
    close(database);
    throw noLocks(file, error);
  }
}

function tryExclusive(file: string): Database | null {
  const database = open(file);
  try {
    database.run("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    close(database);
    if (codeOf(error).startsWith("SQLITE_BUSY")) return null;
    throw noLocks(file, error);
  }
}

function open(file: string): Database {
  try {
    const database = new Database(file, { readwrite: true, create: true });
    openDatabases.add(database);
    return database;
  } catch (error) {
    throw noLocks(file, error);
  }
}

function close(database: Database): void {
  openDatabases.delete(database);
  database.close();
}

function noLocks(file: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot lock ${file} (${messageOf(error)}): put DATA_DIR on a local disk that you can write to, or set DATABASE_URL.`,
  );
}
