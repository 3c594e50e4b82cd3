/**
 * Rows that came as one text: a line each, the columns with blanks between. Lists that need only a
 * few short columns are read this way, since the driver takes a microsecond for every few values.
 * No column may hold a blank or a line feed.
 */
export function splitPackedRows(text: string | null | undefined): string[][] {
  return text?.split("\n").map((line) => line.split(" ")) ?? [];
}

/** What a statement answers with: one row with `string_agg(concat_ws(' ', …), E'\n')`. */
export type PackedRows = { packed: string | null };
