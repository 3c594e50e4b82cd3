import type { Fetch, OnRefusal } from "../../connection/api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Locks } from "../../connection/ownership.ts";
import type { Snapshots } from "../../connection/snapshots.ts";
import type { SharedStorage } from "../../connection/storage.ts";

/** The parts of a page that the store gets, so that it needs no page. */
export type StoreDeps = {
  fetch: Fetch;
  openSocket(): WebSocket;
  storage: SharedStorage;
  /** Null where the browser has no Web Locks. */
  locks: Locks | null;
  snapshots?: Snapshots;
  /** Removes what else the browser has of the person: what was shared, notifications, the tab's storage. */
  forget?(): Promise<unknown>;
  /** Asks for the proof that a call needs. */
  prove?: OnRefusal["prove"];
  clock?: Clock;
};

/**
 * Who is signed in: not known yet, nobody, or someone; "replaced" if another person has signed in
 * in this browser, so that the session no longer belongs to the person of this page; "restricted"
 * if only the sign-in is allowed until there is a second factor.
 */
export type Phase = "starting" | "signed-in" | "unreachable" | EndPhase;
export type EndPhase = "signed-out" | "replaced" | "restricted";
