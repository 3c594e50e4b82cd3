import {
  boundsOf,
  type DayStart,
  isDateFilter,
  parseQuery,
  type SearchTerm,
} from "../../../../src/wire/search.ts";

/** The value of the search field: filters that are shown as chips, and the rest. */
export type SearchInput = { chips: string[]; text: string };

/** The field for a query of the address, where every filter is a chip. */
export function readInput(query: string): SearchInput {
  return takeChips({ chips: [], text: `${query} ` });
}

/** Turns the complete filters of the text into chips: those with something after them. */
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

/** The query that the field's value means. */
export function writeInput({ chips, text }: SearchInput): string {
  return [...chips, text.trim()].filter((part) => part !== "").join(" ");
}

/** A filter for a person or a room at the end of a text. */
export const FILTER_AT_END = /(^|\s)(-?)(from|mentions|in):[@#]?(\S*)$/i;

/** The value without a name that is still being typed, which nobody has. */
export function withoutOpenFilter({ chips, text }: SearchInput): SearchInput {
  return { chips, text: text.replace(FILTER_AT_END, "$1") };
}

/**
 * The parameters of a query for the service: dates are days of the reader's clock, sent as
 * instants.
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

const localDay: DayStart = (year, month, day) => new Date(year, month, day);

/** The words and phrases of a query that are highlighted in results. */
export function termsOf(query: string): SearchTerm[] {
  return parseQuery(query).parts.flatMap((part) =>
    part.kind === "text" && !part.isNegated ? [part.term] : [],
  );
}
