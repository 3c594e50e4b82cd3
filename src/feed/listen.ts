import type { HandSql } from "../database/connect.ts";
import { getLogger } from "../platform/log.ts";
import { FEED_CHANNEL, type Hint, readHints, SIGNAL_CHANNEL } from "./channels.ts";
import type { Signal } from "./signals.ts";

const log = getLogger("feed");

export type Listener = {
  onHint(hint: Hint): void;
  onSignal(signal: Signal): void;
  /** LISTEN stands, for the first time or again: what was said in between was not heard. */
  onListening(): void;
};

/**
 * Hears what other instances and this one tell through PostgreSQL. The driver opens a connection
 * of its own for it and comes back by itself when that is lost.
 * @param instance this process's id: hints that it gave itself are left out
 * @returns a function that stops listening
 */
export async function listen(sql: HandSql, instance: string, listener: Listener) {
  const feed = await sql.listen(
    FEED_CHANNEL,
    (payload) => readHints(payload, instance).forEach(listener.onHint),
    listener.onListening,
  );
  const signals = await sql.listen(SIGNAL_CHANNEL, (payload) => {
    try {
      listener.onSignal(JSON.parse(payload) as Signal);
    } catch (error) {
      log.error("A signal could not be handled.", { error: String(error) });
    }
  });
  return () => Promise.all([feed.unlisten(), signals.unlisten()]);
}
