import {
  boundsOf,
  isDateFilter,
  isIndexed,
  type SearchTerm,
  utcDay,
  type SearchPart,
} from "../wire/search.ts";
import { Refusal } from "../platform/refusal.ts";
import { isJoinedFilter, type JoinedFilter, type CandidateRow } from "./query.ts";
import { authorToken, flagToken, mentionToken, quoteToken, hasCode, isByBot } from "./tokens.ts";
import { cutToken } from "../wire/search-tokens.ts";
import { mergeRanges, type Range, SearchableText } from "../wire/search-match.ts";

/** The users and rooms that the names in a query's filters mean. */
export type Names = {
  viewer: { id: string; number: number };
  /** The key of the conversation with oneself. */
  self: string;
  people: Map<string, { id: string; number: number }>;
  /** Ids of the viewer's rooms by name, and of conversations by `@` and the other's username. */
  rooms: Map<string, string>;
  /** The room that `in:here` means. */
  here: string | null;
};

/** A query, ready to run. */
export type Plan = {
  /** `tsquery`s. */
  terms: string[];
  excluded: string[];
  /** Checks of a message as it is now. */
  checks: Check[];
  joins: { filter: JoinedFilter; isNegated: boolean }[];
  /** Texts that a message must have, and texts that it must not have. */
  wanted: SearchTerm[];
  unwanted: SearchTerm[];
  /** Rooms to search in, if any are named; and rooms that are left out. */
  roomIds: Set<string> | null;
  excludedRoomIds: Set<string>;
  after: number;
  before: number;
  unknown: string[];
  readsMentions: boolean;
  /**
   * Whether the index finds more messages than match, since some conditions can only be checked in
   * the text.
   */
  isLoose: boolean;
  /** Whether any part says what a message must have, and not only what it must not have. */
  isPositive: boolean;
};

type Filter = Extract<SearchPart, { kind: "filter" }>;

/**
 * Compiles the parts of a query. Several `from:` or several `in:` are alternatives; everything else
 * must hold at once.
 * @throws Refusal `validation` for `in:here` without a room
 */
export function compileQuery(parts: SearchPart[], names: Names): Plan {
  const plan: Plan = {
    terms: [],
    excluded: [],
    checks: [],
    joins: [],
    wanted: [],
    unwanted: [],
    roomIds: null,
    excludedRoomIds: new Set(),
    unknown: [],
    after: Number.NEGATIVE_INFINITY,
    before: Number.POSITIVE_INFINITY,
    readsMentions: false,
    isLoose: false,
    isPositive: false,
  };
  for (const part of parts) if (part.kind === "text") addTerm(plan, part.term, part.isNegated);
  const filters = parts.filter((part) => part.kind === "filter");
  for (const filter of filters) {
    if (!filter.isNegated) plan.isPositive = true;
    if (filter.name === "in") addRoom(plan, filter, names);
    else if (filter.name === "mentions") addMention(plan, filter, names);
    else if (isDateFilter(filter.name)) {
      const { after, before } = boundsOf(filter.name, filter.value, utcDay);
      if (after) plan.after = Math.max(plan.after, after.getTime());
      if (before) plan.before = Math.min(plan.before, before.getTime());
    } else if (filter.name !== "from") addFlag(plan, filter);
  }
  addAuthors(plan, filters, names);
  return plan;
}

function addTerm(plan: Plan, term: SearchTerm, isNegated: boolean): void {
  if (term.atoms.length === 0) return;
  (isNegated ? plan.unwanted : plan.wanted).push(term);
  if (isNegated) {
    plan.excluded.push(...negateTerm(term));
    if (term.atoms.length > 1) plan.isLoose = true;
    return;
  }
  if (isIndexed(term)) {
    plan.terms.push(termQuery(term));
    plan.isPositive = true;
  }
  if (term.atoms.length > 1) plan.isLoose = true;
}

function addRoom(plan: Plan, { value, source, isNegated }: Filter, names: Names): void {
  const name = value.toLowerCase();
  if (name === "here" && names.here === null) {
    const message = "in:here needs a room: give its id as room_id.";
    throw new Refusal("validation", message, { errors: [{ path: "/q", message }] });
  }
  const id = name === "here" ? names.here : names.rooms.get(name === "@me" ? names.self : name);
  if (!isNegated) plan.roomIds ??= new Set();
  if (!id) plan.unknown.push(nameOf(source));
  else if (isNegated) plan.excludedRoomIds.add(id);
  else plan.roomIds?.add(id);
}

function findPerson(plan: Plan, { value, source }: Filter, names: Names) {
  const name = value.toLowerCase();
  const id = name === "me" ? names.viewer : names.people.get(name);
  if (!id) plan.unknown.push(nameOf(source));
  return id;
}

function addAuthors(plan: Plan, filters: Filter[], names: Names): void {
  const from = filters.filter(({ name }) => name === "from");
  const find = (isNegated: boolean) =>
    from
      .filter((filter) => filter.isNegated === isNegated)
      .map((filter) => findPerson(plan, filter, names));
  const [wanted, unwanted] = [find(false), find(true).filter((person) => person !== undefined)];
  if (wanted.length > 0)
    addAuthor(
      plan,
      wanted.filter((person) => person !== undefined),
    );
  for (const person of unwanted) plan.excluded.push(combineTokens([authorToken(person.number)]));
  const unwantedIds = new Set(unwanted.map(({ id }) => id));
  if (unwantedIds.size > 0) plan.checks.push((row) => !isBy(row, unwantedIds));
}

/** Only messages of one of these people; none if there are none. */
export function addAuthor(plan: Plan, people: { id: string; number: number }[]): void {
  plan.isPositive = true;
  // A token that no message has.
  const tokens = people.length > 0 ? people.map(({ number }) => authorToken(number)) : ["@"];
  plan.terms.push(combineTokens(tokens));
  const ids = new Set(people.map(({ id }) => id));
  plan.checks.push((row) => isBy(row, ids));
}

function addMention(plan: Plan, filter: Filter, names: Names): void {
  const { isNegated } = filter;
  const person = findPerson(plan, filter, names);
  if (!person && isNegated) return;
  plan.readsMentions = true;
  const token = combineTokens([person ? mentionToken(person.number) : "&"]);
  (isNegated ? plan.excluded : plan.terms).push(token);
  plan.checks.push((row) => mentionsPerson(row, person?.id ?? "") !== isNegated);
}

function addFlag(plan: Plan, { name, value, isNegated }: Filter): void {
  const filter = `${name}:${value.toLowerCase()}`;
  if (isJoinedFilter(filter)) {
    plan.joins.push({ filter, isNegated });
    return;
  }
  const flag = value.toLowerCase() as Parameters<typeof flagToken>[0];
  (isNegated ? plan.excluded : plan.terms).push(combineTokens([flagToken(flag)]));
  plan.checks.push((row) => hasFlag(row, flag) !== isNegated);
}

/** The filter's name in the answer: without a minus. */
function nameOf(source: string): string {
  return source.replace(/^-/, "");
}

/**
 * Texts of `tsquery`, made of tokens alone: nothing that a person has typed is parsed as a query.
 */

/**
 * The part of a term that the index can find; only the text shows whether its words are beside each
 * other.
 */
export function termQuery({ atoms, isOpen }: SearchTerm): string {
  const queries = new Set<string>();
  for (const [i, { kind, text }] of atoms.entries()) {
    const next = atoms[i + 1];
    if (kind === "word") {
      const isStart = isOpen && i === atoms.length - 1;
      queries.add(quoteToken(cutToken(text)) + (isStart ? ":*" : ""));
    } else if (kind === "emoji") queries.add(quoteToken(text));
    else if (kind === "char") {
      const before = atoms[i - 1];
      if (next?.kind === "char" && !next.isSpaced) queries.add(quoteToken(text + next.text));
      // A single character is the first of a pair, or the last of its row.
      else if (before?.kind !== "char" || atoms[i]?.isSpaced) queries.add(`${quoteToken(text)}:*`);
    }
  }
  return [...queries].join(" & ");
}

/**
 * What the index can exclude: a term of one word, emoji, or one or two characters. A longer one is
 * excluded by the text alone, since a message may have its atoms apart.
 */
export function negateTerm(term: SearchTerm): string[] {
  const [first, second] = term.atoms;
  if (!first || first.kind === "sign") return [];
  const isPair = term.atoms.length === 2 && first.kind === "char" && second?.kind === "char";
  if (term.atoms.length > 1 && !(isPair && !second.isSpaced)) return [];
  // The index also has parts of names, which a word in quotes does not match.
  if (first.kind === "word" && term.isQuoted) return [];
  return [termQuery(term)];
}

/** A message has one of these tokens. */
export function combineTokens(tokens: string[]): string {
  return `(${tokens.map(quoteToken).join(" | ")})`;
}

/** A message as it is now. The index may be behind it. */
export type Candidate = Extract<CandidateRow, { id: string }>;
export type Check = (row: Candidate) => boolean;

/** Whether the message shows one of these as its author: a webhook's post is its maker's only for a bot. */
export function isBy(row: Candidate, ids: Set<string>): boolean {
  const isShown = row.via_name === null || (row.is_bot && row.is_active);
  return isShown && ids.has(row.author_id);
}

/** Whether a message names someone. */
export function mentionsPerson(row: Candidate, userId: string): boolean {
  return row.mention_ids.includes(userId);
}

/** Whether a message has what a filter asks for. */
export function hasFlag(
  row: Candidate,
  flag: "image" | "file" | "link" | "code" | "voice" | "bot",
): boolean {
  if (flag === "image") return row.has_image;
  if (flag === "file") return row.file_name !== null;
  if (flag === "link") return row.has_link;
  if (flag === "code") return hasCode(row.content);
  return flag === "bot" && isByBot(row);
}

/**
 * Where the text of a message has what is wanted; null for a message without all of the wanted texts, each in
 * one of its own texts, or with one of the others.
 */
export function matchTexts(
  row: Candidate,
  wanted: SearchTerm[],
  unwanted: SearchTerm[],
): Range[] | null {
  if (wanted.length === 0 && unwanted.length === 0) return [];
  const content = new SearchableText(row.content ?? "");
  const others = [row.file_name, row.preview_title, row.thread_title]
    .filter((text) => text !== null)
    .map((text) => new SearchableText(text));
  const isInOthers = (term: SearchTerm) => others.some((text) => text.find(term).length > 0);
  const ranges: Range[] = [];
  for (const term of wanted) {
    const matches = content.find(term);
    if (matches.length === 0 && !isInOthers(term)) return null;
    for (const range of matches) ranges.push(range);
  }
  const isExcluded = unwanted.some((term) => content.find(term).length > 0 || isInOthers(term));
  return isExcluded ? null : mergeRanges(ranges);
}
