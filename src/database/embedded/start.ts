import { prepareBinaries, supportedPlatform } from "./binaries.ts";
import { bringUp, START_TIMEOUT } from "./bring-up.ts";
import { ensureCluster, SUPERUSER } from "./cluster.ts";
import { messageOf } from "./error.ts";
import { keepRunning } from "./keep.ts";
import { takeLease, withLock, type Lease } from "./lock.ts";
import { PORT, preparePlaces } from "./places.ts";
import { stopPostmaster } from "./postmaster.ts";
import { DATABASE, type Session } from "./session.ts";

export { EmbeddedPostgresError } from "./error.ts";

export type EmbeddedPostgres = {
  /** For `postgres({ ...connection })`: `host` is the folder of the unix socket, also for PGHOST. */
  connection: { host: string; port: number; username: string; database: string; password?: string };
  /**
   * Leaves the cluster; stops the server if nobody else uses it, which closes what connections to
   * it remain. Idempotent, and never rejects: what goes wrong is logged.
   */
  release(): Promise<void>;
};

/**
 * Starts, or attaches to, the PostgreSQL under `${dataDir}/postgres`, and keeps it running until
 * released: it comes back if it is killed. The process does not end by itself before `release`.
 *
 * Two kernel locks make this safe for any number of processes (see lock.ts). Everything that makes,
 * starts or stops a server happens under the exclusive `change.lock`. Everyone who uses the server
 * holds `users.lock` shared; it is taken and given back under the change lock, so that of those
 * who leave at once exactly one is the last, and a newcomer finds either a server that it now keeps
 * alive or one that is gone. Advisory locks in PostgreSQL would vanish with a killed server, while
 * its users are still there. A process that dies loses both locks and leaves a server to which the
 * next one attaches.
 *
 * @param dataDir the folder that Snug keeps everything in; made if missing.
 * @param options.log gets one line for what an operator may want to know.
 * @param options.signal ends a start that is under way; a server that it started is stopped again.
 * @throws EmbeddedPostgresError with a sentence for the operator; the signal's reason.
 */
export async function startEmbedded(
  dataDir: string,
  options: { log?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  // Before anything is asked of a system that may have no uids.
  supportedPlatform();
  const places = await preparePlaces(dataDir);
  const binaries = await prepareBinaries(places.account, places.home, log);

  function changing<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const onWait = () => log("Waiting for another process that starts or stops PostgreSQL.");
    // The other may wait for as long as a start may take.
    const timeoutMs = START_TIMEOUT + 60_000;
    return withLock(places.changeLock, { timeoutMs, onWait, signal }, work);
  }

  async function leave(lease: Lease): Promise<void> {
    try {
      if (lease.alone()) await stopPostmaster(places, log);
    } finally {
      // Not before the server is gone, and not after the change lock is.
      lease.close();
    }
  }

  const { lease, session } = await changing(async () => {
    const lease = takeLease(places.usersLock);
    try {
      await ensureCluster(places, binaries, log);
      const session = await bringUp({ places, binaries, lease, log, signal: options.signal });
      return { lease, session };
    } catch (error) {
      await leave(lease);
      throw error;
    }
  }, options.signal);

  const again = (signal: AbortSignal): Promise<Session> =>
    changing(() => bringUp({ places, binaries, lease, log, signal }), signal);
  const keeper = keepRunning(session, places, again, log);

  async function release(): Promise<void> {
    try {
      await keeper.stop();
      await changing(() => leave(lease));
    } catch (error) {
      lease.close();
      log(`PostgreSQL may be running still: ${messageOf(error)}`);
    }
  }
  let releasing: Promise<void> | undefined;
  return {
    connection: { host: places.socketDir, port: PORT, username: SUPERUSER, database: DATABASE },
    release: () => (releasing ??= release()),
  };
}
