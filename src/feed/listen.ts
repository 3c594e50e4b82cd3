import type { SqlClient } from "../database/connect.ts";
import { JOBS_CHANNEL } from "../jobs-queue/enqueue.ts";
import { getLogger } from "../platform/log.ts";
import { FEED_CHANNEL, type Hint, parseHints, SIGNAL_CHANNEL } from "./channels.ts";
import type { Signal } from "./signals.ts";

const log = getLogger("feed");

const PING_MS = 1_000;
/** How many times per ping interval to check for a lost ping. */
const CHECKS_PER_PING = 2;
/** After this many lost pings the connection is replaced, whatever TCP reports. */
const MAX_LOST_PINGS = 10;

export type Listener = {
  onHint(hint: Hint): void;
  onPeer(instance: string): void;
  /** Called when rooms' logs have grown, on this instance or another. */
  onGrowth(): void;
  onSignal(signal: Signal): void;
  onJob(): void;
  /** Called at each check while the last ping has not been received: notifications are being lost. */
  onSilence(): void;
  onSilenceEnd(): void;
  /** Called when LISTEN has started or restarted: earlier notifications may be lost. */
  onListening(): void;
};

type ListenDeps = {
  /** Opens a client that is used for LISTEN only. */
  openClient(): SqlClient;
  sql: SqlClient;
  /** The id of this process, whose own hints are ignored. */
  instance: string;
  listener: Listener;
  pingMs?: number;
};

/**
 * Receives the notifications of all instances. The driver reconnects when its connection is closed. Pings
 * through the database detect a half-open connection, which is then replaced.
 * @returns a function that stops listening
 */
export async function listenToDatabase(deps: ListenDeps): Promise<() => Promise<void>> {
  const { openClient, sql, instance, listener, pingMs = PING_MS } = deps;
  let sentPing = 0;
  let receivedPing = 0;
  /** The last ping before the connection was replaced. */
  let replacedAt = 0;
  let checks = 0;
  let isSilent = false;
  const onPing = (ping: number) => {
    receivedPing = Math.max(receivedPing, ping);
    if (!isSilent || sentPing > receivedPing) return;
    isSilent = false;
    listener.onSilenceEnd();
  };
  let client = openClient();
  await subscribe(client, deps, onPing);

  const replace = () => {
    log.warn("LISTEN connection lost; reconnecting.");
    const dead = client;
    client = openClient();
    replacedAt = sentPing;
    subscribe(client, deps, onPing).catch((error) =>
      log.warn("LISTEN failed; retrying with the next ping.", { error: String(error) }),
    );
    void dead.end({ timeout: 0 });
  };
  const timer = setInterval(() => {
    if (sentPing > receivedPing) {
      isSilent = true;
      listener.onSilence();
    }
    if (checks++ % CHECKS_PER_PING > 0) return;
    if (sentPing - Math.max(receivedPing, replacedAt) >= MAX_LOST_PINGS) replace();
    const ping = sentPing + 1;
    const payload = JSON.stringify({ kind: "ping", instance, ping } satisfies Ping);
    sql`select pg_notify(${SIGNAL_CHANNEL}, ${payload})`.then(
      () => {
        sentPing = ping;
      },
      // Without the database, no notifications are sent either.
      () => {},
    );
  }, pingMs / CHECKS_PER_PING);
  return async () => {
    clearInterval(timer);
    await client.end({ timeout: 0 });
  };
}

async function subscribe(
  client: SqlClient,
  { instance, listener }: ListenDeps,
  onPing: (ping: number) => void,
): Promise<void> {
  await client.listen(SIGNAL_CHANNEL, (payload) => {
    const signal = parseSignal(payload);
    if (signal?.kind === "ping") {
      if (signal.instance === instance) onPing(signal.ping);
      else listener.onPeer(signal.instance);
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

/** @returns null for a payload that is not JSON: anyone with the database's password can notify */
function parseSignal(payload: string): Signal | Ping | null {
  try {
    return JSON.parse(payload) as Signal | Ping;
  } catch {
    log.warn("Ignoring a signal that is not JSON.");
    return null;
  }
}

/** Sent by an instance to itself, to check that its LISTEN connection is alive. */
type Ping = { kind: "ping"; instance: string; ping: number };
