/**
 * Rows that came as one text: a line each, the columns with blanks between. A list of which only a few
 * short columns are needed is read so, since the driver takes a microsecond for every few values. No
 * column may hold a blank or a line feed.
 */
export function splitPackedRows(text: string | null | undefined): string[][] {
  return text?.split("\n").map((line) => line.split(" ")) ?? [];
}

/** What a statement answers with: one row with `string_agg(concat_ws(' ', …), E'\n')`. */
export type PackedRows = { packed: string | null };
