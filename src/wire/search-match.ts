import type { SearchTerm } from "./search.ts";
import { type Atom, cutToken, splitText, tokensOfWord } from "./search-tokens.ts";

/** Matches texts against a query. */

/** UTF-16 offsets in a text: from the first to before the second. */
export type Range = [start: number, end: number];

/** In the joined text: an atom that directly follows the one before it, or one after white space. */
const ADJACENT = "\u0001";
const SPACED = "\u0002";

/** Atoms as one string, in which rows of atoms are found at the speed of `indexOf`. */
type Row = { text: string; atoms: Atom[]; offsets: number[] };

/** A text to search in. It is cut once, for all terms. */
export class SearchableText {
  readonly #atoms: Atom[];
  #words: { atom: Atom; tokens: string[] }[] | null = null;
  #rows: [raw: Row, plain: Row] | null = null;

  constructor(text: string) {
    this.#atoms = splitText(text);
  }

  /** Where a term is in the text: whole words. Empty where it is not. */
  find(term: SearchTerm): Range[] {
    const [only] = term.atoms;
    if (!only) return [];
    if (term.atoms.length === 1 && only.kind === "word" && !term.isQuoted) {
      return this.#findWord(only.text, term.isOpen);
    }
    this.#rows ??= [makeRow(toItems(this.#atoms)), makeRow(toPlainItems(this.#atoms))];
    const [raw, plain] = this.#rows;
    const hasMarkup = term.atoms.some(({ text }) => isMarkup(text));
    return hasMarkup ? findRow(raw, term) : findRow(raw, term).concat(findRow(plain, term));
  }

  #findWord(wanted: string, isOpen: boolean): Range[] {
    const cut = cutToken(wanted);
    const matches = (token: string) => (isOpen ? token.startsWith(cut) : token === cut);
    this.#words ??= this.#atoms
      .filter(({ kind }) => kind === "word")
      .map((atom) => ({ atom, tokens: tokensOfWord(atom) }));
    return this.#words
      .filter(({ tokens }) => tokens.some(matches))
      .map(({ atom }): Range => [atom.start, atom.end]);
  }
}

type RowItem = { atom: Atom; text: string; isSpaced: boolean };

/** The text as written. */
function toItems(atoms: Atom[]): RowItem[] {
  return atoms.map((atom) => ({ atom, text: atom.text, isSpaced: atom.isSpaced }));
}

/** The text without what Markdown puts around words; a phrase is found without it too. */
function toPlainItems(atoms: Atom[]): RowItem[] {
  const items: RowItem[] = [];
  let isSpaced = false;
  for (let from = 0; from < atoms.length;) {
    const to = endOfMarks(atoms, from);
    const isLeftOut = to > from && isAroundText(atoms, from, to);
    for (const atom of atoms.slice(from, Math.max(to, from + 1))) {
      isSpaced ||= atom.isSpaced;
      if (isLeftOut) continue;
      const text = atom.kind === "word" ? stripUnderscores(atom.text) : atom.text;
      items.push({ atom, text, isSpaced });
      isSpaced = false;
    }
    from = Math.max(to, from + 1);
  }
  return items;
}

const isMarkup = (sign: string) => sign === "*" || sign === "~" || sign === "`";

/** Where a run of marks without a blank ends that begins here. */
function endOfMarks(atoms: Atom[], from: number): number {
  let to = from;
  for (let atom = atoms[to]; atom && isMarkup(atom.text); atom = atoms[to]) {
    if (to > from && atom.isSpaced) break;
    to += 1;
  }
  return to;
}

const OPENING = new Set("([{<'\"«‹「『（【《〈［｛¿¡");
const CLOSING = new Set(")]}>'\"»›」』）】》〉］｝.,:;!?…。，、：；！？");

/** Brackets, quotes and the like between marks and a word. */
const MAX_SIGNS = 6;

/**
 * Whether marks are around a text rather than a symbol of their own, as in `select * from` or
 * `count(*)`: they touch a word, or the brackets and quotes that it is in. The end of a sentence counts only
 * before two marks (`*.ts` and `a.*` are patterns), and of code any sign does.
 */
function isAroundText(atoms: Atom[], from: number, to: number): boolean {
  const isStrong = to - from > 1;
  const isCode = atoms[from]?.text === "`";
  const isThrough = (sign: string, signs: Set<string>) =>
    isCode || (signs.has(sign) && (isStrong || !".,:;!?…".includes(sign)));
  for (const { kind, text, isSpaced } of atoms.slice(to, to + MAX_SIGNS)) {
    if (isSpaced) break;
    if (kind !== "sign") return true;
    if (!isThrough(text, OPENING)) break;
  }
  const before = atoms.slice(Math.max(0, from - MAX_SIGNS), from + 1).reverse();
  for (const [i, { kind, text }] of before.slice(1).entries()) {
    if (before[i]?.isSpaced) break;
    if (kind !== "sign") return true;
    if (!isThrough(text, CLOSING)) break;
  }
  return false;
}

/** Without the underscores around a word, which may be marks of emphasis; one of underscores alone stays. */
function stripUnderscores(word: string): string {
  if (!word.startsWith("_") && !word.endsWith("_")) return word;
  let from = 0;
  let to = word.length;
  while (word[from] === "_") from += 1;
  if (from === to) return word;
  while (word[to - 1] === "_") to -= 1;
  return word.slice(from, to);
}

function makeRow(items: RowItem[]): Row {
  const offsets: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  for (const { text, isSpaced } of items) {
    offsets.push(length);
    pieces.push(isSpaced ? SPACED : ADJACENT, text);
    length += text.length + 1;
  }
  return { text: pieces.join(""), offsets, atoms: items.map(({ atom }) => atom) };
}

function findRow({ text, atoms, offsets }: Row, { atoms: wanted, isOpen }: SearchTerm): Range[] {
  const separators = wanted.map(({ isSpaced }) => (isSpaced ? SPACED : ADJACENT));
  const needle = wanted.map((atom, i) => (i === 0 ? "" : separators[i]) + atom.text).join("");
  const ranges: Range[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    if (!isBorder(text, at - 1) || !(isOpen || isBorder(text, at + needle.length))) continue;
    const first = atoms[atomAt(offsets, at)];
    const last = atoms[atomAt(offsets, at + needle.length - 1)];
    if (first && last) ranges.push([first.start, last.end]);
  }
  return ranges;
}

function isBorder(text: string, at: number): boolean {
  const char = text[at];
  return char === undefined || char === ADJACENT || char === SPACED;
}

/** The index of the atom that a place in the row's text belongs to. */
function atomAt(offsets: number[], at: number): number {
  let low = 0;
  for (let high = offsets.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Where any of the terms is in a text: sorted and disjoint. */
export function findMatches(text: string, terms: SearchTerm[]): Range[] {
  const searchable = new SearchableText(text);
  return mergeRanges(terms.flatMap((term) => searchable.find(term)));
}

/** Ranges in their order, as one where they touch. */
export function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
