import type { Draft } from "./draft.ts";

/** A list that the statement gets: one value of each draft, as a column of `input`. */
export type Column = { name: string; type: "uuid" | "text"; read(draft: Draft): string | null };

/**
 * What the statement that writes messages does beside writing their text, for drafts that need it.
 * `input` has the drafts, `room` the locked rooms, `checked` both with the author (`u`), and `numbered`
 * also `seq`, which is null for a draft that is refused.
 */
export type Part = {
  isNeeded(draft: Draft): boolean;
  columns: Column[];
  /** Columns of a room that it reads. */
  roomColumns?: string;
  /** CTEs that lock rows, once the rooms are locked. */
  locks?: string;
  /** Joins of `checked`, each with at most one row for a draft. */
  joins?: string;
  /** Columns that its joins bring to `checked`. */
  joined?: string;
  /** A condition of `checked`, without which the credential of a draft (`i`) is not valid. */
  validates?: string;
  /** A condition of `i` that allows to post without a membership: `is_allowed`. */
  allows?: string;
  /** A condition of `checked` for a draft to be written. */
  accepts?: string;
  /** A key and a condition of `numbered`, of a `RefusedDraft`. */
  reports?: string;
  /** CTEs that write, from `numbered`. */
  writes?: string;
  /** One of these CTEs that only selects, and is run although nothing reads it. */
  runs?: string;
  /** Columns of `messages` that it fills from its own of the same name. */
  stores?: string[];
  /** A condition of `numbered` for a message that embeds something, which is read after it. */
  embeds?: string;
  /** A condition of `numbered` for a message that shows something which the statement returns itself. */
  shows?: string;
  /** Columns of the result, from `embedding`, in which `n` counts the drafts from 1. */
  returns?: string;
};
