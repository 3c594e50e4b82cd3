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
   * Releases the server, and stops it if nobody else uses it, which closes the remaining connections.
   * Idempotent; errors are logged, never thrown.
   */
  release(): Promise<void>;
};

/**
 * Starts, or attaches to, the PostgreSQL under `${dataDir}/postgres`, and keeps it running until
 * released: it is started again if it is killed. The process does not end by itself before `release`.
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
 * @param options.log is called with lines for an operator.
 * @param options.signal ends a start that is under way; a server that it started is stopped again.
 * @throws EmbeddedPostgresError with a sentence for the operator; the signal's reason.
 */
export async function startEmbedded(
  dataDir: string,
  options: { log?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  // First, since an unsupported system may have no uids.
  supportedPlatform();
  const places = await preparePlaces(dataDir);
  const binaries = await prepareBinaries(places.account, places.home, log);

  function changing<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const onWait = () => log("Waiting for another process that starts or stops PostgreSQL.");
    // The other may take as long as a start.
    const timeoutMs = START_TIMEOUT + 60_000;
    return withLock(places.changeLock, { timeoutMs, onWait, signal }, work);
  }

  async function leave(lease: Lease): Promise<void> {
    try {
      if (lease.alone()) await stopPostmaster(places, log);
    } finally {
      // After the server has stopped, and before the change lock is released.
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
      log(`PostgreSQL may still be running: ${messageOf(error)}`);
    }
  }
  let releasing: Promise<void> | undefined;
  return {
    connection: { host: places.socketDir, port: PORT, username: SUPERUSER, database: DATABASE },
    release: () => (releasing ??= release()),
  };
}
