import type { TreeCursor } from "@lezer/common";
import type { Align, Block, Inline } from "./tree.ts";

type Cells = (cursor: TreeCursor) => Inline[];

/** Reads a table; further cells than the head has are left out, as GitHub does. */
export function readTable(cursor: TreeCursor, source: string, readCell: Cells): Block {
  let head: Inline[][] = [];
  let align: Align[] = [];
  const rows: Inline[][][] = [];
  if (cursor.firstChild()) {
    do {
      if (cursor.name === "TableHeader") head = readRow(cursor, readCell);
      else if (cursor.name === "TableRow")
        rows.push(readRow(cursor, readCell).slice(0, head.length));
      else if (cursor.name === "TableDelimiter") {
        align = readAlign(source.slice(cursor.from, cursor.to));
      }
    } while (cursor.nextSibling());
    cursor.parent();
  }
  return { type: "table", align, head, rows };
}

/** The parser has no node for an empty cell: it is between two delimiters. */
function readRow(cursor: TreeCursor, readCell: Cells): Inline[][] {
  const cells: Inline[][] = [];
  const { from } = cursor;
  if (!cursor.firstChild()) return cells;
  let cell: Inline[] | null = null;
  do {
    if (cursor.name === "TableCell") cell = readCell(cursor);
    else if (cursor.name === "TableDelimiter" && cursor.from > from) {
      cells.push(cell ?? []);
      cell = null;
    }
  } while (cursor.nextSibling());
  cursor.parent();
  if (cell) cells.push(cell);
  return cells;
}

function readAlign(line: string): Align[] {
  const columns = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|");
  return columns.map((column) => {
    const marks = column.trim();
    const isRight = marks.endsWith(":");
    if (marks.startsWith(":")) return isRight ? "center" : "left";
    return isRight ? "right" : null;
  });
}
