import type { SqlClient } from "../database/connect.ts";
import { JOBS_CHANNEL } from "../jobs-queue/statements.ts";
import { getLogger } from "../platform/log.ts";
import { FEED_CHANNEL, type Hint, parseHints, SIGNAL_CHANNEL } from "./channels.ts";
import type { Signal } from "./signals.ts";

const log = getLogger("feed");

const PING_MS = 5_000;
/** So many pings that nobody heard mean that the connection is dead, whatever TCP says. */
const PINGS_MISSED = 2;

export type Listener = {
  onHint(hint: Hint): void;
  /** Rooms' logs have grown, here or elsewhere. */
  onGrowth(): void;
  onSignal(signal: Signal): void;
  /** A job may be due. */
  onJob(): void;
  /** LISTEN stands, for the first time or again: what was said in between was not heard. */
  onListening(): void;
};

export type ListenDeps = {
  /** A client for LISTEN alone, so that it can be thrown away. */
  openClient(): SqlClient;
  /** Says the pings. */
  sql: SqlClient;
  /** This process's id: hints that it gave itself are left out. */
  instance: string;
  listener: Listener;
  pingMs?: number;
};

/**
 * Hears what other instances and this one tell through PostgreSQL. The driver comes back by itself
 * when its connection is closed; one that is half open, dead without a word, is found by pings
 * through the database and replaced.
 * @returns a function that stops listening
 */
export async function listenToDatabase(deps: ListenDeps): Promise<() => Promise<void>> {
  const { openClient, sql, instance, pingMs = PING_MS } = deps;
  let said = 0;
  let heard = 0;
  let client = openClient();
  await open(client, deps, (ping) => {
    heard = Math.max(heard, ping);
  });

  const replace = () => {
    log.warn("LISTEN hears nothing; opening it anew.");
    const dead = client;
    client = openClient();
    heard = said;
    open(client, deps, (ping) => {
      heard = Math.max(heard, ping);
    }).catch((error) => log.warn("LISTEN could not be opened.", { error: String(error) }));
    void dead.end({ timeout: 0 });
  };
  const timer = setInterval(() => {
    if (said - heard >= PINGS_MISSED) replace();
    const ping: Ping = { kind: "ping", instance, ping: said + 1 };
    sql`select pg_notify(${SIGNAL_CHANNEL}, ${JSON.stringify(ping)})`.then(
      () => {
        said = ping.ping;
      },
      // Without the database there is nothing to hear.
      () => {},
    );
  }, pingMs);
  return async () => {
    clearInterval(timer);
    await client.end({ timeout: 0 });
  };
}

type Ping = { kind: "ping"; instance: string; ping: number };

async function open(
  client: SqlClient,
  { instance, listener }: ListenDeps,
  onPing: (ping: number) => void,
): Promise<void> {
  await client.listen(SIGNAL_CHANNEL, (payload) => {
    const signal = parse(payload);
    if (signal?.kind === "ping") {
      if (signal.instance === instance) onPing(signal.ping);
    } else if (signal) listener.onSignal(signal);
  });
  await client.listen(JOBS_CHANNEL, listener.onJob);
  await client.listen(
    FEED_CHANNEL,
    (payload) => {
      parseHints(payload, instance).forEach(listener.onHint);
      listener.onGrowth();
    },
    listener.onListening,
  );
}

/** Anyone with the database's password can write on a channel. */
function parse(payload: string): Signal | Ping | null {
  try {
    return JSON.parse(payload) as Signal | Ping;
  } catch {
    log.warn("A signal is not JSON.");
    return null;
  }
}
