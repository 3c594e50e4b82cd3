import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError, messageOf } from "./error.ts";
import { launchServer, type Ended, type Launched } from "./launch.ts";
import type { Lease } from "./lock.ts";
import type { Places } from "./places.ts";
import { findPostmaster, stopPostmaster, type Postmaster } from "./postmaster.ts";
import { openSession, whyNot, type Session } from "./session.ts";

type BringUp = {
  places: Places;
  binaries: Binaries;
  /** This process's lease on the cluster. */
  lease: Lease;
  log: (line: string) => void;
  signal?: AbortSignal;
};

// Replaying the log of a killed server can take minutes; a server that has died is noticed at once.
export const START_TIMEOUT = 10 * 60_000;
// The processes of a killed server end within moments, but a server whose pid file was deleted checks
// for it only once a minute. Until then a new one cannot start.
const REMAINS_TIMEOUT = 75_000;
// From "ready" in the pid file, or from its start, until the socket answers.
const SILENT_TIMEOUT = 5000;

// From its start until it has a pid file, by which it can be found.
const UNSEEN_TIMEOUT = 10_000;

/**
 * Attaches to the cluster's server, or starts it if there is none, and returns once it answers. To be
 * called under the change lock, so that nobody else starts or stops it. If it dies, or someone stops it
 * by hand, the loop starts it again. If this throws after it started a server, that server has a pid
 * file by which it can be stopped.
 * @throws EmbeddedPostgresError when it cannot be started or reached; the signal's reason.
 */
export async function bringUp(context: BringUp): Promise<Session> {
  const started: Started = { server: null };
  try {
    return await attachOrStart(context, started);
  } catch (error) {
    if (started.server) await waitForPidFile(started.server, context.places);
    throw error;
  }
}

type Started = { server: Launched | null };

async function attachOrStart(context: BringUp, started: Started): Promise<Session> {
  const { places, binaries, log, signal } = context;
  const began = performance.now();
  let silentSince: number | null = null;
  let logAt = 5000;
  for (;;) {
    signal?.throwIfAborted();
    const elapsed = performance.now() - began;
    if (elapsed > START_TIMEOUT) {
      throw new EmbeddedPostgresError(
        `PostgreSQL is not ready after ${START_TIMEOUT / 60_000} minutes: read ${places.log}, then start Snug again.`,
      );
    }
    if (elapsed > logAt) {
      logAt *= 2;
      log(`PostgreSQL is not ready yet after ${Math.round(elapsed / 1000)} s; see ${places.log}.`);
    }

    const server = await findPostmaster(places);
    if (server === null) {
      silentSince = null;
      const ended = started.server?.ended() ?? null;
      if (ended !== null) await retryOrThrow(ended, elapsed, places);
      if (started.server === null || ended !== null) {
        if (started.server === null)
          log(`Starting PostgreSQL ${binaries.version} in ${places.cluster}.`);
        started.server = await launchServer(places, binaries);
      }
    } else {
      if (server.kind === "foreign") throw foreign(server, places);
      if (server.state === "ready") {
        const session = await attempt(places);
        if (typeof session !== "string") return session;
        if (session === "not yet") silentSince = null;
        else silentSince ??= performance.now();
      }
      if (silentSince !== null && performance.now() - silentSince > SILENT_TIMEOUT) {
        await endSilent(server, context);
        silentSince = null;
      }
    }
    await Bun.sleep(elapsed < 2000 ? 3 : 20);
  }
}

/** Waits for the pid file of a server that was just started, by which `stopPostmaster` finds it. */
async function waitForPidFile(server: Launched, places: Places): Promise<void> {
  const deadline = performance.now() + UNSEEN_TIMEOUT;
  while (server.ended() === null && (await findPostmaster(places)) === null) {
    if (performance.now() > deadline) server.kill();
    await Bun.sleep(3);
  }
}

async function attempt(places: Places): Promise<Session | "not yet" | "nobody listens"> {
  try {
    return await openSession(places);
  } catch (error) {
    const reason = whyNot(error);
    if (reason !== "refused") return reason;
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${places.cluster} refuses Snug's connection (${messageOf(error)}): see ${places.log}.`,
    );
  }
}

async function retryOrThrow(ended: Ended, elapsed: number, places: Places): Promise<void> {
  const remains = /shared memory block|lock file .* already exists/.test(ended.why);
  if ((remains || ended.stopped) && elapsed < REMAINS_TIMEOUT) return await Bun.sleep(50);
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start (${ended.why}): see ${places.log}, or set DATABASE_URL.`,
  );
}

/**
 * Stops a running server without a socket here, if nobody uses it: the folder in /tmp was cleaned,
 * DATA_DIR was renamed, or the server has another /tmp.
 */
async function endSilent(server: Postmaster, { places, lease, log }: BringUp): Promise<void> {
  if (!lease.alone()) {
    throw new EmbeddedPostgresError(
      `PostgreSQL (pid ${server.pid}) is in use but cannot be reached in ${places.socketDir}: stop the other Snug processes, or choose a shorter DATA_DIR, whose socket needs no folder in /tmp.`,
    );
  }
  log(`PostgreSQL (pid ${server.pid}) cannot be reached in ${places.socketDir}; stopping it.`);
  await stopPostmaster(places, log);
}

function foreign(server: Postmaster, places: Places): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `A PostgreSQL that Snug did not start (pid ${server.pid}) serves ${places.cluster}: stop it, then start Snug again.`,
  );
}
