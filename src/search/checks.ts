import type { SearchTerm } from "../wire/search.ts";
import { mergeRanges, type Range, SearchableText } from "../wire/search-match.ts";
import type { CandidateRow } from "./query-statements.ts";
import { hasCode, isByBot } from "./tokens.ts";

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
