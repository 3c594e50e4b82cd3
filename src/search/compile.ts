import { boundsOf, isDateFilter, isIndexed, type SearchTerm, utcDay } from "../wire/search.ts";
import type { SearchPart } from "../wire/search.ts";
import { Refusal } from "../platform/refusal.ts";
import { type Check, hasFlag, isBy, mentionsPerson } from "./checks.ts";
import { isJoinedFilter, type JoinedFilter } from "./query-statements.ts";
import { authorToken, flagToken, mentionToken } from "./tokens.ts";
import { combineTokens, negateTerm, termQuery } from "./terms.ts";

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
    ...{ terms: [], excluded: [], checks: [], joins: [], wanted: [], unwanted: [] },
    ...{ roomIds: null, excludedRoomIds: new Set(), unknown: [] },
    ...{ after: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY },
    ...{ readsMentions: false, isLoose: false, isPositive: false },
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
  const found = name === "me" ? names.viewer : names.people.get(name);
  if (!found) plan.unknown.push(nameOf(source));
  return found;
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
