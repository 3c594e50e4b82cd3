import type { Signal } from "@preact/signals";
import type { Me } from "../../../../src/wire/models.ts";
import type { Api } from "../../connection/api.ts";
import { keepIfSpace, type KeyValue, type SharedStorage } from "../../connection/storage.ts";

/**
 * Who is signed in: not known yet, nobody, or someone; "replaced" if another person has signed in
 * in this browser, so that the session no longer belongs to the person of this page; "restricted"
 * if only the sign-in is allowed until there is a second factor.
 */
export type Phase = "starting" | "signed-in" | "unreachable" | EndPhase;
export type EndPhase = "signed-out" | "replaced" | "restricted";

/** The storage key with the id of who signed in last in this browser, until they sign out. */
export const PERSON_KEY = "snug.person";

/** Notifies the other tabs of who is signed in; theirs may be another person's. */
export function announcePerson(storage: KeyValue, { id }: Pick<Me, "id">): void {
  if (readPerson(storage) === id) return;
  // If there is no space, the other tabs learn it when they connect.
  keepIfSpace(storage, PERSON_KEY, id);
}

/** Nobody is signed in: what the browser still stores of the last person is not shown. */
export function forgetPerson(storage: KeyValue): void {
  keepIfSpace(storage, PERSON_KEY, null);
}

/** The id of who signed in last in this browser; null after they have signed out. */
export function readPerson(storage: KeyValue): string | null {
  return storage.getItem(PERSON_KEY);
}

type PersonWatchDeps = {
  api: Api;
  storage: SharedStorage;
  phase: Signal<Phase>;
  /** The person to whom this page belongs. */
  me(): Me | null;
  /** Stops everything: the session belongs to another person now. */
  onOther(): void;
};

/**
 * Watches whether the session of this browser becomes another person's: nothing is then sent with
 * it.
 */
export class PersonWatch {
  constructor(private readonly deps: PersonWatchDeps) {
    deps.storage.watch((key) => {
      if (key === PERSON_KEY) void this.#verify();
    });
  }

  /** Checks with the service if another tab reports that someone else has signed in. */
  check(): void {
    const me = this.deps.me();
    if (me && readPerson(this.deps.storage) !== me.id) void this.#verify();
  }

  /** @returns false if the session does not belong to this page's person */
  isSame(userId: string): boolean {
    const me = this.deps.me();
    if (me && me.id !== userId) this.deps.onOther();
    return me?.id === userId;
  }

  /** Asks the service whose session this browser has now: another tab may have changed it. */
  async #verify(): Promise<void> {
    const { api, phase } = this.deps;
    if (phase.value !== "signed-in") return;
    const { user } = await api.call("GET /api/auth/session").catch(() => ({ user: null }));
    // Nobody is signed in: the socket was closed for that reason, or the request failed.
    if (user) this.isSame(user.id);
  }
}
