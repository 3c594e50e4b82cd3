import { sql } from "drizzle-orm";
import { bigint, customType, integer, timestamp } from "drizzle-orm/pg-core";

/** Kinds of columns that the tables share. */

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Milliseconds: what JSON carries, so that a time read and sent back is the same time. */
export const at = (name: string) =>
  timestamp(name, { precision: 3, withTimezone: true, mode: "date" });

export const now = (name: string) =>
  at(name)
    .notNull()
    .default(sql`clock_timestamp()`);

export const number = (name: string) => bigint(name, { mode: "number" });

/** Counts up for each row: a short name for the search index, which never leaves the service. */
export const shortNumber = () => integer("number").generatedAlwaysAsIdentity().notNull();

export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
