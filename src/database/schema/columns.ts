import { sql } from "drizzle-orm";
import { bigint, customType, integer, text, timestamp } from "drizzle-orm/pg-core";

/** Column types shared by the tables. */

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Millisecond precision, as in JSON, so that a time survives a round trip. */
export const at = (name: string) =>
  timestamp(name, { precision: 3, withTimezone: true, mode: "date" });

export const now = (name: string) =>
  at(name)
    .notNull()
    .default(sql`clock_timestamp()`);

/** One of these words. The table also needs a check, since the database does not know the words. */
export const choice = <const Word extends string>(
  name: string,
  words: [Word, ...Word[]],
  fallback: NoInfer<Word>,
) => text(name, { enum: words }).notNull().default(fallback);

export const number = (name: string) => bigint(name, { mode: "number" });

/** A short number for the search index, assigned in ascending order and never exposed to clients. */
export const shortNumber = () => integer("number").generatedAlwaysAsIdentity().notNull();

export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
