import type { SearchTerm } from "./search.ts";
import { type Atom, cutToken, splitText, tokensOfWord } from "./search-tokens.ts";

/** Finds out whether a text matches a query, and where. */

/** UTF-16 offsets in a text: from the first to before the second. */
export type Range = [start: number, end: number];

/** In the joined text: an atom that directly follows the one before it, or one after white space. */
const ADJACENT = "\u0001";
const SPACED = "\u0002";
/** What Markdown puts around words; a phrase is found without it too. */
const MARKUP = new Set(["*", "~", "`"]);

/** Atoms as one string, in which rows of atoms are found at the speed of `indexOf`. */
type Row = { text: string; atoms: Atom[]; offsets: number[] };

/** A text to search in. It is cut once, for all terms. */
export class SearchableText {
  readonly #atoms: Atom[];
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
    this.#rows ??= this.#makeRows();
    const hasMarkup = term.atoms.some(({ text }) => MARKUP.has(text));
    const [raw, plain] = this.#rows;
    return [...findRow(raw, term), ...(hasMarkup ? [] : findRow(plain, term))];
  }

  #findWord(wanted: string, isOpen: boolean): Range[] {
    const cut = cutToken(wanted);
    const matches = (token: string) => (isOpen ? token.startsWith(cut) : token === cut);
    return this.#atoms.flatMap((atom): Range[] =>
      atom.kind === "word" && tokensOfWord(atom).some(matches) ? [[atom.start, atom.end]] : [],
    );
  }

  /** The text as written, and without its markup. */
  #makeRows(): [raw: Row, plain: Row] {
    const atoms = this.#atoms;
    const raw = makeRow(atoms.map((atom) => ({ atom, text: atom.text, isSpaced: atom.isSpaced })));
    const plain: RowItem[] = [];
    let isSpaced = false;
    for (const atom of atoms) {
      isSpaced ||= atom.isSpaced;
      if (atom.kind === "sign" && MARKUP.has(atom.text)) continue;
      const text = atom.kind === "word" ? atom.text.replace(/^_+(?=.*[^_])|_+$/g, "") : atom.text;
      plain.push({ atom, text: text === "" ? atom.text : text, isSpaced });
      isSpaced = false;
    }
    return [raw, makeRow(plain)];
  }
}

type RowItem = { atom: Atom; text: string; isSpaced: boolean };

function makeRow(items: RowItem[]): Row {
  const offsets: number[] = [];
  let text = "";
  for (const item of items) {
    offsets.push(text.length);
    text += (item.isSpaced ? SPACED : ADJACENT) + item.text;
  }
  return { text, offsets, atoms: items.map(({ atom }) => atom) };
}

function findRow({ text, atoms, offsets }: Row, { atoms: wanted, isOpen }: SearchTerm): Range[] {
  const separators = wanted.map(({ isSpaced }) => (isSpaced ? SPACED : ADJACENT));
  const needle = wanted.map((atom, i) => (i === 0 ? "" : separators[i]) + atom.text).join("");
  const isBorder = (at: number) => [undefined, ADJACENT, SPACED].includes(text[at]);
  const ranges: Range[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    if (!isBorder(at - 1) || !(isOpen || isBorder(at + needle.length))) continue;
    const first = atoms[atomAt(offsets, at)];
    const last = atoms[atomAt(offsets, at + needle.length - 1)];
    if (first && last) ranges.push([first.start, last.end]);
  }
  return ranges;
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
  const found = terms.flatMap((term) => searchable.find(term)).sort(([a], [b]) => a - b);
  const merged: Range[] = [];
  for (const [start, end] of found) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
