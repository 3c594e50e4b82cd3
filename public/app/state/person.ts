import type { KeyValue } from "../connection/storage.ts";
import type { Me } from "../../../src/wire/models.ts";

/** The storage key with the id of who signed in last in this browser. */
export const PERSON_KEY = "snug.person";

/** Notifies the other tabs of who is signed in; theirs may be another person's. */
export function announcePerson(storage: KeyValue, { id }: Pick<Me, "id">): void {
  if (readPerson(storage) === id) return;
  try {
    storage.setItem(PERSON_KEY, id);
  } catch {
    // Without space the other tabs learn it when they connect.
  }
}

/** The id of who signed in last in this browser; null where it is not known. */
export function readPerson(storage: KeyValue): string | null {
  return storage.getItem(PERSON_KEY);
}
