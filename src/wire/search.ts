import type { Code } from "./codes.ts";
import { type Atom, splitText } from "./search-tokens.ts";

/** The search query language, parsed by the service, and by the client to show filters as chips. */

/** Length of a query, in Unicode code points. */
const MAX_QUERY_LENGTH = 200;
/** Number of words, phrases and filters in a query. */
const MAX_QUERY_PARTS = 12;
/** Number of results per response. */
export const MAX_RESULTS = 50;
export const DEFAULT_RESULTS = 20;

/** The values of `has:`; an attachment is an image or a file. */
// biome-ignore format: one line
export const HAS = [
  "attachment",
  "image",
  "file",
  "link",
  "code",
  "reaction",
  "pin",
  "thread",
  "voice",
] as const;
const IS = ["saved", "reply", "bot"] as const;
const VALUES: Partial<Record<string, readonly string[]>> = { has: HAS, is: IS };
const DATE_FILTERS = ["before", "after", "on", "during"] as const;
export const FILTERS = ["from", "in", "has", "mentions", ...DATE_FILTERS, "is"] as const;
type DateFilter = (typeof DATE_FILTERS)[number];
type FilterName = (typeof FILTERS)[number];

/** A required word, or a sequence of adjacent atoms. */
export type SearchTerm = {
  atoms: Pick<Atom, "kind" | "text" | "isSpaced">[];
  /** Whether the last atom is a word that also matches as a prefix. */
  isOpen: boolean;
  /** Whether the term is quoted, so that it does not match parts of a name such as `getUserName`. */
  isQuoted: boolean;
};
/** A word, phrase or filter of a query, with its source text. */
export type SearchPart = { source: string; isNegated: boolean } & (
  | { kind: "text"; term: SearchTerm }
  /** The value without quotes. A conversation keeps its `@`; people and rooms are without `@` and `#`. */
  | { kind: "filter"; name: FilterName; value: string }
);
type QueryProblem = { code: Code; detail: string };
type ParsedQuery = { parts: SearchPart[]; problem: QueryProblem | null };

const SPACE = /\s*/y;
const FILTER = new RegExp(`(-?)(${FILTERS.join("|")}):(?:"([^"]*)"?|(\\S+))`, "iy");
const QUOTED = /(-?)["“”„]([^"“”„]*)["“”„]?/y;
const BARE = /\S+/y;

/** Parses a query. An unknown filter, such as `https:`, is treated as text. */
export function parseQuery(query: string): ParsedQuery {
  const parts: SearchPart[] = [];
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (read(SPACE); at < query.length; read(SPACE)) {
    const part = toFilter(read(FILTER)) ?? toPhrase(read(QUOTED)) ?? toWord(read(BARE));
    if (part) parts.push(part);
  }
  return { parts, problem: findProblem(query, parts) };
}

function toFilter(match: RegExpExecArray | null): SearchPart | null {
  if (!match) return null;
  const [source, minus, name = "", quoted, bare] = match;
  const filter = name.toLowerCase() as FilterName;
  const value = (quoted ?? bare ?? "").replace(filter === "in" ? /^#/ : /^[@#]/, "");
  return { kind: "filter", source, isNegated: minus === "-", name: filter, value };
}

function toPhrase(match: RegExpExecArray | null): SearchPart | null {
  if (!match) return null;
  const [source, minus, text = ""] = match;
  const term = { atoms: splitText(text), isOpen: false, isQuoted: true };
  return { kind: "text", source, isNegated: minus === "-", term };
}

/** Punctuation around a word that is not part of it. */
const OPENING = new Set("([{<¿¡«「『（".split(""));
const CLOSING = new Set(")]}>»」』）,.;!?…，。；！？、".split(""));
/** Words of at least this many letters and digits also match as a prefix. */
const MIN_OPEN_LENGTH = 3;

function toWord(match: RegExpExecArray | null): SearchPart | null {
  if (!match) return null;
  const source = match[0];
  const isNegated = source.length > 1 && source.startsWith("-");
  const sourceAtoms = splitText(isNegated ? source.slice(1) : source);
  const isIn = (signs: Set<string>) => (atom: Atom) =>
    atom.kind !== "sign" || !signs.has(atom.text);
  const from = sourceAtoms.findIndex(isIn(OPENING));
  const atoms = sourceAtoms.slice(Math.max(0, from), sourceAtoms.findLastIndex(isIn(CLOSING)) + 1);
  const queryAtoms = atoms.length > 0 ? atoms : sourceAtoms;
  const last = queryAtoms.at(-1);
  const letters = last?.kind === "word" ? (last.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) : 0;
  const term = { atoms: queryAtoms, isOpen: letters >= MIN_OPEN_LENGTH, isQuoted: false };
  return { kind: "text", source, isNegated, term };
}

function findProblem(query: string, parts: SearchPart[]): QueryProblem | null {
  if ([...query].length > MAX_QUERY_LENGTH) {
    const detail = `A search can have at most ${MAX_QUERY_LENGTH} characters.`;
    return { code: "query_too_long", detail };
  }
  if (parts.length > MAX_QUERY_PARTS) {
    const detail = `A search can have at most ${MAX_QUERY_PARTS} words and filters.`;
    return { code: "too_many_parts", detail };
  }
  for (const part of parts) {
    const detail = part.kind === "filter" ? findFilterProblem(part.name, part.value, part) : null;
    if (detail !== null) return { code: "validation", detail };
  }
  return null;
}

function findFilterProblem(
  name: FilterName,
  value: string,
  { source, isNegated }: SearchPart,
): string | null {
  const list = (values: readonly string[]) => values.map((value) => `${name}:${value}`).join(", ");
  const values = valuesOf(name);
  if (values) {
    return values.includes(value.toLowerCase())
      ? null
      : `There is no ${source}. Try ${list(values)}.`;
  }
  if (!isDateFilter(name)) return null;
  if (isNegated) return `${name}: cannot be excluded. Use before: and after: instead.`;
  const isDate = readPeriod(value) !== null;
  return isDate ? null : `${source} needs a date, such as ${name}:2026-03-01 or ${name}:2026-03.`;
}

/** The possible values of a filter; undefined if it takes a name or a date. */
export const valuesOf = (name: string) => VALUES[name];

export function isDateFilter(name: FilterName): name is DateFilter {
  return (DATE_FILTERS as readonly string[]).includes(name);
}

/** Whether the index can find a term. Terms that consist only of symbols are not indexed. */
export function isIndexed({ atoms }: SearchTerm): boolean {
  return atoms.some(({ kind }) => kind !== "sign");
}

/** A day, a month or a year. Months count from 1. */
type Period = { year: number; month: number | null; day: number | null };

function readPeriod(value: string): Period | null {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value);
  if (!match) return null;
  const [year = 0, month = null, day = null] = match
    .slice(1)
    .map((digits: string | undefined) => (digits === undefined ? null : Number(digits)));
  if (year === null || year < 1970) return null;
  const date = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  const isReal = date.getUTCMonth() === (month ?? 1) - 1 && date.getUTCDate() === (day ?? 1);
  return isReal ? { year, month, day } : null;
}

/** Converts a day to the time at which it starts, in the client's time zone or UTC. Months count from 0. */
export type DayStart = (year: number, month: number, day: number) => Date;
export const utcDay: DayStart = (year, month, day) => new Date(Date.UTC(year, month, day));

/**
 * The range of times that match a date filter: `after` is inclusive, `before` exclusive. `after:`
 * starts after the given day, `before:` ends before it.
 */
export function boundsOf(
  name: DateFilter,
  value: string,
  dayStart: DayStart,
): { after?: Date; before?: Date } {
  const period = readPeriod(value);
  if (!period) return {};
  const { year, month, day } = period;
  const first = dayStart(year, (month ?? 1) - 1, day ?? 1);
  const end =
    month === null
      ? dayStart(year + 1, 0, 1)
      : day === null
        ? dayStart(year, month, 1)
        : dayStart(year, month - 1, day + 1);
  if (name === "before") return { before: first };
  return name === "after" ? { after: end } : { after: first, before: end };
}
