import { type Binaries, prepareBinaries, supportedPlatform } from "./binaries.ts";
import { ensureCluster, SUPERUSER } from "./cluster.ts";
import { EmbeddedPostgresError, messageOf } from "./error.ts";
import { keepRunning } from "./supervise.ts";
import { type Lease, takeLease, withLock } from "./lock.ts";
import { type Paths, PORT, preparePaths } from "./paths.ts";
import {
  type ServerExit,
  findPostmaster,
  type Server,
  launchServer,
  type Postmaster,
  stopPostmaster,
} from "./server.ts";
import { DATABASE, openSession, type Session, whyNot } from "./session.ts";

export type EmbeddedPostgres = {
  /** For `postgres({ ...connection })`. `host` is the folder of the Unix socket, also usable as PGHOST. */
  connection: { host: string; port: number; username: string; database: string; password?: string };
  /** The last user stops the server. Idempotent; errors are logged, never thrown. */
  release(): Promise<void>;
};

/**
 * Starts, or attaches to, the PostgreSQL server under `${dataDir}/postgres`, and restarts it if it
 * dies, until released. Keeps the process alive until `release`.
 *
 * Two kernel locks make this safe for any number of processes (see lock.ts). The server is created,
 * started and stopped only under the exclusive `change.lock`. Every process that uses the server holds
 * `users.lock` shared. That lease is taken and released under the change lock, so that when several
 * processes leave at once exactly one is the last, and a new one finds a server that is either kept
 * alive or gone. Advisory locks in PostgreSQL would be lost with a killed server while its users still
 * run. A process that dies loses both locks and leaves a server to which the next process attaches.
 *
 * @param dataDir Snug's data folder, created if missing
 * @param options.log called with lines for the operator
 * @param options.signal aborts the start; a server that it started is stopped again
 * @throws EmbeddedPostgresError with a sentence for the operator; the signal's reason
 */
export async function startEmbedded(
  dataDir: string,
  options: { log?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  // Checked first, since an unsupported platform may have no uids.
  supportedPlatform();
  const paths = await preparePaths(dataDir);
  const binaries = await prepareBinaries(paths.account, paths.home, log);

  function withChangeLock<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const onWait = () => log("Waiting for another process that starts or stops PostgreSQL.");
    // The lock's holder may take as long as a start.
    const timeoutMs = START_TIMEOUT + 60_000;
    return withLock(paths.changeLock, { timeoutMs, onWait, signal }, work);
  }

  const { lease, session } = await withChangeLock(async () => {
    const lease = takeLease(paths.usersLock);
    try {
      await ensureCluster(paths, binaries, log);
      const session = await bringUp({ paths, binaries, lease, log, signal: options.signal });
      return { lease, session };
    } catch (error) {
      await endLease(lease, paths, log);
      throw error;
    }
  }, options.signal);

  const reconnect = (signal: AbortSignal): Promise<Session> =>
    withChangeLock(() => bringUp({ paths, binaries, lease, log, signal }), signal);
  const keeper = keepRunning(session, paths, reconnect, log);

  async function release(): Promise<void> {
    try {
      await keeper.stop();
      await withChangeLock(() => endLease(lease, paths, log));
    } catch (error) {
      lease.close();
      log(`PostgreSQL may still be running: ${messageOf(error)}`);
    }
  }
  let completion: Promise<void> | undefined;
  return {
    connection: { host: paths.socketDir, port: PORT, username: SUPERUSER, database: DATABASE },
    release: () => (completion ??= release()),
  };
}

/** Ends this process's use of the server, and stops the server if no other process uses it. */
async function endLease(lease: Lease, paths: Paths, log: (line: string) => void): Promise<void> {
  try {
    if (lease.alone()) await stopPostmaster(paths, log);
  } finally {
    // After the server has stopped and before the change lock is released.
    lease.close();
  }
}

type BringUp = {
  paths: Paths;
  binaries: Binaries;
  lease: Lease;
  log: (line: string) => void;
  signal?: AbortSignal;
};

// Replaying the WAL of a killed server takes minutes. A dead server is detected at once.
const START_TIMEOUT = 10 * 60_000;
// The processes of a killed server usually exit within moments, but a server whose pid file was deleted
// checks for it only once a minute. Until then a new one cannot start.
const REMAINS_TIMEOUT = 75_000;
// How long a server that reports to be ready may refuse connections before it is stopped.
const SILENT_TIMEOUT = 5000;
// How long a started server may take to write its pid file before it is killed.
const UNSEEN_TIMEOUT = 10_000;

/**
 * Attaches to the cluster's running server, or starts one, and returns once it accepts connections. The
 * caller must hold the change lock, so that no other process starts or stops the server. If the server
 * dies or is stopped by hand, it is started again. If this function throws after starting a server, the
 * server has a pid file by which it can be stopped.
 * @throws EmbeddedPostgresError if the server cannot be started or reached; the signal's reason
 */
async function bringUp(context: BringUp): Promise<Session> {
  const launch: Launch = { server: null };
  try {
    return await attachOrStart(context, launch);
  } catch (error) {
    if (launch.server) await waitForPidFile(launch.server, context.paths);
    throw error;
  }
}

type Launch = { server: Server | null };

async function attachOrStart(context: BringUp, launch: Launch): Promise<Session> {
  const { paths, binaries, log, signal } = context;
  const began = performance.now();
  let silentSince: number | null = null;
  let logAt = 5000;
  for (;;) {
    signal?.throwIfAborted();
    const elapsedMs = performance.now() - began;
    if (elapsedMs > START_TIMEOUT) {
      throw new EmbeddedPostgresError(
        `PostgreSQL is not ready after ${START_TIMEOUT / 60_000} minutes: read ${paths.log}, then start Snug again.`,
      );
    }
    if (elapsedMs > logAt) {
      logAt *= 2;
      log(`PostgreSQL is not ready yet after ${Math.round(elapsedMs / 1000)} s; see ${paths.log}.`);
    }

    const server = await findPostmaster(paths);
    if (server === null) {
      silentSince = null;
      const exit = launch.server?.exit() ?? null;
      if (exit !== null) await retryOrThrow(exit, elapsedMs, paths);
      if (launch.server === null || exit !== null) {
        if (launch.server === null)
          log(`Starting PostgreSQL ${binaries.version} in ${paths.cluster}.`);
        launch.server = await launchServer(paths, binaries);
      }
    } else {
      if (server.kind === "foreign") {
        throw new EmbeddedPostgresError(
          `A PostgreSQL that Snug did not start (pid ${server.pid}) serves ${paths.cluster}: stop it, then start Snug again.`,
        );
      }
      if (server.state === "ready") {
        const session = await attempt(paths);
        if (typeof session !== "string") return session;
        if (session === "not yet") silentSince = null;
        else silentSince ??= performance.now();
      }
      if (silentSince !== null && performance.now() - silentSince > SILENT_TIMEOUT) {
        await endSilent(server, context);
        silentSince = null;
      }
    }
    await Bun.sleep(elapsedMs < 2000 ? 3 : 20);
  }
}

/** Waits until a started server has written its pid file, which `stopPostmaster` needs. */
async function waitForPidFile(server: Server, paths: Paths): Promise<void> {
  const deadline = performance.now() + UNSEEN_TIMEOUT;
  while (server.exit() === null && (await findPostmaster(paths)) === null) {
    if (performance.now() > deadline) server.kill();
    await Bun.sleep(3);
  }
}

async function attempt(paths: Paths): Promise<Session | "not yet" | "nobody listens"> {
  try {
    return await openSession(paths);
  } catch (error) {
    const reason = whyNot(error);
    if (reason !== "refused") return reason;
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${paths.cluster} refuses Snug's connection (${messageOf(error)}): see ${paths.log}.`,
    );
  }
}

async function retryOrThrow(exit: ServerExit, elapsedMs: number, paths: Paths): Promise<void> {
  const remains = /shared memory block|lock file .* already exists/.test(exit.reason);
  if ((remains || exit.wasStopped) && elapsedMs < REMAINS_TIMEOUT) return await Bun.sleep(50);
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start (${exit.reason}): see ${paths.log}, or set DATABASE_URL.`,
  );
}

/**
 * Stops a running server whose socket is missing here, if no process uses it: the folder in /tmp was
 * cleaned, DATA_DIR was renamed, or the server has a private /tmp.
 */
async function endSilent(server: Postmaster, { paths, lease, log }: BringUp): Promise<void> {
  if (!lease.alone()) {
    throw new EmbeddedPostgresError(
      `PostgreSQL (pid ${server.pid}) is in use but cannot be reached in ${paths.socketDir}: stop the other Snug processes, or choose a shorter DATA_DIR, whose socket needs no folder in /tmp.`,
    );
  }
  log(`PostgreSQL (pid ${server.pid}) cannot be reached in ${paths.socketDir}; stopping it.`);
  await stopPostmaster(paths, log);
}
