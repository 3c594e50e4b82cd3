import type { Fetch, OnRefusal } from "../connection/api.ts";
import type { Clock } from "../connection/clock.ts";
import type { Locks } from "../connection/ownership.ts";
import type { Snapshots } from "../connection/snapshots.ts";
import type { SharedStorage } from "../connection/storage.ts";

/** What of a page the store is given, so that it needs none. */
export type StoreDeps = {
  fetch: Fetch;
  openSocket(): WebSocket;
  storage: SharedStorage;
  /** Null where the browser has no Web Locks. */
  locks: Locks | null;
  snapshots?: Snapshots;
  /** Asks for the proof that a call needs. */
  prove?: OnRefusal["prove"];
  clock?: Clock;
};

/**
 * Who is here: not known yet, nobody, or someone; "replaced" once another person has signed in in
 * this browser, so that the session is no longer that of the person whose page this is; "restricted"
 * while all but the sign-in waits for a second factor.
 */
export type Phase =
  "starting" | "signed-out" | "signed-in" | "unreachable" | "replaced" | "restricted";
