import {
  boundsOf,
  type DayStart,
  FILTERS,
  isDateFilter,
  parseQuery,
  type SearchTerm,
} from "../../../../src/wire/search.ts";
import { storeIfSpace, type KeyValue } from "../../connection/storage.ts";

/** The value of the search field: filters shown as chips, and the rest. */
export type SearchInput = { chips: string[]; text: string };

/** The value of the field for a query from the address, with every filter as a chip. */
export function readInput(query: string): SearchInput {
  return takeChips({ chips: [], text: query && `${query} ` });
}

/** Turns complete filters in the text into chips: those with a value. */
export function takeChips({ chips, text }: SearchInput): SearchInput {
  const { parts } = parseQuery(text);
  const isOpen = (i: number) => i === parts.length - 1 && !/\s$/.test(text);
  const filters = parts.filter(
    ({ kind, source }, i) => kind === "filter" && !isOpen(i) && parseQuery(source).problem === null,
  );
  if (filters.length === 0) return { chips, text };
  const rest = parts.filter((part) => !filters.includes(part)).map(({ source }) => source);
  const added = filters.map(({ source }) => source).filter((source) => !chips.includes(source));
  const end = rest.length > 0 && /\s$/.test(text) ? " " : "";
  return { chips: [...chips, ...added], text: rest.join(" ") + end };
}

export function writeInput({ chips, text }: SearchInput): string {
  return [...chips, text.trim()].filter((part) => part !== "").join(" ");
}

/** A filter at the end of a text, possibly without a value. */
export const FILTER_AT_END = new RegExp(`(^|\\s)(-?)(${FILTERS.join("|")}):[@#]?(\\S*)$`, "i");
const NAME_FILTERS = ["from", "mentions", "in"];

/** The value without a filter at its end whose name or value is still being typed. */
export function withoutOpenFilter({ chips, text }: SearchInput): SearchInput {
  const [source = "", , , name = "", value = ""] = FILTER_AT_END.exec(text) ?? [];
  const takesName = NAME_FILTERS.includes(name.toLowerCase());
  const isWhole = value !== "" && !takesName && parseQuery(source).problem === null;
  return { chips, text: isWhole ? text : text.replace(FILTER_AT_END, "$1") };
}

/**
 * The request parameters for a query. Dates are days in the reader's time zone, sent as instants.
 */
export function toRequest(query: string): { q?: string; after?: string; before?: string } {
  const { parts } = parseQuery(query);
  let [after, before] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rest: string[] = [];
  for (const part of parts) {
    if (part.kind === "text" || !isDateFilter(part.name)) rest.push(part.source);
    else {
      const bounds = boundsOf(part.name, part.value, localDay);
      after = Math.max(after, bounds.after?.getTime() ?? after);
      before = Math.min(before, bounds.before?.getTime() ?? before);
    }
  }
  const at = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : undefined);
  return { q: rest.join(" ") || undefined, after: at(after), before: at(before) };
}

/**
 * A day in the reader's time zone, in the syntax of filters.
 * @param daysAgo 0 for today
 */
export function dayOfInput(daysAgo: number): string {
  const day = new Date();
  day.setDate(day.getDate() - daysAgo);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const localDay: DayStart = (year, month, day) => new Date(year, month, day);

/** The words and phrases of a query that are highlighted in results. */
export function termsOf(query: string): SearchTerm[] {
  return parseQuery(query).parts.flatMap((part) =>
    part.kind === "text" && !part.isNegated ? [part.term] : [],
  );
}

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
