import type { SearchTerm } from "../wire/search.ts";
import { SearchableText } from "../wire/search-match.ts";
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

/** Whether a message has all of the wanted texts, each in one of its own texts, and none of the others. */
export function hasTexts(row: Candidate, wanted: SearchTerm[], unwanted: SearchTerm[]): boolean {
  if (wanted.length === 0 && unwanted.length === 0) return true;
  const texts = [row.content, row.file_name, row.preview_title, row.thread_title]
    .filter((text) => text !== null)
    .map((text) => new SearchableText(text));
  const has = (term: SearchTerm) => texts.some((text) => text.find(term).length > 0);
  return wanted.every(has) && !unwanted.some(has);
}
