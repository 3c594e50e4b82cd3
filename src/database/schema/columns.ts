import { sql } from "drizzle-orm";
import { bigint, customType, integer, text, timestamp } from "drizzle-orm/pg-core";

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Millisecond precision, as in JSON, so that a time survives a round trip. */
export const at = (name: string) =>
  timestamp(name, { precision: 3, withTimezone: true, mode: "date" });

export const now = (name: string) =>
  at(name)
    .notNull()
    .default(sql`clock_timestamp()`);

/**
 * A text column that only its type limits to these words; the table also needs a check constraint.
 */
export const choice = <const Word extends string>(
  name: string,
  words: [Word, ...Word[]],
  fallback: NoInfer<Word>,
) => text(name, { enum: words }).notNull().default(fallback);

export const number = (name: string) => bigint(name, { mode: "number" });

/** A short number for the search index, assigned in ascending order and never exposed to clients. */
export const shortNumber = () => integer("number").generatedAlwaysAsIdentity().notNull();

export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
