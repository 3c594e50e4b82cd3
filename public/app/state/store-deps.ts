import type { Send } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import type { KeyValue } from "../connection/outbox.ts";
import type { Snapshots } from "../connection/snapshots.ts";

/** What of a page the store is given, so that it needs none. */
export type StoreDeps = {
  fetch: Send;
  openSocket(): WebSocket;
  storage: KeyValue;
  snapshots?: Snapshots;
  clock?: Clock;
};

/** Who is here: not known yet, nobody, or someone. */
export type Phase = "starting" | "signed-out" | "signed-in" | "unreachable";
