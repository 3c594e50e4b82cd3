import { sql } from "drizzle-orm";
import { bigint, customType, integer, timestamp } from "drizzle-orm/pg-core";

/** Column types shared by the tables. */

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Millisecond precision, as in JSON, so that a time survives a round trip. */
export const at = (name: string) =>
  timestamp(name, { precision: 3, withTimezone: true, mode: "date" });

export const now = (name: string) =>
  at(name)
    .notNull()
    .default(sql`clock_timestamp()`);

export const number = (name: string) => bigint(name, { mode: "number" });

/** A short number for the search index, assigned in ascending order and never exposed to clients. */
export const shortNumber = () => integer("number").generatedAlwaysAsIdentity().notNull();

export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
