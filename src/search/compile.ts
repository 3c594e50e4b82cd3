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
import {
  authorToken,
  type Flag,
  flagToken,
  mentionToken,
  quoteToken,
  hasCode,
  isByBot,
} from "./tokens.ts";
import { cutToken } from "../wire/search-tokens.ts";
import { mergeRanges, type Range, SearchableText } from "../wire/search-match.ts";

export type Names = {
  viewer: { id: string; number: number };
  /** The key of the viewer's conversation with themselves. */
  self: string;
  people: Map<string, { id: string; number: number }>;
  /** Ids of the viewer's rooms by name, and of conversations by `@` and the other person's username. */
  rooms: Map<string, string>;
  /** The room that `in:here` refers to. */
  currentRoomId: string | null;
};

export type Plan = {
  /** Conditions on the index, as `tsquery`s. */
  terms: string[];
  excludedTerms: string[];
  /** Conditions to check on the current state of a message. */
  checks: Check[];
  joins: { filter: JoinedFilter; isNegated: boolean }[];
  /** Terms that the text must contain, and terms that it must not contain. */
  requiredTerms: SearchTerm[];
  forbiddenTerms: SearchTerm[];
  /** Rooms to search if the query names any, and rooms to exclude. */
  roomIds: Set<string> | null;
  excludedRoomIds: Set<string>;
  after: number;
  before: number;
  unknown: string[];
  readsMentions: boolean;
  /**
   * Whether the index may return messages that do not match, because some conditions can only be
   * checked on the text.
   */
  isLoose: boolean;
  /** Whether the query has a condition that is not an exclusion. */
  isPositive: boolean;
};

type Filter = Extract<SearchPart, { kind: "filter" }>;

/**
 * Compiles a parsed query. Several `from:` or several `in:` are alternatives; all other conditions are
 * combined with AND.
 * @throws Refusal `validation` for `in:here` without a room
 */
export function compileQuery(parts: SearchPart[], names: Names): Plan {
  const plan: Plan = {
    terms: [],
    excludedTerms: [],
    checks: [],
    joins: [],
    requiredTerms: [],
    forbiddenTerms: [],
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
  (isNegated ? plan.forbiddenTerms : plan.requiredTerms).push(term);
  if (isNegated) {
    plan.excludedTerms.push(...negateTerm(term));
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
  if (name === "here" && names.currentRoomId === null) {
    const message = "in:here needs a room: give its id as room_id.";
    throw new Refusal("validation", message, { errors: [{ path: "/q", message }] });
  }
  const id =
    name === "here" ? names.currentRoomId : names.rooms.get(name === "@me" ? names.self : name);
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
  const peopleOf = (isNegated: boolean) =>
    from
      .filter((filter) => filter.isNegated === isNegated)
      .flatMap((filter) => findPerson(plan, filter, names) ?? []);
  if (from.some(({ isNegated }) => !isNegated)) addAuthor(plan, peopleOf(false));
  const excludedPeople = peopleOf(true);
  for (const { number } of excludedPeople)
    plan.excludedTerms.push(combineTokens([authorToken(number)]));
  const excludedIds = new Set(excludedPeople.map(({ id }) => id));
  if (excludedIds.size > 0) plan.checks.push((row) => !isBy(row, excludedIds));
}

/** Restricts the plan to messages by these people; matches nothing if the list is empty. */
export function addAuthor(plan: Plan, people: { id: string; number: number }[]): void {
  plan.isPositive = true;
  // "@" is a token that no message has.
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
  (isNegated ? plan.excludedTerms : plan.terms).push(token);
  plan.checks.push((row) => row.mention_ids.includes(person?.id ?? "") !== isNegated);
}

function addFlag(plan: Plan, { name, value, isNegated }: Filter): void {
  const filter = `${name}:${value.toLowerCase()}`;
  if (isJoinedFilter(filter)) {
    plan.joins.push({ filter, isNegated });
    return;
  }
  const flag = value.toLowerCase();
  const flags: Flag[] = flag === "attachment" ? ["image", "file"] : [flag as Flag];
  (isNegated ? plan.excludedTerms : plan.terms).push(combineTokens(flags.map(flagToken)));
  plan.checks.push((row) => flags.some((flag) => hasFlag(row, flag)) !== isNegated);
}

/** The filter's name in the response, without a minus. */
function nameOf(source: string): string {
  return source.replace(/^-/, "");
}

/** `tsquery` text, built only from tokens: user input is never parsed as a query. */

/** The part of a term that the index can match. Whether its words are adjacent must be checked on the text. */
function termQuery({ atoms, isOpen }: SearchTerm): string {
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
      // A single character is indexed as the first of a pair, or as the last of a sequence.
      else if (before?.kind !== "char" || atoms[i]?.isSpaced) queries.add(`${quoteToken(text)}:*`);
    }
  }
  return [...queries].join(" & ");
}

/**
 * Index conditions for an excluded term: one word, an emoji, or one or two characters. Longer terms can
 * only be excluded on the text, since a message may contain their atoms apart.
 */
function negateTerm(term: SearchTerm): string[] {
  const [first, second] = term.atoms;
  if (!first || first.kind === "sign") return [];
  const isPair = term.atoms.length === 2 && first.kind === "char" && second?.kind === "char";
  if (term.atoms.length > 1 && !(isPair && !second.isSpaced)) return [];
  // The index also contains parts of names, which a quoted word does not match.
  if (first.kind === "word" && term.isQuoted) return [];
  return [termQuery(term)];
}

function combineTokens(tokens: string[]): string {
  return `(${tokens.map(quoteToken).join(" | ")})`;
}

/** The current state of a message, which the index may lag behind. */
export type Candidate = Extract<CandidateRow, { id: string }>;
type Check = (row: Candidate) => boolean;

/**
 * Whether the message shows one of these people as its author. A webhook's message counts only if it
 * belongs to a bot.
 */
function isBy(row: Candidate, ids: Set<string>): boolean {
  const isShown = row.via_name === null || (row.is_bot && row.is_active);
  return isShown && ids.has(row.author_id);
}

/** Whether a message has the property that a filter requires. */
function hasFlag(row: Candidate, flag: Flag): boolean {
  if (flag === "image") return row.has_image;
  if (flag === "file") return row.file_name !== null;
  if (flag === "link") return row.has_link;
  if (flag === "code") return hasCode(row.content);
  return flag === "bot" && isByBot(row);
}

/**
 * Finds the ranges of the terms in a message's texts. Returns null if a required term is missing, or an
 * excluded term is present. A term may match in any of the texts.
 */
export function matchTexts(
  row: Candidate,
  terms: SearchTerm[],
  excludedTerms: SearchTerm[],
): Range[] | null {
  if (terms.length === 0 && excludedTerms.length === 0) return [];
  const content = new SearchableText(row.content ?? "");
  const otherTexts = [row.file_name, row.preview_title, row.thread_title]
    .filter((text) => text !== null)
    .map((text) => new SearchableText(text));
  const isInOthers = (term: SearchTerm) => otherTexts.some((text) => text.find(term).length > 0);
  const ranges: Range[] = [];
  for (const term of terms) {
    const matches = content.find(term);
    if (matches.length === 0 && !isInOthers(term)) return null;
    for (const range of matches) ranges.push(range);
  }
  const isExcluded = excludedTerms.some(
    (term) => content.find(term).length > 0 || isInOthers(term),
  );
  return isExcluded ? null : mergeRanges(ranges);
}
