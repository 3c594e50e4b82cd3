import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";

const MAX_SEARCHES = 10;
/** Searches are stored on this device, separately for each person. */
const keyOf = (userId: string) => `snug.searches.${userId}`;

/** A person's recent searches on this device, the newest first. */
export function recentSearches(storage: KeyValue, userId: string): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(list) ? list.filter((query) => typeof query === "string") : [];
  } catch {
    return [];
  }
}

/** Adds a query to this person's recent searches, unless it is empty. */
export function addRecentSearch(storage: KeyValue, userId: string, query: string): void {
  if (query === "") return;
  const others = recentSearches(storage, userId).filter((search) => search !== query);
  const searches = [query, ...others].slice(0, MAX_SEARCHES);
  storeIfSpace(storage, keyOf(userId), JSON.stringify(searches));
}

export function deleteRecentSearches(storage: KeyValue, userId: string): void {
  storage.removeItem(keyOf(userId));
}
