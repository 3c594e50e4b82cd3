import type { SearchTerm } from "./search.ts";
import { type Atom, cutToken, splitText, tokensOfWord } from "./search-tokens.ts";

/** A range of UTF-16 offsets in a text; the end is exclusive. */
export type Range = [start: number, end: number];

/** Separators in the joined text: the next atom is adjacent, or follows white space. */
const ADJACENT = "\u0001";
const SPACED = "\u0002";

/** Atoms joined to a string, so that sequences of atoms can be found with `indexOf`. */
type Row = { text: string; atoms: Atom[]; offsets: number[] };

/** A text to search in, split once for all terms. */
export class SearchableText {
  readonly #atoms: Atom[];
  #words: { atom: Atom; tokens: string[] }[] | null = null;
  #rows: [raw: Row, plain: Row] | null = null;

  constructor(text: string) {
    this.#atoms = splitText(text);
  }

  /** The ranges where a term occurs: whole words, or the beginnings of words if it is open. */
  find(term: SearchTerm): Range[] {
    const [only] = term.atoms;
    if (!only) return [];
    if (term.atoms.length === 1 && only.kind === "word" && !term.isQuoted) {
      return this.#findWord(only.text, term.isOpen);
    }
    const items = this.#atoms.map((atom) => ({ atom, text: atom.text, isSpaced: atom.isSpaced }));
    this.#rows ??= [makeRow(items), makeRow(toPlainItems(this.#atoms))];
    const [rawRow, plainRow] = this.#rows;
    const hasMarkup = term.atoms.some(({ text }) => isMarkup(text));
    return hasMarkup
      ? findRow(rawRow, term)
      : findRow(rawRow, term).concat(findRow(plainRow, term));
  }

  #findWord(word: string, isOpen: boolean): Range[] {
    const searchedToken = cutToken(word);
    const matches = (token: string) =>
      isOpen ? token.startsWith(searchedToken) : token === searchedToken;
    this.#words ??= this.#atoms
      .filter(({ kind }) => kind === "word")
      .map((atom) => ({ atom, tokens: tokensOfWord(atom) }));
    return this.#words
      .filter(({ tokens }) => tokens.some(matches))
      .map(({ atom }): Range => [atom.start, atom.end]);
  }
}

type RowItem = { atom: Atom; text: string; isSpaced: boolean };

/** The atoms without Markdown's marks around words, so that a phrase is found despite them. */
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

/** The end of a sequence of marks without spaces that starts here. */
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

/** Maximum number of brackets, quotes and similar characters between marks and a word. */
const MAX_SIGNS = 6;

/**
 * Whether marks such as `**` surround text. They do not in `select * from` or `count(*)`: marks must be next
 * to a word, or to brackets and quotes around it. A single mark next to sentence punctuation does not count
 * (`*.ts` and `a.*` are patterns); a backtick may be next to anything.
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

/** Underscores may be emphasis marks. Keeps a word that consists only of underscores. */
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

function findRow({ text, atoms, offsets }: Row, { atoms: termAtoms, isOpen }: SearchTerm): Range[] {
  const separators = termAtoms.map(({ isSpaced }) => (isSpaced ? SPACED : ADJACENT));
  const needle = termAtoms.map((atom, i) => (i === 0 ? "" : separators[i]) + atom.text).join("");
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

function atomAt(offsets: number[], at: number): number {
  let low = 0;
  for (let high = offsets.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** The sorted, disjoint ranges where any of the terms occurs in a text. */
export function findMatches(text: string, terms: SearchTerm[]): Range[] {
  const searchable = new SearchableText(text);
  return mergeRanges(terms.flatMap((term) => searchable.find(term)));
}

/** Sorts ranges, and merges those that overlap or touch. */
export function mergeRanges(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
