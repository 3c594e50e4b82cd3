import type { SearchTerm } from "../wire/search.ts";
import { cutToken } from "../wire/search-tokens.ts";
import { quoteToken } from "./tokens.ts";

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
