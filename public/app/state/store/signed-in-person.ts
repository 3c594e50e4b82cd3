import type { Signal } from "@preact/signals";
import type { Me } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import { storeIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";

/**
 * Whether someone is signed in. "replaced": another person has signed in to this browser, so that
 * the session no longer belongs to the person of this page; "restricted" if only the sign-in is
 * allowed until there is a second factor.
 */
export type Phase = "starting" | "signed-in" | "unreachable" | EndPhase;
export type EndPhase = "signed-out" | "replaced" | "restricted";

/**
 * The storage key for the id of the last person who signed in to this browser, until they sign out.
 */
export const PERSON_KEY = "snug.person";

/** Notifies other tabs of who is signed in, because they may belong to another person. */
export function announcePerson(storage: KeyValue, { id }: Pick<Me, "id">): void {
  if (readPerson(storage) === id) return;
  // If there is no space, the other tabs notice when they connect.
  storeIfSpace(storage, PERSON_KEY, id);
}

/** Forgets the last person, so that their stored state is no longer shown. */
export function forgetPerson(storage: KeyValue): void {
  storeIfSpace(storage, PERSON_KEY, null);
}

/** The id of the last person who signed in to this browser; null if they have signed out. */
export function readPerson(storage: KeyValue): string | null {
  return storage.getItem(PERSON_KEY);
}

type PersonWatchDeps = {
  api: Api;
  storage: SharedStorage;
  phase: Signal<Phase>;
  /** Called when the session belongs to another person, to stop everything. */
  onOther(): void;
};

/**
 * Watches whether the session of this browser becomes another person's, so that nothing is sent
 * with it.
 */
export class PersonWatch {
  /**
   * The person for whom this page sends requests, even after the session has ended; null before
   * anyone is signed in.
   */
  userId: string | null = null;

  constructor(private readonly deps: PersonWatchDeps) {
    deps.storage.watch((key) => {
      if (key === PERSON_KEY) void this.#verify();
    });
  }

  /** Checks with the service if another tab reports that someone else has signed in. */
  check(): void {
    if (this.userId && readPerson(this.deps.storage) !== this.userId) void this.#verify();
  }

  /** @returns false if the session does not belong to this page's person */
  isSame(userId: string): boolean {
    if (this.userId && this.userId !== userId) this.deps.onOther();
    return this.userId === userId;
  }

  /** Asks the service whose session this is, because another tab may have changed it. */
  async #verify(): Promise<void> {
    const { api, phase } = this.deps;
    if (phase.value !== "signed-in") return;
    const { user } = await api.call("GET /api/auth/session").catch(() => ({ user: null }));
    // Nobody is signed in: the socket was closed for that reason, or the request failed.
    if (user) this.isSame(user.id);
  }
}
