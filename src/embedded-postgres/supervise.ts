import { messageOf } from "./error.ts";
import type { Paths } from "./paths.ts";
import { findPostmaster, signalPostmaster } from "./server.ts";
import type { Session } from "./session.ts";

type Keeper = {
  /** Stops supervising and closes the connection. The server keeps running. */
  stop(): Promise<void>;
};

const MAX_BACKOFF_MS = 5000;
const CHECK_MS = 2000;

/**
 * Supervises the server: whenever its connection ends, for any reason and regardless of who started the
 * server, starts it again, until stopped.
 * @param session a connection to the running server
 * @param bringUp opens the next connection; retried after 0.1 s, 0.2 s … 5 s if it fails
 */
export function keepRunning(
  session: Session,
  paths: Paths,
  bringUp: (signal: AbortSignal) => Promise<Session>,
  log: (line: string) => void,
): Keeper {
  const stop = new AbortController();
  const stopRequest = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });

  async function reconnect(): Promise<Session | null> {
    for (let pause = 100; !stop.signal.aborted; pause = Math.min(pause * 2, MAX_BACKOFF_MS)) {
      try {
        return await bringUp(stop.signal);
      } catch (error) {
        if (stop.signal.aborted) break;
        log(`PostgreSQL could not be started again; retrying: ${messageOf(error)}`);
        await Promise.race([Bun.sleep(pause), stopRequest]);
      }
    }
    return null;
  }

  async function keep(): Promise<void> {
    let current: Session | null = session;
    while (current !== null) {
      await Promise.race([current.closing, stopRequest]);
      await current.close();
      if (stop.signal.aborted) return;
      log("The connection to PostgreSQL ended; starting it again.");
      current = await reconnect();
      if (current !== null && !stop.signal.aborted) log("PostgreSQL is back.");
    }
  }

  // After SIGTERM the server refuses new connections and waits until existing ones end, which this
  // process's connections never do. Turn it into a restart.
  async function interruptStoppingServer(): Promise<void> {
    const server = await findPostmaster(paths);
    if (server?.kind !== "ours" || server.state !== "stopping" || stop.signal.aborted) return;
    signalPostmaster(server.pid, "SIGINT");
  }
  const timer = setInterval(() => void interruptStoppingServer().catch(() => {}), CHECK_MS);
  timer.unref();

  const loop = keep();
  return {
    async stop() {
      stop.abort();
      clearInterval(timer);
      await loop;
    },
  };
}
