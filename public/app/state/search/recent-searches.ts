import { keepIfSpace, type KeyValue } from "../../connection/storage.ts";

const MAX_SEARCHES = 10;
/** They stay on this device, and only this person sees them. */
const keyOf = (userId: string) => `snug.searches.${userId}`;

/** The last searches of someone on this device, the latest first. */
export function recentSearches(storage: KeyValue, userId: string): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(list) ? list.filter((query) => typeof query === "string") : [];
  } catch {
    return [];
  }
}

/** Notes a search of this person in this browser; an empty one is left out. */
export function keepSearch(storage: KeyValue, userId: string, query: string): void {
  if (query === "") return;
  const others = recentSearches(storage, userId).filter((search) => search !== query);
  const searches = [query, ...others].slice(0, MAX_SEARCHES);
  keepIfSpace(storage, keyOf(userId), JSON.stringify(searches));
}

/** Forgets this person's searches in this browser. */
export function forgetSearches(storage: KeyValue, userId: string): void {
  storage.removeItem(keyOf(userId));
}
